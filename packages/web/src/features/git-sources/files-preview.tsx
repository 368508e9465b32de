import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../services/index.ts';
import { Button, classNames } from '../../ui/index.ts';
import { counted, visibleText } from '../../words/index.ts';
import { GitFailure } from '../git-failure/index.ts';

interface FilesPreviewProps {
  readonly runtime: string;
  readonly folder: {
    readonly repoURL: string;
    readonly branch: string;
    readonly path: string;
    readonly include: string;
    readonly exclude: string;
  };
}

/** Which files the settings would take, and what is in them; asked for, since it reads the repository. */
export function FilesPreview({ runtime, folder }: FilesPreviewProps) {
  const api = useApi();
  const look = useMutation({
    mutationFn: () => {
      const given = Object.fromEntries(Object.entries(folder).filter(([, value]) => value !== ''));
      return api.call('previewGitSource', { params: { runtime }, query: { ...given, repoURL: folder.repoURL } });
    },
  });
  const taken = look.data?.files.filter(({ included }) => included) ?? [];
  return (
    <div className="flex flex-col gap-2 text-sm">
      <div className="flex items-center gap-3">
        <Button
          isPending={look.isPending}
          isDisabled={runtime === '' || folder.repoURL === ''}
          onPress={() => look.mutate()}
        >
          Look at the files
        </Button>
        <span aria-live="polite" className="text-muted">
          {look.data ? `${taken.length} of ${counted(look.data.files.length, 'file')} taken` : ''}
        </span>
      </div>
      {look.error ? <GitFailure what="the repository" error={look.error} /> : null}
      {look.data ? (
        <ul
          aria-label="Files"
          className="max-h-48 overflow-y-auto rounded-md border border-line bg-bg px-3 py-2 text-xs"
        >
          {look.data.files.map(({ path, included, holds = [], problem }) => (
            <li key={path} className={classNames('font-mono', !included && 'text-faint line-through')}>
              {visibleText(path)}
              {holds.length > 0 ? <span className="ml-2 font-sans text-muted">{holds.join(', ')}</span> : null}
              {problem ? <span className="ml-2 font-sans text-degraded">{problem}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
