// A connection to a server through an http proxy (CONNECT), for https addresses. The proxy sees host and port.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';

/** The proxy for an address; undefined when there is none, or the host is excepted. */
export function proxyFor(url: URL, { proxy, noProxy = '' }: ProxySettings): URL | undefined {
  if (!proxy || !URL.canParse(proxy)) return undefined;
  const isExcepted = noProxy
    .split(',')
    .map((entry) =>
      entry
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, '')
        .replace(/:\d+$/, ''),
    )
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || url.hostname === entry || url.hostname.endsWith(`.${entry}`));
  return isExcepted ? undefined : new URL(proxy);
}

interface ProxySettings {
  readonly proxy?: string | undefined;
  /** Hosts, separated by commas; each for itself and what is below it. */
  readonly noProxy?: string | undefined;
}

export function connectThrough(proxy: URL, url: URL, signal: AbortSignal | undefined): Promise<Socket> {
  const port = url.port || '443';
  const send = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const asked = send({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: `${url.hostname}:${port}`,
      headers: { host: `${url.hostname}:${port}`, ...proxyAuthorization(proxy) },
      agent: false,
      ...(signal ? { signal } : {}),
    });
    asked.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new Error(`the proxy ${proxy.host} answers ${statusCode}`));
    });
    asked.on('error', reject);
    asked.end();
  });
}

export function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
