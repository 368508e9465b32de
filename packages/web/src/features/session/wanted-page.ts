// Where a person wanted to go before they had to sign in. The link that signs them in opens in a new tab, so the page is
// remembered in the browser, for as long as such a link lives.
const storageKey = 'fairlead.wanted-page';
const rememberedMs = 15 * 60_000;
export const startPage = '/';

/** Only a path of this very server: an address in `next` must not lead anybody elsewhere. */
export function safePage(page: string | undefined): string | undefined {
  if (!page?.startsWith('/') || page.startsWith('//') || page.includes('\\')) return undefined;
  return page.startsWith('/sign-in') ? undefined : page;
}

export function rememberWantedPage(page: string, nowMs: number): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ page, atMs: nowMs }));
  } catch {
    // storage is blocked: the start page will do
  }
}

/** Takes the remembered page away; another tab shall not get it again. */
export function takeWantedPage(nowMs: number): string | undefined {
  try {
    const stored = localStorage.getItem(storageKey);
    localStorage.removeItem(storageKey);
    return readRemembered(stored, nowMs);
  } catch {
    return undefined;
  }
}

export function readRemembered(stored: string | null, nowMs: number): string | undefined {
  if (!stored) return undefined;
  const { page, atMs } = JSON.parse(stored) as { page?: unknown; atMs?: unknown };
  if (typeof page !== 'string' || typeof atMs !== 'number' || nowMs - atMs > rememberedMs) return undefined;
  return safePage(page);
}
