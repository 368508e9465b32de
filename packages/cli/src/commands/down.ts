import { FairleadError, sleep, systemClock } from '@fairlead/base';
import type { Command } from 'commander';
import { findHome, runningUp } from '../home/index.ts';
import type { GlobalOptions } from '../platform-client.ts';

const patienceMs = 30_000;

export function addDown(program: Command): void {
  program
    .command('down')
    .description('stop what runs in this home; everything is kept')
    .action(async (_flags, command: Command) => {
      const home = findHome(command.optsWithGlobals<GlobalOptions>().home, process.env);
      const running = runningUp(home);
      if (!running) {
        const { stopLeftovers } = await import('../laptop/index.ts');
        const left = (await stopLeftovers(home)) ? '; its PostgreSQL, left by a start that was killed, is stopped' : '';
        process.stdout.write(`Fairlead is not running in ${home.dir}${left}\n`);
        return;
      }
      process.kill(running.pid, 'SIGTERM');
      const deadline = systemClock.monotonic() + patienceMs;
      while (runningUp(home)) {
        if (systemClock.monotonic() > deadline) {
          throw new FairleadError(
            'still_running',
            `pid ${running.pid} did not stop within ${patienceMs / 1000} s; see ${home.logsDir}`,
          );
        }
        await sleep(100);
      }
      process.stdout.write('Stopped. Everything is kept in the home folder.\n');
    });
}
