import type { ApplicationPage, ApplicationRow } from '@fairlead/contracts';
import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ApplicationFilters,
  applicationQuery,
  applicationsQuery,
  heldQuery,
  runtimesQuery,
  summaryQuery,
} from '../../api/index.ts';
import { idKey } from '../../live/index.ts';
import { useApi } from '../../services/index.ts';
import { useFavourites } from '../../storage/index.ts';

/** Everything the list page shows. Rows of two pages may overlap while the server's order moves; each is shown once. */
export function useApplications(filters: ApplicationFilters) {
  const api = useApi();
  const client = useQueryClient();
  const list = useInfiniteQuery(applicationsQuery(api, client, filters));
  const summary = useQuery(summaryQuery(api));
  const runtimes = useQuery(runtimesQuery(api));
  const rows = useMemo(() => rowsOf(list.data?.pages), [list.data]);
  const narrowed = useMemo(() => {
    if (!list.isPlaceholderData) return none;
    const held = client.getQueryData(heldQuery(api, filters).queryKey);
    return rowsAtOnce([rows, held?.pages.flatMap(({ items }) => items) ?? none], filters.search ?? '');
  }, [list.isPlaceholderData, rows, api, client, filters]);
  return {
    list,
    rows: narrowed.length > 0 ? narrowed : rows,
    /** The rows are of the filters before, and none of them is known to fit the new ones. */
    isOutdated: list.isPlaceholderData && narrowed.length === 0,
    summary: summary.data,
    runtimes: runtimes.data ?? none,
    matched: list.data?.pages.at(-1)?.matched,
    /** Present where what is seen follows the Git rights of who looks. */
    gitRights: list.data?.pages.at(-1)?.gitRights,
  };
}

const none: readonly never[] = [];

function rowsOf(pages: readonly ApplicationPage[] = none): readonly ApplicationRow[] {
  const byId = new Map<string, ApplicationRow>();
  for (const row of pages.flatMap(({ items }) => items)) {
    if (!byId.has(idKey(row.id))) byId.set(idKey(row.id), row);
  }
  return [...byId.values()];
}

/** Asks for a list at the very key, before anything is drawn for it. */
export function useAsk(): (filters: ApplicationFilters) => void {
  const api = useApi();
  const client = useQueryClient();
  return (filters) => void client.prefetchInfiniteQuery(applicationsQuery(api, client, filters));
}

/** Loads rows to answer the first keys from, when somebody is about to type. */
export function useHold(filters: ApplicationFilters): () => void {
  const api = useApi();
  const client = useQueryClient();
  return () => void client.prefetchInfiniteQuery(heldQuery(api, filters));
}

/** The favourites one by one: they are few, and the server does not know them. Those that are gone are left out. */
export function useFavouriteRows(isOn: boolean): readonly ApplicationRow[] | undefined {
  const api = useApi();
  const { ids } = useFavourites();
  const queries = useQueries({ queries: isOn ? ids().map((id) => applicationQuery(api, id)) : [] });
  if (!isOn) return undefined;
  return queries.flatMap(({ data }) => (data ? [data.row] : [])).sort((a, b) => a.id.name.localeCompare(b.id.name));
}

/**
 * What is surely right at the very key: the first of the sets in which a name has every word. The server looks into more
 * than names, and adds the rest.
 */
export function rowsAtOnce(sets: readonly (readonly ApplicationRow[])[], search: string): readonly ApplicationRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return none;
  for (const rows of sets) {
    const fitting = rows.filter(({ id }) => words.every((word) => id.name.toLowerCase().includes(word)));
    if (fitting.length > 0) return fitting;
  }
  return none;
}
