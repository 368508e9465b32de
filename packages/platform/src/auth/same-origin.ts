// A browser sends cookies along with requests that other sites cause. A request that changes something and relies on a
// cookie must therefore come from our own pages; modern browsers say so by themselves.

interface OriginFacts {
  readonly secFetchSite?: string | undefined;
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
}

export function isSameOrigin({ secFetchSite, origin, host }: OriginFacts): boolean {
  if (secFetchSite !== undefined) return secFetchSite === 'same-origin' || secFetchSite === 'none';
  if (origin === undefined || host === undefined) return false;
  try {
    return new URL(origin).host === host;
  } catch {
    return false; // `null` and other non-URLs are nobody's origin
  }
}
