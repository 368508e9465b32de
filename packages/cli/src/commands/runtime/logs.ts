// What the components of a runtime on this machine wrote. A runtime elsewhere keeps its logs in its own cluster.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FairleadError } from '@fairlead/base';
import { runtimeComponents } from '@fairlead/contracts';
import type { Command } from 'commander';
import { attachedHomeOf, findHome, runtimeHomeOf } from '../../home/index.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

interface LogFlags extends GlobalOptions {
  readonly component?: string;
  readonly tail: string;
}

interface Line {
  readonly component: string;
  readonly time: string;
  readonly text: string;
}

export function addRuntimeLogs(runtime: Command): void {
  runtime
    .command('logs <name> [component]')
    .description('log lines of the components of a runtime on this machine, oldest first')
    .option('--component <name>', `the same: one of ${runtimeComponents.join(', ')}; default: all`)
    .option('--tail <n>', 'how many lines at most', '200')
    .action(async (name: string, named: string | undefined, _flags, command: Command) => {
      const { component = named, ...flags } = command.optsWithGlobals<LogFlags>();
      const tail = Number(flags.tail);
      if (!Number.isInteger(tail) || tail < 1) throw new FairleadError('bad_usage', `--tail ${flags.tail}: a number`);
      if (component && !runtimeComponents.some((known) => known === component)) {
        throw new FairleadError('bad_usage', `component ${component}: one of ${runtimeComponents.join(', ')}`);
      }
      const dir = await logsOf(name, flags);
      const lines = linesIn(dir, component ? [component] : runtimeComponents);
      for (const { component: writer, text } of lines.slice(-tail)) process.stdout.write(`${writer}  ${plain(text)}\n`);
    });
}

async function logsOf(name: string, flags: GlobalOptions): Promise<string> {
  const home = findHome(flags.home, process.env);
  const own = [runtimeHomeOf, attachedHomeOf].map((placeOf) => placeOf(home, name).logsDir).find(existsSync);
  if (own !== undefined) return own;
  const { kind } = await platformClient(flags).call('getRuntime', { params: { runtime: name } });
  if (kind === 'hosted' && existsSync(home.logsDir)) return home.logsDir;
  throw new FairleadError(
    'not_here',
    `runtime ${name} does not run on this machine; its logs are in its cluster: kubectl -n fairlead logs deploy/COMPONENT`,
  );
}

function linesIn(dir: string, components: readonly string[]): Line[] {
  const present = new Set(readdirSync(dir));
  const lines = components
    .filter((component) => present.has(`${component}.log`))
    .flatMap((component) =>
      readFileSync(join(dir, `${component}.log`), 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => ({ component, time: /"time":"([^"]+)"/.exec(text)?.[1] ?? '', text })),
    );
  return lines.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}
