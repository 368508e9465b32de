// Runs before the first paint and before the application is loaded: a dark page never flashes white, and what a page shows
// first is already on its way while the browser reads the code. Kept up to date by src/ui/theme.ts, taken up by
// src/app/early-requests.ts.
(() => {
  let chosen = 'system';
  try {
    chosen = localStorage.getItem('fairlead.theme') ?? 'system';
  } catch {
    // storage is blocked: the system's choice holds
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // The code of a page would else be asked for only when that of the frame has run. The build writes the names above.
  const pages = window.fairleadPages ?? {};
  const load = (page) => {
    // Once: what is asked for is no longer in the list.
    for (const file of pages[page]?.splice(0) ?? []) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = `/${file}`;
      link.crossOrigin = ''; // as the imports are asked for, or the browser would take them for others
      document.head.append(link);
    }
  };

  // Only where the address alone tells the request, letter by letter as the client will ask.
  const { pathname, search } = location;
  const isApplication = /^\/applications\/[^/]+\/[^/]+\/[^/]+$/.test(pathname);
  const asked = [];
  if (pathname === '/') asked.push('/api/v1/applications?limit=1', '/api/v1/runtimes');
  else if (pathname === '/applications' && search === '') asked.push('/api/v1/applications?limit=60');
  else if (isApplication && !/[?&]at=/.test(search)) asked.push(`/api/v1${pathname}`);
  const startedAt = performance.now();
  window.fairleadEarly = asked.map((url) => {
    const answer = fetch(url, { headers: { accept: 'application/json' } });
    // Who takes it up meets the failure; nobody may.
    answer.then(({ status }) => status === 401 && load('sign-in')).catch(() => {});
    return { url, startedAt, answer };
  });

  load(isApplication ? 'application' : { '/': 'home', '/applications': 'applications' }[pathname]);
})();
