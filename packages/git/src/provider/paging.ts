// How providers cut lists into pages. Only a number or a name is ever taken from a link: a token must not follow it to
// another host.
import type { ApiAnswer } from './api-client.ts';
import type { PageRequest } from './git-provider.ts';
import { type JsonRecord, recordOf, recordsOf } from './json-fields.ts';

export interface Paging {
  /** What is asked for a page. */
  readonly query: (page: PageRequest) => Readonly<Record<string, string | undefined>>;
  readonly read: (answer: ApiAnswer, page: PageRequest, what: string) => { records: JsonRecord[]; next?: string };
}

const sizeOf = ({ limit = 50 }: PageRequest): number => Math.min(100, Math.max(1, Math.trunc(limit)));

const withNext = (records: JsonRecord[], next: string | undefined) => ({ records, ...(next ? { next } : {}) });

/** GitHub, GitLab (`per_page`) and Gitea (`limit`): `page`, and a `Link` header that names the next one. */
export const linkPages = (sizeParameter: 'per_page' | 'limit'): Paging => ({
  query: (page) => ({ [sizeParameter]: String(sizeOf(page)), page: page.cursor }),
  read: ({ headers, body }, _page, what) => {
    const link = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
    return withNext(recordsOf(body, what), /[?&]page=(\d+)/.exec(link ?? '')?.[1]);
  },
});

/** Bitbucket: `values`, and `next` as an address whose `page` may be a number or a word. */
export const valuePages: Paging = {
  query: (page) => ({ pagelen: String(sizeOf(page)), page: page.cursor }),
  read: ({ body }, _page, what) => {
    const { values, next } = recordOf(body, what);
    const address = typeof next === 'string' && URL.canParse(next) ? new URL(next) : undefined;
    return withNext(recordsOf(values, what), address?.searchParams.get('page') ?? undefined);
  },
};

/** The built-in server: `items` and `nextCursor`. */
export const cursorPages: Paging = {
  query: (page) => ({ limit: String(sizeOf(page)), cursor: page.cursor }),
  read: ({ body }, _page, what) => {
    const { items, nextCursor } = recordOf(body, what);
    return withNext(recordsOf(items, what), typeof nextCursor === 'string' ? nextCursor : undefined);
  },
};

/**
 * Gerrit: how many to skip. Not every list says whether there is more, so one more than wanted is asked for. A list may
 * be an object by name; then the name is put into each record.
 */
export const skippedPages: Paging = {
  query: (page) => ({ n: String(sizeOf(page) + 1), S: page.cursor }),
  read: ({ body }, page, what) => {
    const records = Array.isArray(body) ? recordsOf(body, what) : namedRecords(body, what);
    const size = sizeOf(page);
    const next = records.length > size ? String(Number(page.cursor ?? 0) + size) : undefined;
    return withNext(records.slice(0, size), next);
  },
};

const namedRecords = (body: unknown, what: string): JsonRecord[] =>
  Object.entries(recordOf(body, what)).map(([name, value]) => ({ ...recordOf(value, what), name }));
