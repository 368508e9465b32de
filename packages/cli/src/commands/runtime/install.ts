// A further runtime: in a cluster of one's own, or with an embedded one on this machine. For the latter the command writes what
// is wanted into the home; `fairlead up`, which runs there, brings it about and tells how it goes. So an install that is
// interrupted goes on, and can be taken back.
import { existsSync } from 'node:fs';
import { FairleadError, sleep, systemClock } from '@fairlead/base';
import type { Command } from 'commander';
import {
  attachedHomeOf,
  attachmentOf,
  findHome,
  type Home,
  type RuntimeHome,
  type RuntimeState,
  runningUp,
  runtimeHomeOf,
  stateOf,
  type Wanted,
  want,
} from '../../home/index.ts';
import { knownRuntime } from '../../known-runtime.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { changeAttached, uninstallAttached } from './attached.ts';
import { confirmed } from './confirmed.ts';
import { holdInstalled, type InClusterFlags, installInCluster } from './install-in-cluster.ts';

const patienceMs = 120_000;
const namePattern = /^[a-z]([-a-z0-9]{0,36}[a-z0-9])?$/;
const say = (line: string) => void process.stdout.write(`${line}\n`);

export function addRuntimeInstall(runtime: Command): void {
  runtime
    .command('install')
    .description('install a further runtime: for a cluster of your kubeconfig, or with an embedded one on this machine')
    .requiredOption('--name <name>', 'what it is called in the account')
    .option('--platform <url>', 'address of the platform, as in your browser')
    .option('--token <token>', 'one-time install token (Runtimes → Add runtime); or $FAIRLEAD_INSTALL_TOKEN')
    .option('--kubeconfig <file>', 'of its cluster; default: $KUBECONFIG or ~/.kube/config')
    .option('--context <name>', 'which context of it; asked for on a terminal')
    .option('--argo-cd-url <url>', 'an Argo CD that the cluster has already, as reached from here')
    .option('--argo-cd-token-file <file>', 'file with a token of an account of that Argo CD')
    .option('--background', 'its components go on as a process of their own on this machine when the command has ended')
    .option('--embedded', 'with an embedded cluster, in a process of its own under the home folder')
    .addHelpText(
      'after',
      '\nExample:\n  fairlead runtime install --name edge --platform https://fairlead.example.com --token flr_…',
    )
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<InClusterFlags & { embedded?: boolean }>();
      if (!namePattern.test(flags.name)) {
        throw new FairleadError(
          'bad_usage',
          `--name ${flags.name}: is not a valid name; use lower-case letters, digits and -, at most 38, beginning with a letter`,
        );
      }
      if (!flags.embedded) return installInCluster(flags);
      const home = runningHome(flags);
      const place = runtimeHomeOf(home, flags.name);
      await refuseStranger(flags, place);
      want(place, 'running');
      await untilReached(home, place, 'connected');
      say(`Runtime ${flags.name} is connected.`);
      say(`kubectl --kubeconfig ${place.kubeconfigFile} get deploy -A`);
    });
}

/** For the background of `install --background`; people need `start`. */
export function addRuntimeHold(runtime: Command): void {
  runtime
    .command('hold <name>', { hidden: true })
    .description('hold up a runtime of this machine whose cluster is elsewhere, until stopped')
    .action((name: string, _flags, command: Command) =>
      holdInstalled({ ...command.optsWithGlobals<GlobalOptions>(), name }),
    );
}

export function addRuntimeUninstall(runtime: Command): void {
  runtime
    .command('uninstall <name>')
    .description('remove a runtime: its processes and cluster on this machine, and what the platform knows of it')
    .option('--yes', 'do not ask')
    .option(
      '--leave-cluster',
      'when the cluster of a runtime that was installed for one is gone, or is to be left as it is',
    )
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions & { yes?: boolean; leaveCluster?: boolean }>();
      const home = findHome(flags.home, process.env);
      if (existsSync(attachedHomeOf(home, name).dir)) return uninstallAttached(home, name, flags);
      const place = runtimeHomeOf(home, name);
      await confirmed(`Remove runtime ${name}, with all that its cluster holds?`, flags.yes);
      if (existsSync(place.dir)) {
        want(place, 'gone');
        if (!runningUp(home)) return say(`Fairlead is not running; runtime ${name} is removed at the next start.`);
        await untilReached(home, place, undefined);
      } else {
        const api = platformClient(flags);
        await api.call('deleteRuntime', { params: { runtime: await knownRuntime(api, name) } });
      }
      say(`Runtime ${name} is removed.`);
    });
}

const changes = [
  { verb: 'stop', wanted: 'stopped', phase: 'stopped', what: 'stop a further runtime of this machine; it is kept' },
  { verb: 'start', wanted: 'running', phase: 'connected', what: 'start a runtime that was stopped' },
] as const;

export function addRuntimeStopAndStart(runtime: Command): void {
  for (const { verb, wanted, phase, what } of changes) {
    runtime
      .command(`${verb} <name>`)
      .description(what)
      .action(async (name: string, _flags, command: Command) => {
        const flags = command.optsWithGlobals<GlobalOptions>();
        const attached = attachedHomeOf(findHome(flags.home, process.env), name);
        if (attachmentOf(attached)) return changeAttached(findHome(flags.home, process.env), attached, wanted);
        const home = runningHome(flags);
        const place = installed(home, name);
        want(place, wanted satisfies Wanted);
        await untilReached(home, place, phase);
        say(`Runtime ${name} is ${phase}.`);
      });
  }
}

function runningHome(flags: GlobalOptions): Home {
  const home = findHome(flags.home, process.env);
  if (runningUp(home)) return home;
  throw new FairleadError('not_running', `Fairlead is not running in ${home.dir}; start it with fairlead up`);
}

function installed(home: Home, name: string): RuntimeHome {
  const place = runtimeHomeOf(home, name);
  if (namePattern.test(name) && existsSync(place.dir)) return place;
  throw new FairleadError(
    'not_found',
    `no runtime ${name} was installed on this machine in ${home.dir}; fairlead status shows which are`,
  );
}

/** A name that belongs to a runtime somewhere else must not be taken over. */
async function refuseStranger(flags: GlobalOptions, place: RuntimeHome): Promise<void> {
  if (existsSync(place.dir)) return;
  const { items } = await platformClient(flags).call('listRuntimes', {});
  const known = items.find(({ name }) => name === place.name);
  if (!known || known.status === 'pending') return;
  throw new FairleadError(
    'conflict',
    `the account has a runtime ${place.name} already (${known.kind}, ${known.status}); choose another name`,
  );
}

/** Undefined stands for gone. A failure is told once; the supervisor goes on trying, and so does this command. */
async function untilReached(home: Home, place: RuntimeHome, phase: RuntimeState['phase'] | undefined): Promise<void> {
  const deadlineMs = systemClock.monotonic() + patienceMs;
  for (let told = ''; ; ) {
    const state = existsSync(place.dir) ? stateOf(place) : undefined;
    if (phase === undefined ? !existsSync(place.dir) : state?.phase === phase) return;
    if (!runningUp(home)) throw new FairleadError('not_running', 'Fairlead was stopped; the next start goes on');
    if (state?.message && state.message !== told) {
      told = state.message;
      process.stderr.write(`${told}; trying again\n`);
    }
    if (systemClock.monotonic() > deadlineMs) {
      throw new FairleadError('timeout', `not done after ${patienceMs / 1000} s: ${told || `see ${place.logsDir}`}`);
    }
    await sleep(100);
  }
}
