import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { gitSourcesQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Choice, Empty, Failure, PageHead, Panel, Skeleton, TextInput } from '../../ui/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { ApplicationForm } from './application-form.tsx';
import { readDocument, textAt } from './manifest-document.ts';
import { newManifest } from './new-manifest.ts';
import { Problems } from './problems.tsx';
import { usePreview } from './use-preview.ts';

/** A new application: form and YAML side by side, checked as it is written, committed in the end. */
export function CreatePage() {
  const { data: sources, error, refetch } = useQuery(gitSourcesQuery(useApi()));
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>New application · Fairlead</title>
      <PageHead
        title="New application"
        answer="It becomes a file in a Git Source, by a commit of yours; the runtime deploys it from there."
      />
      {sources ? (
        sources.length === 0 ? (
          <Empty title="There is no Git Source to put it into">
            <p>A Git Source links a folder of a repository to a runtime. Make one first.</p>
          </Empty>
        ) : (
          <Creator sources={sources} />
        )
      ) : error ? (
        <Failure what="the Git Sources" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-96 rounded-lg" />
      )}
    </div>
  );
}

type Sources = readonly {
  readonly runtime: string;
  readonly namespace: string;
  readonly name: string;
  readonly repoUrl: string;
}[];

function Creator({ sources }: { readonly sources: Sources }) {
  const api = useApi();
  const navigate = useNavigate();
  const [at, setAt] = useState(0);
  const [text, setText] = useState(newManifest);
  const [message, setMessage] = useState('');
  const source = sources[at] ?? sources[0];
  const document = useMemo(() => readDocument(text), [text]);
  const name = document ? textAt(document, ['metadata', 'name']) : '';
  const runtime = source?.runtime ?? '';
  const gitSource = { name: source?.name ?? '', namespace: source?.namespace ?? '' };
  const preview = usePreview({
    runtime,
    manifest: text,
    gitSource,
    existing: false,
    isOn: name !== '' || !document, // what cannot be read is told with its line
  });
  const create = useMutation({
    mutationFn: () =>
      api.call('createApplication', {
        params: { runtime },
        body: { manifest: text, gitSource, ...(message.trim() && { message }) },
      }),
    onSuccess: ({ application }) =>
      navigate({ to: '/applications/$runtime/$namespace/$name', params: { runtime, ...application } }),
  });
  const problems = preview.data?.problems ?? [];
  const isBlocked = name === '' || problems.some(({ severity }) => severity === 'error');
  return (
    <div className="grid max-w-[1760px] items-start gap-4 xl:grid-cols-2">
      <Panel title="Form">
        <div className="flex flex-col gap-4">
          <Choice
            label="Git Source"
            value={String(at)}
            options={sources.map(({ runtime: of, name, repoUrl }, index) => ({
              value: String(index),
              label: `${name} in ${of} (${repoUrl})`,
            }))}
            onChange={(chosen) => setAt(Number(chosen))}
          />
          <ApplicationForm {...{ text, problems }} onChange={setText} />
        </div>
      </Panel>
      <Panel
        className="xl:sticky xl:top-4"
        title="YAML"
        hint={
          preview.data?.file
            ? `Will be ${preview.data.file.path} at ${preview.data.file.branch}`
            : 'What will be committed.'
        }
      >
        <div className="flex flex-col gap-3">
          <TextInput label="Manifest" value={text} onChange={setText} rows={24} isMono />
          <Problems preview={preview.data} isPending={preview.isFetching} />
          {preview.error ? <GitFailure what="the preview" error={preview.error} /> : null}
          <TextInput
            label="Commit message"
            value={message}
            onChange={setMessage}
            placeholder={`Add ${name || 'the application'}`}
          />
          {create.error ? <GitFailure what="the commit" undone="Nothing was committed." error={create.error} /> : null}
          <div className="flex gap-2">
            <Button
              kind="primary"
              isDisabled={isBlocked || preview.isFetching}
              isPending={create.isPending}
              onPress={() => create.mutate()}
            >
              Commit
            </Button>
            <Button onPress={() => void navigate({ to: '/applications' })}>Cancel</Button>
          </div>
        </div>
      </Panel>
    </div>
  );
}
