import type { ApplicationId } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { manifestsQuery, type ResourceRef } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Empty, Failure, Skeleton } from '../../ui/index.ts';

const DiffView = lazy(async () => ({ default: (await import('../../editor/index.ts')).DiffView }));

interface ManifestsBetweenProps {
  readonly id: ApplicationId;
  readonly resource: ResourceRef;
  readonly from: string;
  /** Undefined is now. */
  readonly to: string | undefined;
}

/** One resource at two moments: what Git wanted where Git manages it, else what was in the cluster. */
export function ManifestsBetween({ id, resource, from, to }: ManifestsBetweenProps) {
  const api = useApi();
  const ref = { group: resource.group, kind: resource.kind, namespace: resource.namespace, name: resource.name };
  const before = useQuery(manifestsQuery(api, id, ref, from));
  const after = useQuery(manifestsQuery(api, id, ref, to));
  const error = before.error ?? after.error;
  if (error) return <Failure what="the manifests" error={error} />;
  if (!before.data || !after.data) return <Skeleton className="my-2 h-24" />;
  const side = before.data.desired || after.data.desired ? 'desired' : 'live';
  if (!before.data[side] && !after.data[side]) {
    return (
      <Empty title="No manifest was reported">
        <p>Only the status of this resource changed; its manifest is not kept.</p>
      </Empty>
    );
  }
  return (
    <div className="mb-2 h-96 overflow-hidden rounded-md border border-line">
      <Suspense fallback={<Skeleton className="m-4 h-24" />}>
        <DiffView
          before={before.data[side]}
          after={after.data[side]}
          label={`${resource.kind} ${resource.name} between two moments`}
          sides={['before', 'after']}
        />
      </Suspense>
    </div>
  );
}
