// A Git Source is a commit in the Shared Configuration Repository: made, changed and looked at before it is saved.
import type { GitSourceRow, GitSourceSettings } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { ModalDialog, Skeleton } from '../../ui/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { GitSourceForm } from './git-source-form.tsx';

interface GitSourceDialogProps {
  /** The one that is changed; absent for a new one. */
  readonly row?: GitSourceRow;
  readonly onClose: () => void;
}

/** As its file has it, with the commit that the change is made against. */
export interface KnownSource {
  readonly runtime: string;
  readonly settings: GitSourceSettings;
  readonly baseSha: string;
}

export function GitSourceDialog({ row, onClose }: GitSourceDialogProps) {
  return (
    <ModalDialog
      title={row ? `Git Source ${row.name}` : 'New Git Source'}
      isOpen
      onClose={onClose}
      width="max-w-[680px]"
    >
      {row ? <KnownForm row={row} onClose={onClose} /> : <GitSourceForm onClose={onClose} />}
    </ModalDialog>
  );
}

function KnownForm({ row: { runtime, name }, onClose }: { readonly row: GitSourceRow; readonly onClose: () => void }) {
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [...keys.gitSources, runtime, name, 'file'],
    queryFn: ({ signal }) => api.call('getGitSource', { params: { runtime, gitSource: name } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY, // what is typed is based on it
    gcTime: 0,
  });
  if (error) return <GitFailure what="the Git Source" error={error} />;
  if (!data) return <Skeleton className="h-64" />;
  return <GitSourceForm known={{ runtime, settings: data.gitSource, baseSha: data.baseSha }} onClose={onClose} />;
}
