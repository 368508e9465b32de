// Runtimes of this machine whose cluster is elsewhere: stopped, started, and taken away from whichever state they are in.
import { errorMessage, FairleadError, systemClock } from '@fairlead/base';
import { ApiError, defaultEngineNamespace, defaultRuntimeNamespace } from '@fairlead/contracts';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import {
  type Attachment,
  attachedHomeOf,
  attachmentOf,
  type Home,
  type RuntimeHome,
  removeRuntimeHome,
  want,
} from '../../home/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { confirmed } from './confirmed.ts';

const withinMs = 120_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

export async function changeAttached(home: Home, place: RuntimeHome, wanted: 'running' | 'stopped'): Promise<void> {
  const { startAttached, stopAttached } = await import('../../attached-runtime/index.ts');
  want(place, wanted);
  if (wanted === 'stopped') {
    await stopAttached(place);
    return say(
      `Runtime ${place.name} is stopped. Its cluster is as it was; fairlead runtime start ${place.name} goes on.`,
    );
  }
  const pid = await startAttached(place, { homeDir: home.dir });
  say(`Runtime ${place.name} is connected (pid ${pid} on this machine).`);
}

/** Each step may have been done before; the folder goes last, so that a removal that was cut off can be repeated. */
export async function uninstallAttached(
  home: Home,
  name: string,
  flags: GlobalOptions & { readonly yes?: boolean; readonly leaveCluster?: boolean },
): Promise<void> {
  const place = attachedHomeOf(home, name);
  const attachment = attachmentOf(place);
  const where = attachment ? ` and out of ${attachment.server}` : '';
  await confirmed(
    `Take runtime ${name} off this machine${where}? Applications, and what they deploy, stay.`,
    flags.yes,
  );
  const { stopAttached } = await import('../../attached-runtime/index.ts');
  want(place, 'gone');
  await stopAttached(place);
  if (attachment && !flags.leaveCluster) await takeOut(attachment, name);
  await forget(flags, { name, platformUrl: attachment?.platformUrl });
  removeRuntimeHome(place);
  say(`Runtime ${name} is removed.`);
}

/** A cluster that holds another runtime, or none, is left as it is: the installation had not come so far. */
async function takeOut({ kubeconfigFile, context, server }: Attachment, name: string): Promise<void> {
  const { readIdentity, removeRuntime } = await import('@fairlead/runtime');
  try {
    const client = new KubeClient(await loadKubeconfig(kubeconfigFile, { context }), { clock: systemClock });
    try {
      const signal = AbortSignal.timeout(withinMs);
      const identity = await readIdentity(client, { namespace: defaultRuntimeNamespace, signal });
      if (identity?.runtimeName !== name) return say(`${server} holds nothing of ${name}.`);
      const namespaces = { runtimeNamespace: defaultRuntimeNamespace, engineNamespace: defaultEngineNamespace };
      const { removed } = await removeRuntime({ client, ...namespaces, signal });
      for (const each of removed) say(`removed ${each}`);
    } finally {
      await client.close();
    }
  } catch (cause) {
    throw new FairleadError(
      'cluster_unreachable',
      `runtime ${name} is stopped, but could not be taken out of ${server}: ${errorMessage(cause)}; try again, or add --leave-cluster when that cluster is gone`,
      { cause },
    );
  }
}

/** Only where this machine knows the platform that the runtime belongs to. */
async function forget(
  flags: GlobalOptions,
  { name, platformUrl }: { readonly name: string; readonly platformUrl: string | undefined },
): Promise<void> {
  try {
    await platformClient(flags).call('deleteRuntime', { params: { runtime: name } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return;
    say(
      `${platformUrl ?? 'The platform'} was not told (${errorMessage(error)}): delete it there on the page of the runtime.`,
    );
  }
}
