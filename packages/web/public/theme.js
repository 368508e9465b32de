// Runs before the first paint, so that a dark page never flashes white. The app keeps it up to date (src/ui/theme.ts).
(() => {
  let chosen = 'system';
  try {
    chosen = localStorage.getItem('fairlead.theme') ?? 'system';
  } catch {
    // storage is blocked: the system's choice holds
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
