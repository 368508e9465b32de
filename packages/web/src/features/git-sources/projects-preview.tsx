import type { GitSourceLimits } from '@fairlead/contracts';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useApi } from '../../services/index.ts';
import { Button, Skeleton } from '../../ui/index.ts';
import { GitFailure } from '../git-failure/index.ts';

const YamlText = lazy(async () => ({ default: (await import('../../editor/index.ts')).YamlText }));

interface ProjectsPreviewProps {
  readonly runtime: string;
  readonly name: string;
  readonly repoURL: string;
  /** Undefined while the form is not complete. */
  readonly limits: GitSourceLimits | undefined;
  /** By the field that the runtime refuses. */
  readonly onRefused: (error: Error) => void;
}

/** The AppProjects that the limits become, as they would be committed beside the Git Source. */
export function ProjectsPreview({ runtime, name, repoURL, limits, onRefused }: ProjectsPreviewProps) {
  const api = useApi();
  const look = useMutation({
    mutationFn: (restricted: GitSourceLimits) =>
      api.call('previewGitSourceLimits', { params: { runtime }, body: { name, repoURL, restricted } }),
    onError: onRefused,
  });
  return (
    <div className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          isPending={look.isPending}
          isDisabled={runtime === '' || name === '' || repoURL === '' || limits === undefined}
          onPress={() => limits && look.mutate(limits)}
        >
          Look at the projects
        </Button>
        <span className="min-w-0 [overflow-wrap:anywhere] text-muted">
          {look.data ? look.data.path : 'The AppProjects that keep these limits.'}
        </span>
      </div>
      {look.error ? <GitFailure what="the projects" undone="These limits cannot be kept." error={look.error} /> : null}
      {look.data ? (
        <div className="h-64 overflow-hidden rounded-md border border-line">
          <Suspense fallback={<Skeleton className="m-4 h-24" />}>
            <YamlText text={look.data.text} label="AppProjects" />
          </Suspense>
        </div>
      ) : null}
    </div>
  );
}
