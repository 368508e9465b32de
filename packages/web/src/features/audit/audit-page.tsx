import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type AuditFilter, auditQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Empty, Failure, PageHead, Skeleton, Table } from '../../ui/index.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLine } from './audit-line.tsx';
import { exportUrl } from './export-url.ts';

const columns = ['When', 'Who', 'Action', 'On', 'Outcome', '(Details)'];

export function AuditPage() {
  const filter = useSearch({ from: '/frame/audit' });
  const navigate = useNavigate();
  const setFilter = (search: AuditFilter) => void navigate({ to: '/audit', search, replace: true });
  const list = useInfiniteQuery(auditQuery(useApi(), filter));
  const entries = list.data?.pages.flatMap(({ items }) => items);
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Audit · Fairlead</title>
      <PageHead
        title="Audit"
        answer="Every change and every denied attempt, each chained to the one before by its hash."
        actions={<Exports filter={filter} />}
      />
      <AuditFilters filter={filter} onChange={setFilter} />
      {list.error ? <Failure what="the audit log" error={list.error} onRetry={() => void list.refetch()} /> : null}
      {entries ? (
        entries.length === 0 ? (
          <div className="rounded-lg border border-line bg-surface">
            <Empty title="No entry matches">
              <p>Nothing was recorded that fits all of these filters.</p>
              <Button onPress={() => setFilter({})}>Clear the filters</Button>
            </Empty>
          </div>
        ) : (
          <Table label="Audit log, the newest first" columns={columns}>
            {entries.map((entry) => (
              <AuditLine key={entry.number} entry={entry} />
            ))}
          </Table>
        )
      ) : list.error ? null : (
        <Skeleton className="h-96 rounded-lg" />
      )}
      {list.hasNextPage ? (
        <Button className="self-center" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          Older entries
        </Button>
      ) : null}
      <p className="text-sm text-muted">
        To prove that nothing was changed, export as JSON and run{' '}
        <code className="rounded bg-surface-2 px-1.5 py-0.5 font-mono text-xs">
          fairlead audit verify --file audit.jsonl
        </code>
        ; it needs no server.
      </p>
    </div>
  );
}

const exportClass =
  'inline-flex h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-sm hover:bg-surface-2';

function Exports({ filter }: { readonly filter: AuditFilter }) {
  return (
    <>
      <a className={exportClass} href={exportUrl(filter, 'csv')} download="audit.csv">
        <Download size={14} aria-hidden /> CSV
      </a>
      <a
        className={exportClass}
        href={exportUrl({}, 'json')}
        download="audit.jsonl"
        title="Without filters: a chain has no gaps"
      >
        <Download size={14} aria-hidden /> JSON, to verify
      </a>
    </>
  );
}
