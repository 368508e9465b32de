import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldProblems, fieldReasons, isAtField, keys, runtimesQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { CheckField, Choice, FormEnd, TextInput } from '../../ui/index.ts';
import { ConflictNotice, conflictOf } from '../conflict/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { FilesPreview } from './files-preview.tsx';
import type { KnownSource } from './git-source-dialog.tsx';
import { LimitsFields } from './limits-fields.tsx';
import { type LimitName, limitProblem, limitsFormOf, limitsIn, noLimits } from './limits-form.ts';
import { ProjectsPreview } from './projects-preview.tsx';

interface GitSourceFormProps {
  readonly known?: KnownSource;
  readonly onClose: () => void;
}

export function GitSourceForm({ known, onClose }: GitSourceFormProps) {
  const api = useApi();
  const { data: runtimes = [] } = useQuery(runtimesQuery(api));
  const [chosen, setChosen] = useState<string>();
  const runtime = known?.runtime ?? chosen ?? runtimes.find(({ status }) => status === 'connected')?.name ?? '';
  const [name, setName] = useState(known?.settings.name ?? '');
  const { repoURL = '', branch = 'main', path = '', include = '', exclude = '', restricted } = known?.settings ?? {};
  const [folder, setFolder] = useState({ repoURL, branch, path, include, exclude });
  const [createRepository, setCreateRepository] = useState(false);
  const [isRestricted, setRestricted] = useState(restricted !== undefined);
  const [form, setForm] = useState(() => (restricted ? limitsFormOf(restricted) : noLimits));
  const [problems, setProblems] = useState<Partial<Record<LimitName, string>>>({});
  const [baseSha, setBase] = useState(known?.baseSha);
  const set = (field: keyof typeof folder) => (value: string) => setFolder((now) => ({ ...now, [field]: value }));
  const read = isRestricted ? limitsIn(form, folder.repoURL, restricted) : undefined;
  const limits = read?.ok ? read.limits : undefined;
  const refuse = (error: Error) => setProblems(limitProblems(error));
  const save = useChange(() => {
    const body = { ...folder, ...(limits && { restricted: limits }) };
    return known
      ? api.call('updateGitSource', {
          params: { runtime, gitSource: name },
          body: { ...body, ...(baseSha && { baseSha }) },
        })
      : api.call('createGitSource', { params: { runtime }, body: { ...body, name, createRepository } });
  }, [keys.gitSources, keys.setup]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblems(read && !read.ok ? read.problems : {});
    if (read && !read.ok) return;
    save.mutate(undefined, { onSuccess: onClose, onError: refuse });
  };
  const conflict = known && conflictOf(save.error);
  const said = fieldProblems(save.error);
  const resolve = (isMine: boolean) => {
    if (!isMine) return onClose(); // the list has theirs
    setBase(conflict?.head);
    save.reset();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {runtimes.length > 1 && !known ? (
        <Choice
          label="Runtime"
          value={runtime}
          options={runtimes.map((each) => ({ value: each.name, label: each.name }))}
          onChange={setChosen}
        />
      ) : null}
      {known ? null : <TextInput label="Name" value={name} onChange={setName} error={said['name']} isRequired isMono />}
      <TextInput
        label="Repository"
        value={folder.repoURL}
        onChange={set('repoURL')}
        hint="Its https address."
        error={said['repoURL']}
        isRequired
        isMono
      />
      <div className="grid grid-cols-2 gap-4">
        <TextInput label="Branch" value={folder.branch} onChange={set('branch')} error={said['branch']} isMono />
        <TextInput
          label="Folder"
          value={folder.path}
          onChange={set('path')}
          hint="Empty: all of it."
          error={said['path']}
          isMono
        />
        <TextInput label="Only files" value={folder.include} onChange={set('include')} placeholder="*" isMono />
        <TextInput label="Without files" value={folder.exclude} onChange={set('exclude')} isMono />
      </div>
      {known ? null : (
        <>
          <CheckField
            label="Make the repository"
            hint="With your own Git token, if it is not there yet."
            isSelected={createRepository}
            onChange={setCreateRepository}
          />
          <CheckField
            label="Restricted"
            hint="Its applications are kept within limits that no commit to it can leave. It cannot be changed later."
            isSelected={isRestricted}
            onChange={setRestricted}
          />
        </>
      )}
      {isRestricted ? (
        <>
          <LimitsFields {...{ form, problems }} onChange={setForm} />
          <ProjectsPreview {...{ runtime, name, limits }} repoURL={folder.repoURL} onRefused={refuse} />
        </>
      ) : null}
      <FilesPreview {...{ runtime, folder }} />
      {conflict ? <ConflictNotice conflict={conflict} onResolve={resolve} /> : null}
      {save.error && !conflict && !isAtField(save.error, ['name', 'repoURL', 'branch', 'path']) ? (
        <GitFailure what="the Git Source" undone="Nothing was committed." error={save.error} />
      ) : null}
      <FormEnd
        onCancel={onClose}
        isPending={save.isPending}
        isDisabled={runtime === '' || folder.repoURL === '' || name === ''}
      >
        Commit
      </FormEnd>
    </form>
  );
}

function limitProblems(error: Error): Partial<Record<LimitName, string>> {
  return Object.assign({}, ...Object.entries(fieldReasons(error)).map(([field, said]) => limitProblem(field, said)));
}
