import type { ResourceReport } from '@fairlead/contracts';
import { Minus, Pencil, Plus } from 'lucide-react';
import { kindBadge } from '../../graph/index.ts';
import { classNames } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import type { SyncPreview } from './sync-preview.ts';

const acts = {
  create: { icon: Plus, word: 'create', color: 'text-healthy' },
  update: { icon: Pencil, word: 'change', color: 'text-progressing' },
  prune: { icon: Minus, word: 'delete', color: 'text-degraded' },
  leave: { icon: Minus, word: 'leave', color: 'text-muted' },
} as const;

/** More than this are counted, not listed. */
const maxListed = 200;

/** The consequences, resource by resource, as they were last known. */
export function SyncPlan({ preview, prune }: { readonly preview: SyncPreview; readonly prune: boolean }) {
  const planned = [
    ...preview.creates.map((resource) => ({ resource, act: acts.create })),
    ...preview.updates.map((resource) => ({ resource, act: acts.update })),
    ...preview.extras.map((resource) => ({ resource, act: prune ? acts.prune : acts.leave })),
  ];
  const changing = preview.creates.length + preview.updates.length + (prune ? preview.extras.length : 0);
  return (
    <section aria-label="What will change" className="text-sm">
      <p className="mb-1.5">
        {changing === 0 ? (
          <>Nothing differs from Git as last compared. All resources are applied again.</>
        ) : (
          <>
            <b className="font-semibold">{counted(changing, 'resource')}</b> will change.
          </>
        )}{' '}
        {!prune && preview.extras.length > 0 ? (
          <>
            {counted(preview.extras.length, 'resource is', 'resources are')} not in Git any more and will stay, unless
            Prune is on.
          </>
        ) : null}
      </p>
      {planned.length > 0 ? (
        <ul className="max-h-48 overflow-y-auto rounded-md border border-line">
          {planned.slice(0, maxListed).map(({ resource, act }) => (
            <PlannedResource
              key={`${resource.group}/${resource.kind}/${resource.namespace}/${resource.name}`}
              {...{ resource, act }}
            />
          ))}
          {planned.length > maxListed ? (
            <li className="px-3 py-1.5 text-muted">and {planned.length - maxListed} more</li>
          ) : null}
        </ul>
      ) : null}
    </section>
  );
}

interface PlannedResourceProps {
  readonly resource: ResourceReport;
  readonly act: (typeof acts)[keyof typeof acts];
}

function PlannedResource({ resource, act: { icon: Icon, word, color } }: PlannedResourceProps) {
  return (
    <li className="flex h-8 items-center gap-2 border-b border-line px-3 last:border-b-0">
      <Icon size={14} aria-hidden className={classNames('shrink-0', color)} />
      <span className={classNames('w-14 shrink-0', color)}>{word}</span>
      <span className="rounded bg-surface-2 px-1.5 font-mono text-2xs text-muted">{kindBadge(resource.kind)}</span>
      <span className="min-w-0 truncate">{resource.name}</span>
    </li>
  );
}
