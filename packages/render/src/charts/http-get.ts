// Bounded GET requests to chart repositories. Credentials and client certificates go to the origin they were given for
// and to no other, wherever a redirect leads; an https address never becomes http.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTls } from 'node:tls';
import { anySignal, readAll, TooLargeError } from '@fairlead/base';
import { redactUrl } from '@fairlead/git';
import type { ChartRepository } from './chart-source.ts';
import { ChartError, ChartRepositoryUnavailableError } from './errors.ts';
import { connectThrough, proxyAuthorization, proxyFor } from './proxy-socket.ts';

export interface GetRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` only. */
  readonly authorization?: string | undefined;
  /** TLS settings, for the origin of `url` only. */
  readonly repository?: ChartRepository | undefined;
  /** Authorities (PEM) that stand in place of the system's for a host. */
  readonly authoritiesFor?: ((hostname: string) => string | undefined) | undefined;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type Get = (request: GetRequest) => Promise<GetAnswer>;

export interface GetAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const maxRedirects = 5;
const deadlineMs = 60_000;

/** Any status is an answer; what is no answer, or too large a one, throws. */
export async function httpGet(request: GetRequest): Promise<GetAnswer> {
  const signals = [AbortSignal.timeout(deadlineMs), ...(request.signal ? [request.signal] : [])];
  const first = parseUrl(request.url);
  let at = first;
  for (let redirects = 0; ; redirects++) {
    const answer = await once(at, { ...request, signal: anySignal(signals) }, at.origin === first.origin);
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer;
    if (redirects >= maxRedirects)
      throw new ChartError('chart_refused', `${shown(first)}: more than ${maxRedirects} redirects`);
    const next = parseUrl(location, at);
    if (at.protocol === 'https:' && next.protocol === 'http:')
      throw new ChartError('chart_refused', `${shown(at)}: redirects from https to http, which is not followed`);
    at = next;
  }
}

export const shown = (url: URL | string): string => redactUrl(String(url)).replace(/\?.*$/s, '');

function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new ChartError('chart_refused', `${shown(text)}: is no http or https address`);
  return url;
}

async function once(url: URL, request: GetRequest, isOwn: boolean): Promise<GetAnswer> {
  const headers = {
    'user-agent': 'fairlead',
    ...request.headers,
    ...(isOwn && request.authorization !== undefined && { authorization: request.authorization }),
  };
  try {
    const response = await send(url, { ...request, headers }, tlsFor(url, request, isOwn));
    const body = await readAll(response, { maxBytes: request.maxBytes });
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  } catch (cause) {
    if (request.signal?.aborted && !isTimeout(request.signal.reason)) throw request.signal.reason;
    if (cause instanceof TooLargeError)
      throw new ChartError('chart_refused', `${shown(url)}: is larger than ${request.maxBytes} bytes`);
    const why = isTimeout(request.signal?.reason) ? `no answer within ${deadlineMs / 1000} s` : 'cannot be reached';
    throw new ChartRepositoryUnavailableError(`chart repository ${shown(url)}: ${why}`, { cause });
  }
}

function tlsFor({ hostname }: URL, { repository = { url: '' }, authoritiesFor }: GetRequest, isOwn: boolean) {
  const { clientCertificate, clientKey, insecure } = repository;
  const ca = (isOwn ? repository.authorities : undefined) ?? authoritiesFor?.(hostname);
  return {
    ...(ca && { ca }),
    ...(isOwn && clientCertificate && { cert: clientCertificate }),
    ...(isOwn && clientKey && { key: clientKey }),
    ...(isOwn && { rejectUnauthorized: insecure !== true }),
  };
}

type Sent = GetRequest & { readonly headers: Readonly<Record<string, string>> };

async function send(
  url: URL,
  { headers, repository = { url: '' }, signal }: Sent,
  tls: ReturnType<typeof tlsFor>,
): Promise<IncomingMessage> {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  const proxy = proxyFor(url, repository);
  const isTls = url.protocol === 'https:';
  const socket = proxy && isTls ? await connectThrough(proxy, url, signal) : undefined;
  return new Promise((resolve, reject) => {
    const common = { headers, agent: false as const, ...(signal ? { signal } : {}) };
    const asked =
      proxy && !isTls
        ? requestHttp(proxy, {
            ...common,
            path: plain.href,
            headers: { ...headers, host: plain.host, ...proxyAuthorization(proxy) },
          })
        : isTls
          ? requestHttps(plain, {
              ...common,
              ...tls,
              ...(socket ? { createConnection: () => connectTls({ socket, servername: url.hostname, ...tls }) } : {}),
            })
          : requestHttp(plain, common);
    // What came through the proxy is nobody's to keep alive.
    asked.on('close', () => socket?.destroy());
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end();
  });
}

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** An error for an answer that is not the one hoped for. */
export function refusal(url: string, { status, headers }: GetAnswer, what: string): Error {
  const where = `${what} at ${shown(url)}`;
  if (status === 401 || status === 403) {
    return new ChartError(
      'chart_refused',
      `${where}: ${status === 401 ? 'needs credentials, or those given are wrong' : 'forbidden'} (${status}); add or mend the repository Secret for this URL`,
    );
  }
  if (status === 404) return new ChartError('chart_not_found', `${where}: not found (404); check name and address`);
  const wait = Number(headers['retry-after']);
  const retryAfterMs = Number.isFinite(wait) && wait >= 0 ? wait * 1000 : undefined;
  if (status === 429)
    return new ChartRepositoryUnavailableError(`${where}: too many requests (429); trying again later`, {
      retryAfterMs,
    });
  if (status >= 500)
    return new ChartRepositoryUnavailableError(`${where}: the server failed (${status})`, { retryAfterMs });
  return new ChartError('chart_refused', `${where}: unexpected answer ${status}`);
}

export function basicAuthorization(repository: ChartRepository | undefined): string | undefined {
  const { username, password, bearerToken } = repository ?? {};
  if (bearerToken) return `Bearer ${bearerToken}`;
  if (!username && !password) return undefined;
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
}
