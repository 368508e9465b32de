import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares without telling by its time how much was right. */
export function tokenChecker(token: string): (given: string) => boolean {
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

export function bearerToken(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Paths that need no identity, as Kubernetes has it by default. */
const openPaths = ['/healthz', '/livez', '/readyz', '/version'];
export const isOpenPath = (path: string): boolean =>
  openPaths.some((open) => path === open || path.startsWith(`${open}/`));
