// What a change in Git would do: what is asked stands in the URL, so that an answer can be shared.
import type { ApiClient, PlanRequest } from '@fairlead/contracts';
import { queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

export interface PlanSearch {
  readonly runtime?: string;
  readonly repo?: string;
  /** A branch, tag, commit or pull request, as somebody typed or pasted it. */
  readonly change?: string;
  /** The branch it would go into. */
  readonly onto?: string;
  readonly find?: string;
}

export function readPlanSearch(query: Readonly<Record<string, unknown>>): PlanSearch {
  const names = ['runtime', 'repo', 'change', 'onto', 'find'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = typeof query[name] === 'number' ? String(query[name]) : query[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
}

const pullRequest = /^[#!](\d{1,9})$/;
/** GitHub and Gitea, GitLab, Bitbucket. */
const pullRequestLink = /\/(?:pull|pulls|merge_requests|pull-requests)\/(\d{1,9})(?:[/?#]|$)/;
const commitLink = /\/commits?\/([0-9a-f]{7,64})(?:[/?#]|$)/;
const branchLink = /\/(?:tree|src\/branch)\/([^?#]+?)\/?(?:[?#]|$)/;

/** `#12`, a link to a pull request, commit or branch, or simply the name of a revision. */
export function readChange(text: string): Pick<PlanRequest, 'to' | 'pullRequest'> {
  const isLink = /^https?:\/\//i.test(text);
  const number = pullRequest.exec(text)?.[1] ?? (isLink ? pullRequestLink.exec(text)?.[1] : undefined);
  if (number && Number(number) > 0) return { pullRequest: Number(number) };
  if (!isLink) return { to: text };
  const found = commitLink.exec(text)?.[1] ?? branchLink.exec(text)?.[1];
  return { to: found ? decoded(found) : text };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray percent sign is part of the name
  }
}

/** Asked once for each question: rendering costs the runtime something, and commits do not change. */
export const planQuery = (api: ApiClient, { runtime = '', repo = '', change = '', onto }: PlanSearch) =>
  queryOptions({
    queryKey: keys.plan({ runtime, repo, change, ...(onto && { onto }) }),
    queryFn: ({ signal }) => {
      const body: PlanRequest = { repoURL: repo, ...readChange(change), ...(onto && { onto }) };
      return api.call('createPlan', { params: { runtime }, body }, { signal });
    },
    enabled: runtime !== '' && repo !== '' && change !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** For suggestions only: whoever has no token for the host types the name. */
export const branchesQuery = (api: ApiClient, runtime: string, repoURL: string) =>
  queryOptions({
    queryKey: keys.branches(runtime, repoURL),
    queryFn: ({ signal }) => api.call('listBranches', { params: { runtime }, query: { repoURL } }, { signal }),
    enabled: runtime !== '' && repoURL !== '',
    retry: false,
  });
