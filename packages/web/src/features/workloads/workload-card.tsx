import type { ApplicationId } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { manifestsQuery, type ResourceRef } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { classNames, healthColor, Skeleton, StatusGlyph } from '../../ui/index.ts';
import { counted, healthWord, imageVersion, visibleText } from '../../words/index.ts';
import { endpointsOf, factsOf, type Workload, type WorkloadFacts } from './workload-model.ts';

interface WorkloadCardProps {
  readonly id: ApplicationId;
  readonly workload: Workload;
  readonly services: { readonly live: readonly unknown[]; readonly isPending: boolean };
  readonly onOpen: (resource: ResourceRef) => void;
}

const maxLabels = 8;

export function WorkloadCard({ id, workload, services, onOpen }: WorkloadCardProps) {
  const { group, kind, namespace, name, health, sync, healthMessage } = workload.node;
  const ref = { group, kind, namespace, name };
  const { data, error } = useQuery(manifestsQuery(useApi(), id, ref));
  const facts = data && factsOf(data.live ?? data.desired);
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <div className="flex min-w-0 items-center gap-2">
        <StatusGlyph health={health ?? 'Unknown'} {...(sync ? { sync } : {})} silent />
        <h2 className="min-w-0 flex-1 truncate text-base font-semibold">
          <button
            type="button"
            className="max-w-full truncate hover:text-accent hover:underline"
            onClick={() => onOpen(ref)}
          >
            {visibleText(name)}
          </button>
        </h2>
        <span className="shrink-0 text-xs text-muted">{kind}</span>
      </div>
      <p className="text-sm">
        <span className={classNames('font-semibold', healthColor[health ?? 'Unknown'])}>
          {healthWord(health ?? 'Unknown')}
        </span>
        {healthMessage ? <span className="break-words text-muted"> {visibleText(healthMessage)}</span> : null}
      </p>
      {facts ? (
        <Facts {...{ workload, facts, services }} />
      ) : error ? (
        <p className="text-sm text-muted">Its manifest could not be loaded: {error.message}</p>
      ) : (
        <>
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </>
      )}
    </li>
  );
}

interface FactsProps {
  readonly workload: Workload;
  readonly facts: WorkloadFacts;
  readonly services: WorkloadCardProps['services'];
}

function Facts({ workload: { pods }, facts, services }: FactsProps) {
  const { replicas, images, labels, podLabels } = facts;
  const endpoints = endpointsOf(services.live, podLabels);
  const healthy = pods.filter((health) => health === 'Healthy').length;
  const own = Object.entries(labels);
  const shownLabels = own.length > 0 ? own : Object.entries(podLabels);
  return (
    <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-sm">
      <Fact title="Replicas">
        {replicas ? `${replicas.ready} of ${replicas.wanted} ready` : 'not counted'}
        {pods.length > 0 ? (
          <span className="text-muted">
            {' '}
            ({counted(pods.length, 'pod')}
            {healthy < pods.length ? `, ${pods.length - healthy} not healthy` : ''})
          </span>
        ) : null}
      </Fact>
      <Fact title={images.length === 1 ? 'Image' : 'Images'}>
        {images.length === 0 ? <span className="text-muted">none</span> : null}
        {images.map((image) => (
          <span key={image} title={image} className="block truncate font-mono text-xs leading-5">
            {visibleText(imageVersion(image).name)}:
            <b className="font-semibold">{visibleText(imageVersion(image).version)}</b>
          </span>
        ))}
      </Fact>
      <Fact title="Reached at">
        {endpoints.map(({ service, addresses }) => (
          <span key={service} className="block break-words">
            {visibleText(service)}{' '}
            <span className="font-mono text-xs text-muted">{addresses.map(visibleText).join(', ')}</span>
          </span>
        ))}
        {endpoints.length > 0 ? null : services.isPending ? (
          <Skeleton className="mt-1 w-1/2" />
        ) : (
          <span className="text-muted">no Service leads to it</span>
        )}
      </Fact>
      <Fact title="Labels">
        {shownLabels.length === 0 ? <span className="text-muted">none</span> : null}
        <span className="flex flex-wrap gap-1">
          {shownLabels.slice(0, maxLabels).map(([key, value]) => (
            <span
              key={key}
              title={`${key}=${value}`}
              className="max-w-full truncate rounded bg-surface-2 px-1.5 font-mono text-xs text-muted"
            >
              {visibleText(`${key}=${value}`)}
            </span>
          ))}
          {shownLabels.length > maxLabels ? (
            <span className="text-xs text-muted">and {shownLabels.length - maxLabels} more</span>
          ) : null}
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{title}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
