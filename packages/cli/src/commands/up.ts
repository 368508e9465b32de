import { ConfigError, errorMessage, FairleadError, systemClock, untilAborted } from '@fairlead/base';
import type { Command } from 'commander';
import { attachedHomes, attachmentOf, findHome, type Home, holderOf, wantedOf } from '../home/index.ts';
import { openBrowser } from '../open-browser.ts';
import { styled } from '../output/index.ts';
import { webDir } from '../own-files.ts';

interface UpFlags {
  readonly home?: string;
  readonly port?: string;
  readonly open: boolean;
  readonly empty?: boolean;
  readonly split?: boolean;
}

export function addUp(program: Command): void {
  program
    .command('up')
    .description('run everything on this machine: platform, cluster, runtime, git server')
    .option('--port <n>', 'port of the UI and API (default 3000; 0 picks a free one)')
    .option('--no-open', 'do not open the browser')
    .option('--empty', 'no runtime and no sample, so that the set-up guide shows')
    .option('--split', 'one process per role')
    .action(async (_flags, command: Command) => runUp(command.optsWithGlobals<UpFlags>()));
}

async function runUp(flags: UpFlags): Promise<void> {
  const port = parsePort(flags.port);
  const stopping = stopOnSignals();
  const { Progress, up } = await import('../laptop/index.ts'); // heavy, and no other command needs it
  const home = findHome(flags.home, process.env);
  const progress = new Progress(systemClock, process.stdout);
  process.stdout.write(`Starting Fairlead in ${home.dir}\n`);
  const running = await up({
    home,
    port,
    split: flags.split ?? false,
    empty: flags.empty ?? false,
    webDir,
    progress,
    clock: systemClock,
    signal: stopping,
  });
  process.stdout.write(`\nFairlead is ready: ${styled('bold', running.url)}\n`);
  process.stdout.write(`Sign in with this link (once, within 15 minutes): ${running.signInUrl}\n`);
  process.stdout.write(`kubectl --kubeconfig ${home.kubeconfigFile} get deploy -A\n`);
  process.stdout.write('Ctrl-C stops everything; the next start finds it all again.\n');
  if (flags.open && process.stdout.isTTY) openBrowser(running.signInUrl);
  const attached = startWanted(home);
  await untilAborted(stopping);
  process.stdout.write('\nStopping…\n');
  await attached;
  await stopHeld(home);
  await running.stop();
  process.stdout.write('Stopped. Everything is kept in the home folder.\n');
}

/** Runtimes of this machine whose clusters are elsewhere, and that were running; one that cannot start holds up nothing. */
async function startWanted(home: Home): Promise<void> {
  const wanted = attachedHomes(home).filter((place) => wantedOf(place) === 'running' && attachmentOf(place));
  if (wanted.length === 0) return;
  const { startAttached } = await import('../attached-runtime/index.ts');
  for (const place of wanted) {
    try {
      const pid = await startAttached(place, { homeDir: home.dir });
      process.stdout.write(`Runtime ${place.name} is connected (pid ${pid}).\n`);
    } catch (error) {
      process.stderr.write(`Runtime ${place.name} was not started: ${errorMessage(error)}\n`);
    }
  }
}

/** They are still wanted: the next start has them again. */
async function stopHeld(home: Home): Promise<void> {
  const held = attachedHomes(home).filter((place) => holderOf(place) !== undefined);
  if (held.length === 0) return;
  const { stopAttached } = await import('../attached-runtime/index.ts');
  await Promise.all(held.map(stopAttached));
}

/** The first signal stops in order; a second one ends at once (the next start cleans up). */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new ConfigError('stopped while starting'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new FairleadError('bad_usage', `--port ${text}: must be a whole number from 0 to 65535`);
}
