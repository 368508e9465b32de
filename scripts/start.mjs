// `npm start`: install and build when needed, then laptop mode in this very process.
import { build, checkNode, install } from './bootstrap.mjs';

// npm does not always pass signals on; when the npm above us is gone, so are we.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref();
}

checkNode();
try {
  await install();
  await build();
} catch (error) {
  console.error(`fairlead: ${error.message}`);
  process.exit(1);
}
const { main } = await import('@fairlead/cli');
await main(['up', ...process.argv.slice(2)]);
