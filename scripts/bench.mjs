// `npm run bench -- NAME [--json]`: one measured claim. Prints machine, commit and spread; a missed goal is reported,
// not a failure of the command.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, checkNode, install, ownTemporaryFolder, root } from './bootstrap.mjs';

checkNode();
const [name, ...flags] = process.argv.slice(2);
const known = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''));
if (!known.includes(name)) {
  console.error(`usage: npm run bench -- NAME [--json]; NAME is one of ${known.join(', ')}`);
  process.exit(2);
}
await install();
await build();
Object.assign(process.env, ownTemporaryFolder());
const { importTypeScript } = await import('./run-typescript.mjs');
const { report } = await importTypeScript(join(root, 'bench/report.ts'));
const { measure } = await importTypeScript(join(root, `bench/${name}.bench.ts`));
const results = await measure({ say: (line) => console.error(line) });
process.stdout.write(await report(name, results, { json: flags.includes('--json') }));
process.exit(0);
