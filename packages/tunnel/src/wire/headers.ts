// Headers that belong to one hop (RFC 9110 §7.6.1, RFC 9113 §8.2.2) must not travel through a proxy.
import type { IncomingHttpHeaders, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';

const hopByHop = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Set on answers that a hop on the way made itself, so that they are not taken for the target's: `refused`, or what a
 * failed hop knows of the request (`unseen`, `cut`).
 */
export const tunnelErrorHeader = 'x-fairlead-tunnel-error';

/** End-to-end headers only: no pseudo headers, no `host`, none that are hop-by-hop or that `connection` names. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
): Record<string, string | string[]> {
  const named = namedByConnection(headers['connection']);
  const kept: Record<string, string | string[]> = {};
  for (const key of Object.keys(headers)) {
    const value = headers[key];
    const name = key.toLowerCase();
    if (value === undefined || name.startsWith(':') || name === 'host' || hopByHop.has(name) || named?.has(name))
      continue;
    kept[name] = Array.isArray(value) ? value.map(String) : String(value);
  }
  return kept;
}

/** Between our own hops it says `keep-alive` or nothing: that names no header that is not dropped anyway. */
function namedByConnection(connection: OutgoingHttpHeader | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive') return undefined;
  const names = String(connection).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}
