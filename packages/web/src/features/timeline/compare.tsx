import type { ApplicationDiff, ApplicationId, ApplicationTimeline, DeploymentRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { comparedQuery, formatResourceRef } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, ChangeMark, Choice, Failure, Panel, Skeleton, ToArrow } from '../../ui/index.ts';
import { counted, firstLine, momentWords, shortRevision } from '../../words/index.ts';
import { ImageChanges } from './image-changes.tsx';
import { ManifestsBetween } from './manifests-between.tsx';
import { momentOf } from './moments.ts';

interface CompareProps {
  readonly id: ApplicationId;
  readonly from: string;
  readonly to: string | undefined;
  readonly deployments: readonly DeploymentRow[];
  readonly moments: ApplicationTimeline['items'];
  readonly onCompare: (from: string | undefined, to?: string) => void;
}

/** What is different between two moments. */
export function Compare({ id, from, to, deployments, moments, onCompare }: CompareProps) {
  const { data, error, refetch } = useQuery(comparedQuery(useApi(), id, from, to));
  const known = deployments.map((deployment) => ({
    value: momentOf(deployment, moments),
    label: deploymentWords(deployment),
  }));
  const optionsWith = (chosen: string) =>
    known.some(({ value }) => value === chosen) ? known : [{ value: chosen, label: momentWords(chosen) }, ...known];
  return (
    <Panel
      title="Compare two moments"
      hint={data ? diffWords(data) : 'Looking…'}
      actions={
        <Button kind="quiet" square aria-label="Close the comparison" onPress={() => onCompare(undefined)}>
          <X size={16} aria-hidden />
        </Button>
      }
    >
      <div className="mb-3 grid gap-3 sm:grid-cols-2">
        <Choice label="From" value={from} options={optionsWith(from)} onChange={(chosen) => onCompare(chosen, to)} />
        <Choice
          label="To"
          value={to ?? 'now'}
          options={[{ value: 'now', label: 'Now' }, ...optionsWith(to ?? from)]}
          onChange={(chosen) => onCompare(from, chosen === 'now' ? undefined : chosen)}
        />
      </div>
      {error ? <Failure what="the comparison" error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Differences {...{ id, data, to }} /> : error ? null : <Skeleton className="h-24" />}
    </Panel>
  );
}

function deploymentWords({ startedAt, commit, revision }: DeploymentRow): string {
  const title = commit?.message ? firstLine(commit.message).slice(0, 60) : '';
  return `${momentWords(startedAt)} · ${shortRevision(revision)} ${title}`;
}

function diffWords({ resources, unchanged }: ApplicationDiff): string {
  const count = (change: string) => resources.filter((resource) => resource.change === change).length;
  const said = [
    count('added') > 0 && `${count('added')} added`,
    count('changed') > 0 && `${count('changed')} changed`,
    count('removed') > 0 && `${count('removed')} removed`,
  ].filter(Boolean);
  const same = `${counted(unchanged, 'resource')} the same`;
  return said.length === 0 ? `Nothing differs; ${same}.` : `${said.join(', ')}; ${same}.`;
}

interface DifferencesProps {
  readonly id: ApplicationId;
  readonly data: ApplicationDiff;
  readonly to: string | undefined;
}

function Differences({ id, data, to }: DifferencesProps) {
  const [open, setOpen] = useState<string>();
  const { from, to: later, resources } = data;
  return (
    <div className="flex flex-col gap-2 text-sm">
      {from.revision && later.revision && from.revision !== later.revision ? (
        <p className="font-mono text-xs text-muted">
          revision {shortRevision(from.revision)} <ToArrow />{' '}
          <b className="text-text">{shortRevision(later.revision)}</b>
        </p>
      ) : null}
      <ImageChanges images={{ from: from.images, to: later.images }} />
      <ul aria-label="Differences" className="flex flex-col">
        {resources.map((resource) => {
          const key = formatResourceRef(resource);
          return (
            <li key={key} className="border-t border-line first:border-t-0">
              <button
                type="button"
                aria-expanded={open === key}
                onClick={() => setOpen(open === key ? undefined : key)}
                className="flex w-full items-center gap-2 py-1.5 text-left hover:text-accent"
              >
                <ChangeMark change={resource.change} />
                <span className="min-w-0 truncate">
                  {resource.kind} <b className="font-semibold">{resource.name}</b>
                </span>
              </button>
              {open === key ? (
                <ManifestsBetween id={id} resource={resource} from={from.at} to={to ? later.at : undefined} />
              ) : null}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
