// A Git Source is a commit in the Shared Configuration Repository: made, changed and looked at before it is saved.
import type { GitSourceRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys, runtimesQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, CheckField, Choice, ModalDialog, TextInput } from '../../ui/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { FilesPreview } from './files-preview.tsx';

interface GitSourceDialogProps {
  /** The one that is changed; absent for a new one. */
  readonly row?: GitSourceRow;
  readonly onClose: () => void;
}

export function GitSourceDialog({ row, onClose }: GitSourceDialogProps) {
  const api = useApi();
  const { data: runtimes = [] } = useQuery(runtimesQuery(api));
  const [chosen, setChosen] = useState<string>();
  const runtime = row?.runtime ?? chosen ?? runtimes.find(({ status }) => status === 'connected')?.name ?? '';
  const [name, setName] = useState(row?.name ?? '');
  const [folder, setFolder] = useState({
    repoURL: row?.repoUrl ?? '',
    branch: row?.branch ?? 'main',
    path: row?.path ?? '',
    include: row?.include ?? '',
    exclude: row?.exclude ?? '',
  });
  const [createRepository, setCreateRepository] = useState(false);
  const set = (field: keyof typeof folder) => (value: string) => setFolder((now) => ({ ...now, [field]: value }));
  const save = useChange(
    () =>
      row
        ? api.call('updateGitSource', { params: { runtime, gitSource: row.name }, body: folder })
        : api.call('createGitSource', { params: { runtime }, body: { ...folder, name, createRepository } }),
    [keys.gitSources, keys.setup],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <ModalDialog title={row ? `Git Source ${row.name}` : 'New Git Source'} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {runtimes.length > 1 && !row ? (
          <Choice
            label="Runtime"
            value={runtime}
            options={runtimes.map((each) => ({ value: each.name, label: each.name }))}
            onChange={setChosen}
          />
        ) : null}
        {row ? null : <TextInput label="Name" value={name} onChange={setName} isRequired isMono />}
        <TextInput
          label="Repository"
          value={folder.repoURL}
          onChange={set('repoURL')}
          hint="Its https address."
          isRequired
          isMono
        />
        <div className="grid grid-cols-2 gap-4">
          <TextInput label="Branch" value={folder.branch} onChange={set('branch')} isMono />
          <TextInput label="Folder" value={folder.path} onChange={set('path')} hint="Empty: all of it." isMono />
          <TextInput label="Only files" value={folder.include} onChange={set('include')} placeholder="*" isMono />
          <TextInput label="Without files" value={folder.exclude} onChange={set('exclude')} isMono />
        </div>
        {row ? null : (
          <CheckField
            label="Make the repository"
            hint="With your own Git token, if it is not there yet."
            isSelected={createRepository}
            onChange={setCreateRepository}
          />
        )}
        <FilesPreview {...{ runtime, folder }} />
        {save.error ? <GitFailure what="the Git Source" undone="Nothing was committed." error={save.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            isPending={save.isPending}
            isDisabled={runtime === '' || folder.repoURL === '' || (!row && name === '')}
          >
            Commit
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
