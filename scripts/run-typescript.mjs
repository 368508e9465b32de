// Runs a TypeScript module of bench/ or conformance/ in this process. Our packages are taken as built (dist), so that
// what is measured is what runs.
import { runnerImport } from 'vite';
import { root } from './bootstrap.mjs';

export async function importTypeScript(file) {
  const { module } = await runnerImport(file, {
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { external: true },
  });
  return module;
}
