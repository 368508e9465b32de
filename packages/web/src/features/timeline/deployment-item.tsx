import type { DeploymentRow } from '@fairlead/contracts';
import { CircleCheck, CircleHelp, CircleX, Clock, GitCompare, History, Undo2 } from 'lucide-react';
import { Button, classNames, SafeLink } from '../../ui/index.ts';
import {
  ageOf,
  authorName,
  durationWords,
  firstLine,
  momentWords,
  shortAgo,
  shortRevision,
} from '../../words/index.ts';
import { ImageChanges } from './image-changes.tsx';

const phases = {
  Succeeded: { icon: CircleCheck, color: 'text-healthy', word: 'succeeded' },
  Failed: { icon: CircleX, color: 'text-degraded', word: 'failed' },
  Error: { icon: CircleX, color: 'text-degraded', word: 'failed' },
  Running: { icon: Clock, color: 'text-progressing', word: 'running' },
  Terminating: { icon: Clock, color: 'text-progressing', word: 'being stopped' },
  Unknown: { icon: CircleHelp, color: 'text-unknown', word: 'end not seen' },
} as const;

interface DeploymentItemProps {
  readonly deployment: DeploymentRow;
  readonly nowMs: number;
  readonly isCurrent: boolean;
  readonly onTravel: () => void;
  readonly onCompare: () => void;
  readonly onRollback?: ((deployment: DeploymentRow) => void) | undefined;
}

export function DeploymentItem(props: DeploymentItemProps) {
  const { deployment, nowMs, isCurrent, onTravel, onCompare, onRollback } = props;
  const { revision, commit, phase, message } = deployment;
  const { icon: Icon, color, word } = phases[phase];
  const isBad = phase === 'Failed' || phase === 'Error';
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-2 border-b border-line px-4 py-3 text-sm last:border-b-0">
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <Icon size={16} aria-hidden className={classNames('mt-0.5 shrink-0', color)} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 font-semibold break-words">
              {commit?.message ? firstLine(commit.message) : `Revision ${shortRevision(revision)}`}
            </span>
            {isCurrent ? <span className="rounded bg-accent-weak px-1.5 text-xs text-accent">current</span> : null}
          </p>
          <p className="mt-0.5 text-muted">
            <span className={classNames('font-medium', color)}>{word}</span> ·{' '}
            <SafeLink url={commit?.url}>
              <span className="font-mono text-xs">{shortRevision(commit?.revision ?? revision)}</span>
            </SafeLink>{' '}
            <Who deployment={deployment} /> · <When deployment={deployment} nowMs={nowMs} />
          </p>
          {isBad && message ? <p className="mt-1 font-mono text-xs break-words text-degraded">{message}</p> : null}
          <ImageChanges images={deployment.images} />
        </div>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <Button className="h-7!" onPress={onTravel}>
          <History size={14} aria-hidden /> State then
        </Button>
        <Button className="h-7!" onPress={onCompare}>
          <GitCompare size={14} aria-hidden /> {isCurrent ? 'Compare' : 'Compare with now'}
        </Button>
        {onRollback && !isCurrent && phase === 'Succeeded' && deployment.historyId !== undefined ? (
          <Button className="h-7!" onPress={() => onRollback(deployment)}>
            <Undo2 size={14} aria-hidden /> Roll back to this…
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function Who({ deployment: { commit, initiator, automated } }: { readonly deployment: DeploymentRow }) {
  const author = authorName(commit?.author);
  const starter = automated ? 'started by auto-sync' : initiator ? `started by ${initiator}` : '';
  return [author && `by ${author}`, starter].filter(Boolean).join(', ');
}

function When({ deployment, nowMs }: { readonly deployment: DeploymentRow; readonly nowMs: number }) {
  const { startedAt, finishedAt, durationMs } = deployment;
  const age = ageOf(finishedAt ?? startedAt, nowMs);
  return (
    <time dateTime={startedAt} title={momentWords(startedAt)}>
      {age === undefined ? startedAt : shortAgo(age)}
      {durationMs === undefined ? '' : `, took ${durationWords(durationMs)}`}
    </time>
  );
}
