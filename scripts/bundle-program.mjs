// The program and all it needs in a few files: as 2,500 modules, finding and reading them is most of what a command takes
// (ADR 0016). Rolldown is what Vite builds the UI with.
import { join } from 'node:path';
import { build } from 'rolldown';
import { root } from './bootstrap.mjs';

await build({
  cwd: join(root, 'packages/cli'),
  input: { fairlead: 'dist/index.js', 'render-worker': '../render/dist/pool/render-worker.js' },
  platform: 'node',
  // Optional parts of libraries that are not installed here; they do without.
  external: ['pg-native', 'bufferutil', 'utf-8-validate'],
  // Flat: what is found beside a file, or one level up, is found from every one of them.
  output: { dir: 'bundle', format: 'esm', cleanDir: true, chunkFileNames: '[name]-[hash].js' },
  logLevel: 'warn',
});
