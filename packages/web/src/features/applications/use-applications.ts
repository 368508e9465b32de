import type { ApplicationRow } from '@fairlead/contracts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type ApplicationFilters, applicationsQuery, runtimesQuery, summaryQuery } from '../../api/index.ts';
import { idKey } from '../../live/index.ts';
import { useApi } from '../../services/index.ts';

/** Everything the list page shows. Rows of two pages may overlap while the server's order moves; each is shown once. */
export function useApplications(filters: ApplicationFilters) {
  const api = useApi();
  const list = useInfiniteQuery(applicationsQuery(api, useQueryClient(), filters));
  const summary = useQuery(summaryQuery(api));
  const runtimes = useQuery(runtimesQuery(api));
  const rows = useMemo(() => {
    const byId = new Map<string, ApplicationRow>();
    for (const row of list.data?.pages.flatMap(({ items }) => items) ?? []) {
      if (!byId.has(idKey(row.id))) byId.set(idKey(row.id), row);
    }
    return [...byId.values()];
  }, [list.data]);
  return {
    list,
    rows,
    summary: summary.data,
    runtimes: runtimes.data ?? [],
    matched: list.data?.pages.at(-1)?.matched,
  };
}
