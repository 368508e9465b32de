import type { ReactNode } from 'react';
import type { GraphNode } from '../../graph/index.ts';
import { useNow } from '../../services/index.ts';
import { healthColor, Notice } from '../../ui/index.ts';
import { ageOf, longAgo, syncWord } from '../../words/index.ts';

export function ResourceSummary({ node }: { readonly node: GraphNode }) {
  const age = ageOf(node.createdAt, useNow(10_000));
  const isBad = node.health === 'Degraded' || node.health === 'Missing';
  return (
    <div className="flex flex-col gap-4 p-4">
      {node.requiresPruning ? (
        <Notice kind="warning" title="Not in Git any more.">
          It stays until a synchronization with Prune deletes it.
        </Notice>
      ) : null}
      {node.healthMessage ? (
        <Notice kind={isBad ? 'error' : 'info'} title={node.health ?? 'Health'}>
          <span className="whitespace-pre-wrap">{node.healthMessage}</span>
        </Notice>
      ) : null}
      <dl className="grid grid-cols-[100px_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Line title="Kind">
          {node.kind} <span className="text-muted">{node.group || 'core'}</span>
        </Line>
        <Line title="Name">{node.name}</Line>
        {node.namespace ? <Line title="Namespace">{node.namespace}</Line> : null}
        <Line title="Health">
          {node.health ? (
            <span className={`font-medium ${healthColor[node.health]}`}>{node.health}</span>
          ) : (
            <span className="text-muted">this kind has none</span>
          )}
        </Line>
        <Line title="Sync">
          {node.sync ? sentence(syncWord(node.sync)) : <span className="text-muted">not managed by Git</span>}
        </Line>
        <Line title="Created">
          {age === undefined ? 'not yet' : <span title={node.createdAt}>{longAgo(age)}</span>}
        </Line>
        {node.images.length > 0 ? (
          <Line title="Images">
            {node.images.map((image) => (
              <span key={image} className="block font-mono text-xs break-all">
                {image}
              </span>
            ))}
          </Line>
        ) : null}
        {node.info.map(({ name, value }) => (
          <Line key={name} title={name}>
            {value}
          </Line>
        ))}
      </dl>
    </div>
  );
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

function Line({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{title}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
