import type { PlannedApplicationChange, PlannedObject } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { ChangeMark, classNames, Notice, Skeleton } from '../../ui/index.ts';
import { visibleText } from '../../words/index.ts';
import { objectsWords, restartsPods } from './plan-words.ts';

const DiffView = lazy(async () => ({ default: (await import('../../editor/index.ts')).DiffView }));

interface PlannedApplicationProps {
  readonly runtime: string;
  readonly application: PlannedApplicationChange;
  readonly isOpenAtFirst: boolean;
}

/** One application and the objects of it that would be added, changed or removed. */
export function PlannedApplication({ runtime, application, isOpenAtFirst }: PlannedApplicationProps) {
  const { name, namespace, change, objects, error } = application;
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const bodyId = useId();
  return (
    <li className="min-w-0 rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <h2 className="min-w-0 text-base">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={bodyId}
            onClick={() => setOpen(!isOpen)}
            className="flex w-full min-w-0 items-center gap-2 text-left hover:text-accent"
          >
            <ChevronRight size={14} aria-hidden className={classNames('shrink-0', isOpen && 'rotate-90')} />
            <ChangeMark change={change} />
            <span className="min-w-0 truncate font-semibold">{visibleText(name)}</span>
          </button>
        </h2>
        <span className="text-sm text-muted">
          {change === 'failed' ? 'could not be rendered' : objectsWords(objects)}
        </span>
        {change === 'added' ? null : (
          <Link
            to="/applications/$runtime/$namespace/$name"
            params={{ runtime, namespace, name }}
            className="ml-auto text-sm text-accent hover:underline"
          >
            Open<span className="sr-only"> {visibleText(name)}</span>
          </Link>
        )}
      </div>
      <div id={bodyId} hidden={!isOpen} className="border-t border-line px-3 py-1">
        {isOpen && error ? (
          <div className="py-2">
            <Notice kind="warning" title="The runtime cannot say what it would become.">
              {visibleText(error)}
            </Notice>
          </div>
        ) : null}
        {isOpen && objects.length > 0 ? (
          <ul aria-label={`Objects of ${name} that would change`}>
            {objects.map((object) => (
              <PlannedObjectLine
                key={[object.group, object.kind, object.namespace, object.name].join('/')}
                object={object}
              />
            ))}
          </ul>
        ) : null}
      </div>
    </li>
  );
}

function PlannedObjectLine({ object }: { readonly object: PlannedObject }) {
  const [isOpen, setOpen] = useState(false);
  const { kind, namespace, name, change, before, after } = object;
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5 text-left text-sm hover:text-accent"
      >
        <ChangeMark change={change} />
        <span className="min-w-0 truncate">
          {kind} <b className="font-semibold">{visibleText(name)}</b>
          {namespace ? <span className="text-muted"> in {namespace}</span> : null}
        </span>
        {restartsPods(object) ? <span className="text-xs text-missing">restarts its pods</span> : null}
        {change === 'removed' ? (
          <span className="text-xs text-degraded">deleted from the cluster where pruning is on</span>
        ) : null}
      </button>
      {isOpen ? (
        before === undefined && after === undefined ? (
          <p className="pb-2 text-sm text-muted">The manifests were left out of this answer; it was too large.</p>
        ) : (
          <div className="mb-2 h-96 max-h-[70vh] overflow-hidden rounded-md border border-line">
            <Suspense fallback={<Skeleton className="m-4 h-24" />}>
              <DiffView {...{ before, after, label: `${kind} ${name}`, sides: ['now in Git', 'with the change'] }} />
            </Suspense>
          </div>
        )
      ) : null}
    </li>
  );
}
