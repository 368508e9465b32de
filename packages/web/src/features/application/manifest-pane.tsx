import type { ApplicationId, ResourceManifests } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { liveResourceQuery, manifestsQuery, type ResourceRef } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Empty, Failure, Skeleton } from '../../ui/index.ts';

const YamlView = lazy(async () => ({ default: (await import('../../editor/index.ts')).YamlView }));
const DiffView = lazy(async () => ({ default: (await import('../../editor/index.ts')).DiffView }));

interface ManifestPaneProps {
  readonly id: ApplicationId;
  readonly resource: ResourceRef;
  readonly pane: 'desired' | 'live' | 'diff';
  /** False for what a controller made in the cluster, of which only the status is reported. */
  readonly isManaged: boolean;
  /** A past moment. */
  readonly at: string | undefined;
}

/** What Git does not manage is not reported with its manifest: it is asked for when somebody looks. */
export function ManifestPane(props: ManifestPaneProps) {
  return !props.isManaged && props.at === undefined ? <LiveManifest {...props} /> : <ReportedManifest {...props} />;
}

function LiveManifest({ id, resource }: ManifestPaneProps) {
  const { data, error, refetch } = useQuery(liveResourceQuery(useApi(), id, resource));
  if (error && !data) {
    return (
      <div className="p-4">
        <Failure what="the live manifest" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <Lines />;
  return (
    <Suspense fallback={<Lines />}>
      <YamlView value={data} label={`Live manifest of ${resource.kind} ${resource.name}`} />
    </Suspense>
  );
}

function ReportedManifest({ id, resource, pane, isManaged, at }: ManifestPaneProps) {
  const { data, error, refetch } = useQuery(manifestsQuery(useApi(), id, resource, at));
  if (error && !data) {
    return (
      <div className="p-4">
        <Failure what="the manifests" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <Lines />;
  return (
    <Suspense fallback={<Lines />}>
      <Manifest manifests={data} pane={pane} isManaged={isManaged} name={`${resource.kind} ${resource.name}`} />
    </Suspense>
  );
}

interface ManifestProps {
  readonly manifests: ResourceManifests;
  readonly pane: ManifestPaneProps['pane'];
  readonly isManaged: boolean;
  readonly name: string;
}

function Manifest({ manifests: { desired, live, diff }, pane, isManaged, name }: ManifestProps) {
  if (pane === 'diff') {
    if (diff) return <DiffView before={diff.normalized} after={diff.predicted} label={`Diff of ${name}`} />;
    if (desired === undefined && live === undefined) return <Empty title="Nothing to compare" />;
    if (live === undefined) return <DiffView before={undefined} after={desired} label={`Diff of ${name}`} />;
    if (desired === undefined) return <DiffView before={live} after={undefined} label={`Diff of ${name}`} />;
    return (
      <Empty title="No difference">
        <p>What runs in the cluster is what Git says. Fields that the cluster fills in by itself are not compared.</p>
      </Empty>
    );
  }
  const manifest = pane === 'desired' ? desired : live;
  if (manifest === undefined || manifest === null) {
    if (!isManaged) {
      return (
        <Empty title="No manifest was reported">
          <p>A controller in the cluster made this resource. The runtime reports manifests of what Git manages.</p>
        </Empty>
      );
    }
    return pane === 'desired' ? (
      <Empty title="Not in Git">
        <p>No manifest of this resource is in the source.</p>
      </Empty>
    ) : (
      <Empty title="Not in the cluster">
        <p>The resource does not exist there.</p>
      </Empty>
    );
  }
  return <YamlView value={manifest} label={`${pane === 'desired' ? 'Desired' : 'Live'} manifest of ${name}`} />;
}

function Lines() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <span role="status" className="sr-only">
        Loading the manifest
      </span>
      {['w-1/3', 'w-1/2', 'w-2/5', 'w-3/5', 'w-2/3'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
