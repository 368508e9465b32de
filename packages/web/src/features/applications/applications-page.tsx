import { ApiError, type ApplicationId } from '@fairlead/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type ApplicationFilters, facetValues, isFiltered, withFacet } from '../../api/index.ts';
import { useFeedState } from '../../services/index.ts';
import { Button, Empty, Notice, PageHead } from '../../ui/index.ts';
import { AnswerLine } from './answer-line.tsx';
import { ApplicationsTable, SkeletonTable } from './applications-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { HealthStrip } from './health-strip.tsx';
import { useApplications } from './use-applications.ts';

export function ApplicationsPage() {
  const filters = useSearch({ from: '/frame/applications' });
  const navigate = useNavigate();
  const setFilters = useCallback(
    (search: ApplicationFilters) => void navigate({ to: '/applications', search, replace: true }),
    [navigate],
  );
  const open = useCallback(
    (params: ApplicationId) => void navigate({ to: '/applications/$runtime/$namespace/$name', params }),
    [navigate],
  );
  const { list, rows, summary, runtimes, matched } = useApplications(filters);
  const { fetchNextPage, isFetching } = list;
  // The banner of the frame says it already.
  const isOffline = useFeedState().phase === 'lost';
  const more = useCallback(() => {
    if (!isFetching) void fetchNextPage();
  }, [fetchNextPage, isFetching]);
  return (
    <div className="flex flex-col gap-3 p-4 md:px-6 md:py-5">
      <title>Applications · Fairlead</title>
      <PageHead title="Applications" answer={<AnswerLine summary={summary} />} />
      <HealthStrip
        summary={summary}
        chosen={facetValues(filters, 'health')}
        onChoose={(values) => setFilters(withFacet(filters, 'health', values))}
      />
      <FilterBar {...{ filters, runtimes, rows, matched }} onChange={setFilters} />
      {list.error && !(isOffline && rows.length > 0) ? (
        <LoadError error={list.error} hasRows={rows.length > 0} onRetry={() => void list.refetch()} />
      ) : null}
      {rows.length > 0 ? (
        <ApplicationsTable
          {...{ rows, runtimes }}
          matched={matched ?? rows.length}
          hasMore={list.hasNextPage}
          onMore={more}
          onOpen={open}
          isOutdated={list.isPlaceholderData}
        />
      ) : list.isPending ? (
        <SkeletonTable />
      ) : list.error ? null : (
        <NoRows isFiltered={isFiltered(filters)} onClear={() => setFilters({})} />
      )}
    </div>
  );
}

interface LoadErrorProps {
  readonly error: Error;
  readonly hasRows: boolean;
  readonly onRetry: () => void;
}

function LoadError({ error, hasRows, onRetry }: LoadErrorProps) {
  return (
    <Notice
      kind="error"
      title={hasRows ? 'The list could not be brought up to date.' : 'The applications could not be loaded.'}
      actions={<Button onPress={onRetry}>Try again</Button>}
    >
      {error.message}
      {error instanceof ApiError && error.body.requestId ? ` (request ${error.body.requestId})` : ''}
    </Notice>
  );
}

function NoRows({ isFiltered: narrowed, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      {narrowed ? (
        <Empty title="No application matches">
          <p>Nothing fits all of these filters at once.</p>
          <Button onPress={onClear}>Clear the filters</Button>
        </Empty>
      ) : (
        <Empty title="No applications yet">
          <p>
            They appear here by themselves as soon as a runtime reports them. Commit an Argo CD Application to a Git
            source of a runtime, or apply one to its cluster.
          </p>
        </Empty>
      )}
    </div>
  );
}
