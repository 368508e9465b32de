import type { ApplicationRow } from '@fairlead/contracts';
import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ApplicationFilters,
  applicationQuery,
  applicationsQuery,
  runtimesQuery,
  summaryQuery,
} from '../../api/index.ts';
import { idKey } from '../../live/index.ts';
import { useApi } from '../../services/index.ts';
import { useFavourites } from '../../storage/index.ts';

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
    runtimes: runtimes.data ?? none,
    matched: list.data?.pages.at(-1)?.matched,
  };
}

const none: readonly never[] = [];

/** The favourites one by one: they are few, and the server does not know them. Those that are gone are left out. */
export function useFavouriteRows(isOn: boolean): readonly ApplicationRow[] | undefined {
  const api = useApi();
  const { ids } = useFavourites();
  const queries = useQueries({ queries: isOn ? ids().map((id) => applicationQuery(api, id)) : [] });
  if (!isOn) return undefined;
  return queries.flatMap(({ data }) => (data ? [data.row] : [])).sort((a, b) => a.id.name.localeCompare(b.id.name));
}
