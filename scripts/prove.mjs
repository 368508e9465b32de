// `npm run prove -- ROOM`: the long or oracle-bound proofs of a room (packages/ROOM, conformance/ROOM and e2e/ROOM).
import { bin, build, checkNode, install, ownTemporaryFolder, run } from './bootstrap.mjs';

checkNode();
const [room] = process.argv.slice(2);
if (!room) {
  console.error('usage: npm run prove -- ROOM, e.g. cluster, render, engine, platform, laptop');
  process.exit(2);
}
await install();
await build();
const env = ownTemporaryFolder();
const config = ['--config', 'vitest.prove.config.ts'];
await run(process.execPath, [bin('vitest', 'vitest'), 'run', ...config, `/${room}/`], { env }).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
