// An attached runtime without a terminal: a process of its own that outlives the command, found again by its folder.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { FairleadError, sleep, systemClock } from '@fairlead/base';
import { holderOf, letGoAttached, type RuntimeHome, stateOf, tellState } from '../home/index.ts';
import { programFile } from '../own-files.ts';

const startWithinMs = 90_000;
const stopWithinMs = 30_000;

/** Resolves with its pid once the runtime is connected; one that runs already is left as it is. */
export async function startAttached(place: RuntimeHome, { homeDir }: { readonly homeDir: string }): Promise<number> {
  const running = holderOf(place);
  if (running !== undefined) return running;
  tellState(place, { phase: 'starting' });
  const outputFile = `${place.logsDir}/holder.log`;
  const output = openSync(outputFile, 'w', 0o600);
  const child = spawn(process.execPath, [programFile, 'runtime', 'hold', place.name, '--home', homeDir], {
    ...{ detached: true, stdio: ['ignore', output, output] as const },
  });
  closeSync(output);
  const ended = { isTrue: false };
  child.once('exit', () => {
    ended.isTrue = true;
  });
  child.unref();
  const deadlineMs = systemClock.monotonic() + startWithinMs;
  while (stateOf(place)?.phase !== 'connected') {
    if (ended.isTrue) {
      const said = readFileSync(outputFile, 'utf8').trim().split('\n').at(-1) ?? '';
      throw new FairleadError(
        'start_failed',
        said.replace(/^fairlead: /, '') || `it ended at once; see ${place.logsDir}`,
      );
    }
    if (systemClock.monotonic() > deadlineMs) {
      throw new FairleadError(
        'timeout',
        `not connected after ${startWithinMs / 1000} s, and still trying (pid ${child.pid}); see ${place.logsDir}`,
      );
    }
    await sleep(100);
  }
  return child.pid ?? 0;
}

/** Whoever holds it up, a terminal or nobody. */
export async function stopAttached(place: RuntimeHome): Promise<void> {
  const pid = holderOf(place);
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  const deadlineMs = systemClock.monotonic() + stopWithinMs;
  while (holderOf(place) !== undefined) {
    if (systemClock.monotonic() > deadlineMs) {
      throw new FairleadError(
        'still_running',
        `runtime ${place.name} (pid ${pid}) did not stop within ${stopWithinMs / 1000} s; see ${place.logsDir}`,
      );
    }
    await sleep(100);
  }
  letGoAttached(place); // of one that was killed
  tellState(place, { phase: 'stopped' });
}
