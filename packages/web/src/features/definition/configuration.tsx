// The file in Git that defines the application: read, changed, compared, committed. What somebody else committed in
// between is shown beside one's own.
import type { ApplicationDefinition, ApplicationId } from '@fairlead/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionQuery, keys } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Notice, Panel, SafeLink, Skeleton, TextInput } from '../../ui/index.ts';
import { shortRevision } from '../../words/index.ts';
import { Changes, type Conflict, ConflictNotice, conflictOf } from '../conflict/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { ApplicationForm } from './application-form.tsx';
import { Problems } from './problems.tsx';
import { usePreview } from './use-preview.ts';
import { ViewSwitch } from './view-switch.tsx';

export function Configuration({ id }: { readonly id: ApplicationId }) {
  const { data, error, isFetching } = useQuery(definitionQuery(useApi(), id));
  if (error && !data) return <GitFailure what="the definition of the application" error={error} />;
  if (!data || (isFetching && data === undefined)) return <Skeleton className="h-96 rounded-lg" />;
  return <Editor key={data.commit} id={id} definition={data} />;
}

interface EditorProps {
  readonly id: ApplicationId;
  readonly definition: ApplicationDefinition;
}

function Editor({ id, definition }: EditorProps) {
  const api = useApi();
  const client = useQueryClient();
  const [text, setText] = useState(definition.text);
  const [base, setBase] = useState(definition.commit);
  const [message, setMessage] = useState('');
  const [view, setView] = useState<'form' | 'yaml'>(definition.documents > 1 ? 'yaml' : 'form');
  const preview = usePreview({
    ...{
      runtime: id.runtime,
      manifest: text,
      existing: true,
      isOn: text !== definition.text && definition.documents === 1,
    },
    gitSource: definition.gitSource,
  });
  const commit = useMutation({
    mutationFn: () =>
      api.call('editApplicationDefinition', { params: id, body: { text, base, ...(message.trim() && { message }) } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.definition(id) }),
  });
  const conflict = conflictOf(commit.error);
  const isChanged = text !== definition.text;
  const isBlocked = preview.data?.problems.some(({ severity }) => severity === 'error') ?? false;
  const resolve = (chosen: Conflict, keepMine: boolean) => {
    setBase(chosen.head);
    if (!keepMine) setText(chosen.theirs);
    commit.reset();
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        <SafeLink url={definition.url}>
          <span className="font-mono text-xs">{definition.path}</span>
        </SafeLink>{' '}
        in <span className="font-mono text-xs break-all">{definition.repoURL}</span> at {definition.branch} (
        <span className="font-mono text-xs">{shortRevision(definition.commit)}</span>), Git Source{' '}
        {definition.gitSource.name}
        {definition.documents > 1 ? `; the file defines ${definition.documents} things` : ''}
      </p>
      {commit.isSuccess ? (
        <Notice kind="info" title={`Committed as ${shortRevision(commit.data.commit.sha)}.`}>
          The Git Source brings it to the cluster in a moment.
        </Notice>
      ) : null}
      <div className="grid max-w-[1760px] items-start gap-4 xl:grid-cols-2">
        <Panel title={view === 'form' ? 'Settings' : 'File'} actions={<ViewSwitch view={view} onChange={setView} />}>
          {view === 'form' ? (
            <ApplicationForm
              {...{ text }}
              problems={isChanged ? (preview.data?.problems ?? []) : []}
              onChange={setText}
              isNameFixed
            />
          ) : (
            <TextInput label="Definition" value={text} onChange={setText} rows={26} isMono />
          )}
        </Panel>
        <div className="flex min-w-0 flex-col gap-3 xl:sticky xl:top-0">
          {conflict ? (
            <ConflictNotice conflict={conflict} onResolve={(keepMine) => resolve(conflict, keepMine)} />
          ) : isChanged ? (
            <>
              <Problems preview={preview.data} isPending={preview.isFetching} />
              <Changes original={definition.text} text={text} sides={['now', 'yours']} />
              <TextInput
                label="Commit message"
                value={message}
                onChange={setMessage}
                placeholder={`Change ${id.name}`}
              />
              {commit.error ? (
                <GitFailure what="the commit" undone="Nothing was committed." error={commit.error} />
              ) : null}
              <div className="flex gap-2">
                <Button
                  kind="primary"
                  isDisabled={isBlocked}
                  isPending={commit.isPending}
                  onPress={() => commit.mutate()}
                >
                  Commit
                </Button>
                <Button onPress={() => setText(definition.text)}>Discard changes</Button>
              </div>
            </>
          ) : (
            <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">
              Change a setting, or the YAML itself, to see what differs, what is wrong with it, and to commit it.
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
