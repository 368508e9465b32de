import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { findHome, runningUp } from '../home/index.ts';
import { parseFormat, render } from '../output/index.ts';
import { type GlobalOptions, platformClient } from '../platform-client.ts';
import { runningHere } from './runtime/running-here.ts';

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('what runs in this home, and how it is')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const home = findHome(options.home, process.env);
      const running = runningUp(home);
      if (!running)
        throw new FairleadError('not_running', `Fairlead is not running in ${home.dir}; start it with fairlead up`);
      const api = platformClient(options);
      const [runtimes, applications] = await Promise.all([
        api.call('listRuntimes', {}),
        api.call('listApplications', { query: { limit: 1 } }),
      ]);
      const { total, byHealth, bySync } = applications.summary;
      const facts = [
        ['url', running.url],
        ['home', home.dir],
        ...Object.entries({ supervisor: running.pid, ...running.processes }).map(([name, pid]) => [
          `process ${name}`,
          `pid ${pid}`,
        ]),
        ...[...runningHere(home)].map(([name, state]) => [`components of runtime ${name}`, state]),
        ...runtimes.items.map((runtime) => [`runtime ${runtime.name}`, runtime.status]),
        ['applications', `${total}: ${byHealth['Healthy'] ?? 0} healthy, ${bySync['Synced'] ?? 0} synced`],
      ] as [string, string][];
      const value = { ...running, home: home.dir, runtimes: runtimes.items, applications: applications.summary };
      const columns = [
        { title: 'WHAT', value: (fact: [string, string]) => fact[0] },
        { title: 'STATE', value: (fact: [string, string]) => fact[1] },
      ];
      process.stdout.write(render(parseFormat(options.output), value, facts, columns));
    });
}
