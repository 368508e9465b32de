import { createLogger, FairleadError, systemClock } from '@fairlead/base';
import { attachedHomeOf, findHome, prepareRuntimeHome } from '../../home/index.ts';
import type { GlobalOptions } from '../../platform-client.ts';

export interface InClusterFlags extends GlobalOptions {
  readonly name: string;
  readonly platform?: string;
  readonly token?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly argoCdUrl?: string;
  readonly argoCdTokenFile?: string;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Stays in the foreground: the components live in this command. */
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
  const { attachRuntime } = await import('../../attached-runtime/index.ts');
  const terminal = { input: process.stdin, output: process.stderr as NodeJS.WriteStream };
  const chosen = await chooseContext({ context, file: kubeconfig, env: process.env, extraFiles: [], terminal });
  const place = attachedHomeOf(findHome(flags.home, process.env), name);
  prepareRuntimeHome(place);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await attachRuntime({
    ...{ name, place, say, context: chosen, clock: systemClock, signal: stopping.signal },
    platformUrl: platform.replace(/\/+$/, ''),
    token: flags.token ?? process.env['FAIRLEAD_INSTALL_TOKEN'],
    argoCd: argoCdUrl && argoCdTokenFile ? { url: argoCdUrl, tokenFile: argoCdTokenFile } : undefined,
    log: createLogger({ role: 'supervisor', file: `${place.logsDir}/supervisor.log` }),
  });
}
