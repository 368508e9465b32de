import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createLogger, FairleadError, systemClock } from '@fairlead/base';
import {
  type Attachment,
  attachedHomeOf,
  attachmentOf,
  findHome,
  holdAttached,
  holderOf,
  keepAttachment,
  letGoAttached,
  prepareRuntimeHome,
  type RuntimeHome,
  removeRuntimeHome,
  want,
} from '../../home/index.ts';
import type { ChosenContext } from '../../managed-cluster/index.ts';
import type { GlobalOptions } from '../../platform-client.ts';

export interface InClusterFlags extends GlobalOptions {
  readonly name: string;
  readonly platform?: string;
  readonly token?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly argoCdUrl?: string;
  readonly argoCdTokenFile?: string;
  /** The components go on without the command. */
  readonly background?: boolean;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** The components live in this command, or, with `--background`, in a process of their own. */
export async function installInCluster(flags: InClusterFlags): Promise<void> {
  const { name, platform, kubeconfig, context, argoCdUrl, argoCdTokenFile } = flags;
  if (!platform || !/^https?:\/\/[^/\s]+/.test(platform)) {
    throw new FairleadError(
      'bad_usage',
      platform === undefined
        ? 'say where the platform is (--platform URL --token TOKEN; Runtimes → Add runtime gives both), or --embedded for this machine'
        : `--platform ${platform}: an address with http:// or https://, as in your browser`,
    );
  }
  if ((argoCdUrl === undefined) !== (argoCdTokenFile === undefined)) {
    throw new FairleadError('bad_usage', '--argo-cd-url and --argo-cd-token-file go together');
  }
  const { chooseContext } = await import('../../managed-cluster/index.ts');
  const attached = await import('../../attached-runtime/index.ts');
  const terminal = { input: process.stdin, output: process.stderr as NodeJS.WriteStream };
  const chosen = await chooseContext({ context, file: kubeconfig, env: process.env, extraFiles: [], terminal });
  const home = findHome(flags.home, process.env);
  const place = attachedHomeOf(home, name);
  refuseHeld(place);
  const isNew = !existsSync(place.dir);
  prepareRuntimeHome(place);
  const attachment: Attachment = {
    platformUrl: platform.replace(/\/+$/, ''),
    kubeconfigFile: resolve(chosen.file),
    context: chosen.name,
    server: chosen.connection.server,
    ...(argoCdUrl && argoCdTokenFile ? { argoCd: { url: argoCdUrl, tokenFile: resolve(argoCdTokenFile) } } : {}),
  };
  keepAttachment(place, attachment);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const token = flags.token ?? process.env['FAIRLEAD_INSTALL_TOKEN'];
  const options = optionsOf(place, { attachment, chosen, token, signal: stopping.signal });
  await attached.registerAttached(options).catch((error: unknown) => {
    if (isNew && isRefusal(error)) removeRuntimeHome(place);
    throw error;
  });
  want(place, flags.background ? 'running' : 'stopped');
  if (!flags.background) {
    return held(place, () =>
      attached.holdRuntime({
        ...options,
        whenConnected: () =>
          say(`Runtime ${name} is connected. It runs here until this command ends; the same command starts it again.`),
      }),
    );
  }
  const pid = await attached.startAttached(place, { homeDir: home.dir });
  say(`Runtime ${name} is connected.`);
  say(
    `Its components run on this machine (pid ${pid}, logs in ${place.logsDir}), its Applications in ${attachment.server}.`,
  );
  say(
    `After a restart of the machine: fairlead runtime start ${name}, or fairlead up. To end it: fairlead runtime stop ${name}, fairlead runtime uninstall ${name}.`,
  );
}

/** Found before anything was put into the cluster: nothing of it is kept here either. */
const isRefusal = (error: unknown): boolean =>
  error instanceof FairleadError && ['bad_usage', 'cluster_unreachable', 'conflict'].includes(error.code);

/** What the background runs: a runtime that was installed before, by what its folder tells. */
export async function holdInstalled(flags: GlobalOptions & { readonly name: string }): Promise<void> {
  const place = attachedHomeOf(findHome(flags.home, process.env), flags.name);
  const attachment = attachmentOf(place);
  if (!attachment) {
    throw new FairleadError('not_found', `no runtime ${flags.name} was installed for a cluster in ${place.dir}`);
  }
  refuseHeld(place);
  const { chooseContext } = await import('../../managed-cluster/index.ts');
  const { holdRuntime } = await import('../../attached-runtime/index.ts');
  const terminal = { input: process.stdin, output: process.stderr as NodeJS.WriteStream };
  const { context, kubeconfigFile: file } = attachment;
  const chosen = await chooseContext({ context, file, env: process.env, extraFiles: [], terminal });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const options = optionsOf(place, { attachment, chosen, token: undefined, signal: stopping.signal });
  await held(place, () => holdRuntime({ ...options, whenConnected: () => undefined }));
}

interface Given {
  readonly attachment: Attachment;
  readonly chosen: ChosenContext;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

const optionsOf = (place: RuntimeHome, { attachment, chosen, token, signal }: Given) => ({
  ...{ name: place.name, place, say, context: chosen, clock: systemClock, signal, token },
  platformUrl: attachment.platformUrl,
  argoCd: attachment.argoCd,
  log: createLogger({ role: 'supervisor', file: `${place.logsDir}/supervisor.log` }),
});

/** Two that hold one runtime would fence each other's tunnel for ever. */
function refuseHeld(place: RuntimeHome): void {
  const pid = holderOf(place);
  if (pid === undefined) return;
  throw new FairleadError(
    'conflict',
    `runtime ${place.name} runs on this machine already (pid ${pid}); fairlead runtime stop ${place.name} ends it`,
  );
}

async function held(place: RuntimeHome, hold: () => Promise<void>): Promise<void> {
  holdAttached(place);
  try {
    await hold();
  } finally {
    letGoAttached(place);
  }
}
