import { FairleadError, isAlive } from '@fairlead/base';
import type { Command } from 'commander';
import { findHome, runningUp } from '../home/index.ts';
import { parseFormat, render } from '../output/index.ts';
import { type GlobalOptions, platformClient } from '../platform-client.ts';
import { runningHere } from './runtime/running-here.ts';

/** What, and its state. */
type Fact = readonly [string, string];

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('what runs in this home, and how it is')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const home = findHome(options.home, process.env);
      const format = parseFormat(options.output);
      const running = runningUp(home);
      if (!running)
        throw new FairleadError('not_running', `Fairlead is not running in ${home.dir}; start it with fairlead up`);
      const processes = { supervisor: running.pid, ...running.processes };
      const facts: Fact[] = [
        ['url', running.url],
        ['home', home.dir],
        ...Object.entries(processes).map(([name, pid]): Fact => [`process ${name}`, stateOf(pid)]),
        ...[...runningHere(home)].map(([name, state]): Fact => [`components of runtime ${name}`, state]),
      ];
      const value = { ...running, home: home.dir };
      // What runs is told also when the platform does not answer; then its trouble comes after it.
      const known = await askPlatform(options).catch((error: unknown) => {
        process.stdout.write(render(format, value, facts, columns));
        throw error;
      });
      process.stdout.write(render(format, { ...value, ...known.value }, [...facts, ...known.facts], columns));
    });
}

const columns = [
  { title: 'WHAT', value: (fact: Fact) => fact[0] },
  { title: 'STATE', value: (fact: Fact) => fact[1] },
];

const stateOf = (pid: number) => (isAlive(pid) ? `pid ${pid}` : 'ended; it is being started again');

async function askPlatform(options: GlobalOptions): Promise<{ value: object; facts: Fact[] }> {
  const api = platformClient(options);
  const [runtimes, applications] = await Promise.all([
    api.call('listRuntimes', {}),
    api.call('listApplications', { query: { limit: 1 } }),
  ]);
  const { total, byHealth, bySync } = applications.summary;
  return {
    value: { runtimes: runtimes.items, applications: applications.summary },
    facts: [
      ...runtimes.items.map(({ name, status }): Fact => [`runtime ${name}`, status]),
      ['applications', `${total}: ${byHealth['Healthy'] ?? 0} healthy, ${bySync['Synced'] ?? 0} synced`],
    ],
  };
}
