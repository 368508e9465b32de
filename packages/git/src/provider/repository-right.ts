// What a token may do with one repository, asked of the very server that a fetch or a push would speak to, by the first
// request of git's own protocol (gitprotocol-http): no provider's idea of roles stands between, and a token that may do less
// than its user is seen as what it is. Nothing is fetched and nothing is written.

import { ProviderRateLimitError, ProviderUnavailableError } from './errors.ts';
import { fetchTrusting, unreachable } from './fetch-trusting.ts';

export type RepositoryRight = 'none' | 'read' | 'write';

export interface RightQuestion {
  /** http(s). */
  readonly repoURL: string;
  readonly username: string;
  readonly token: string;
  /** PEM; absent: whom the machine believes. */
  readonly authority?: string | undefined;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

const maxRedirects = 3;
const defaultRetryMs = 60_000;

/** Throws `ProviderRateLimitError` or `ProviderUnavailableError` when the server gives no answer to that. */
export async function repositoryRight(question: RightQuestion, options: CallOptions): Promise<RepositoryRight> {
  // In this order: a server may make a repository for who begins to push to one that is not there.
  if (!(await mayBegin('git-upload-pack', question, options))) return 'none';
  return (await mayBegin('git-receive-pack', question, options)) ? 'write' : 'read';
}

async function mayBegin(service: string, question: RightQuestion, { signal }: CallOptions): Promise<boolean> {
  const { repoURL, username, token, authority } = question;
  const asked = new URL(repoURL);
  asked.username = '';
  asked.password = '';
  asked.pathname = `${asked.pathname.replace(/\/+$/, '')}/info/refs`;
  asked.search = `?service=${service}`;
  const authorization = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  const what = `${asked.host}: ${service} of ${asked.pathname.slice(1, -'/info/refs'.length)}`;
  let url = asked;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const answer = await fetchTrusting(authority, url, {
      headers: { authorization },
      redirect: 'manual',
      signal,
    }).catch((error: Error) => {
      signal.throwIfAborted();
      throw new ProviderUnavailableError(what, unreachable(asked, error), { cause: error });
    });
    await answer.body?.cancel();
    const next = redirected(answer, url);
    if (!next) return isYes(answer, { what, service });
    if (next.origin !== asked.origin) return false; // the token is for one place only
    url = next;
  }
  return false;
}

function redirected({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  return status >= 300 && status < 400 && location !== null ? new URL(location, from) : undefined;
}

/** A page for people (200, and no git) is a no: some servers send those who may not to a form. */
function isYes({ status, headers }: Response, { what, service }: { what: string; service: string }): boolean {
  const retryAfter = headers.get('retry-after');
  if (status === 429 || (status === 403 && retryAfter !== null)) {
    const seconds = Number(retryAfter);
    throw new ProviderRateLimitError(what, retryAfter !== null && seconds > 0 ? seconds * 1000 : defaultRetryMs);
  }
  if (status >= 500) throw new ProviderUnavailableError(what, `it answered ${status}`);
  return status === 200 && headers.get('content-type') === `application/x-${service}-advertisement`;
}
