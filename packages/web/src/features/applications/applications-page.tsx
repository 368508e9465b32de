import type { ApplicationId, ApplicationSummary } from '@fairlead/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useCallback } from 'react';
import {
  type ApplicationsSearch,
  facetValues,
  filtersOf,
  isFiltered,
  readApplicationsSearch,
  withFacet,
  withSearch,
} from '../../api/index.ts';
import { useFeedState } from '../../services/index.ts';
import { Button, Empty, Failure, PageHead } from '../../ui/index.ts';
import { Unseen } from '../unseen/index.ts';
import { checkingWords } from './answer.ts';
import { AnswerLine } from './answer-line.tsx';
import { ApplicationCards } from './application-cards.tsx';
import { ApplicationsTable, SkeletonTable } from './applications-table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar, ListOrder } from './filter-bar.tsx';
import { HealthStrip } from './health-strip.tsx';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import { useApplications, useAsk, useFavouriteRows, useHold } from './use-applications.ts';
import { useChosen } from './use-chosen.ts';
import { useTypedSearch } from './use-typed-search.ts';

export function ApplicationsPage() {
  const search = useSearch({ from: '/frame/applications' });
  const navigate = useNavigate();
  const setSearch = useCallback(
    (next: ApplicationsSearch) => void navigate({ to: '/applications', search: next, replace: true }),
    [navigate],
  );
  const open = useCallback(
    (params: ApplicationId) => void navigate({ to: '/applications/$runtime/$namespace/$name', params }),
    [navigate],
  );
  const [text, setText] = useTypedSearch(search, setSearch);
  const ask = useAsk();
  const hold = useHold(filtersOf(search));
  const onText = (next: string) => {
    ask(withSearch(filtersOf(search), next));
    setText(next);
  };
  const filters = withSearch(filtersOf(search), text);
  const { list, rows: listed, isOutdated, summary, runtimes, matched, gitRights } = useApplications(filters);
  const favourites = useFavouriteRows(search.only === 'favourites');
  const rows = favourites ?? listed;
  const unseen = summary?.total === 0 ? summary.unseen : undefined;
  const { chosen, ids, choose, clear } = useChosen();
  const { fetchNextPage, isFetching } = list;
  // The banner of the frame says it already.
  const isOffline = useFeedState().phase === 'lost';
  const more = useCallback(() => {
    if (!isFetching) void fetchNextPage();
  }, [fetchNextPage, isFetching]);
  const hasMore = list.hasNextPage && !favourites;
  return (
    <div className="flex flex-col gap-3 p-4 md:px-6 md:py-5">
      <title>Applications · Fairlead</title>
      <Overview {...{ search, summary }} matched={favourites ? favourites.length : matched} onChange={setSearch} />
      <FilterBar {...{ search, text, onText }} onFocus={hold} onChange={setSearch} />
      {gitRights && gitRights.checking > 0 && !unseen ? (
        <p role="status" className="text-xs text-muted">
          {checkingWords(gitRights.checking)}
        </p>
      ) : null}
      {ids.length > 0 ? <BulkBar chosen={ids} onClear={clear} /> : null}
      {list.error && !(isOffline && rows.length > 0) ? (
        <Failure what="the applications" error={list.error} onRetry={() => void list.refetch()} />
      ) : null}
      {rows.length > 0 ? (
        search.view === 'cards' ? (
          <ApplicationCards
            {...{ rows, hasMore }}
            isLoadingMore={list.isFetchingNextPage}
            onMore={more}
            onOpen={open}
          />
        ) : (
          <ApplicationsTable
            {...{ rows, runtimes, hasMore, chosen }}
            matched={favourites?.length ?? matched ?? rows.length}
            onMore={more}
            onOpen={open}
            onChoose={choose}
            isOutdated={isOutdated}
          />
        )
      ) : list.isPending ? (
        <SkeletonTable />
      ) : list.error ? null : (
        <NoRows
          reason={favourites ? 'favourites' : (unseen ?? (isFiltered(filters) ? 'filters' : 'none'))}
          onClear={() => setSearch({})}
        />
      )}
    </div>
  );
}

interface OverviewProps {
  readonly search: ApplicationsSearch;
  readonly summary: ApplicationSummary | undefined;
  readonly matched: number | undefined;
  readonly onChange: (search: ApplicationsSearch) => void;
}

/** All above the filters. It does not depend on what is being typed, so it is not drawn again at each key. */
const Overview = memo(function Overview({ search, summary, matched, onChange }: OverviewProps) {
  const navigate = useNavigate();
  const filters = filtersOf(search);
  return (
    <>
      <PageHead
        title="Applications"
        answer={<AnswerLine summary={summary} />}
        actions={
          <>
            <SavedViewsMenu search={{ ...search }} onOpen={(saved) => onChange(readApplicationsSearch(saved))} />
            <Button kind="primary" onPress={() => void navigate({ to: '/applications/new' })}>
              New application
            </Button>
          </>
        }
      />
      <HealthStrip
        summary={summary}
        chosen={facetValues(filters, 'health')}
        onChoose={(values) => {
          const { health: _, ...others } = search;
          onChange({ ...others, ...withFacet(filters, 'health', values) });
        }}
      >
        <ListOrder search={search} onChange={onChange} matched={matched} />
      </HealthStrip>
    </>
  );
});

interface NoRowsProps {
  readonly reason: 'favourites' | 'filters' | 'none' | NonNullable<ApplicationSummary['unseen']>;
  readonly onClear: () => void;
}

function NoRows({ reason, onClear }: NoRowsProps) {
  if (reason === 'rules' || reason === 'git') return <Unseen by={reason} />;
  return (
    <div className="rounded-lg border border-line bg-surface">
      {reason === 'none' ? (
        <Empty title="No applications yet">
          <p>
            They appear here by themselves as soon as a runtime reports them. Commit an Argo CD Application to a Git
            source of a runtime, or apply one to its cluster.
          </p>
        </Empty>
      ) : (
        <Empty title={reason === 'favourites' ? 'No favourites yet' : 'No application matches'}>
          <p>
            {reason === 'favourites'
              ? 'The star at the end of a name makes one.'
              : 'Nothing fits all of these filters at once.'}
          </p>
          <Button onPress={onClear}>Show all applications</Button>
        </Empty>
      )}
    </div>
  );
}
