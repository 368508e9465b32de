// Makes hosted runtimes exist: asks the platform which there should be, brings each up at its site, and tells how far it
// is. Level-triggered: what is installed already is brought up again after a restart, by the same steps. One that fails
// is told with its reason and left alone until somebody asks again.
import { type Clock, errorMessage, isAbortError, type Logger, sleep } from '@fairlead/base';
import type { ApiClient, HostedInstall, InstallStep } from '@fairlead/contracts';

/** Where hosted runtimes run. Each step may be run again when it was done before. */
export interface HostedSite {
  readonly steps: readonly {
    readonly title: string;
    readonly run: (name: string, options: { readonly signal: AbortSignal }) => Promise<void>;
  }[];
}

interface ProvisionerDeps {
  /** Of an administrator of the account. */
  readonly api: ApiClient;
  readonly site: HostedSite;
  readonly log: Logger;
  readonly clock: Clock;
}

const askEveryMs = 500;

export async function runProvisioner(deps: ProvisionerDeps, { signal }: { signal: AbortSignal }): Promise<void> {
  const up = new Set<string>();
  let isSilent = false;
  while (!signal.aborted) {
    try {
      const { items } = await deps.api.call('listHostedRuntimes', {}, { signal });
      for (const { name, install } of items) {
        if (up.has(name) || install.state === 'failed') continue;
        if (await bringUp(deps, { name, install, signal })) up.add(name);
      }
      // One that was deleted may be asked for again.
      for (const name of up) if (!items.some((item) => item.name === name)) up.delete(name);
      isSilent = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!isSilent) deps.log.warn({ error: errorMessage(error) }, 'the platform does not say which runtimes to host');
      isSilent = true;
    }
    await sleep(askEveryMs, { signal, clock: deps.clock }).catch(() => undefined); // the loop condition sees the abort
  }
}

interface Wanted {
  readonly name: string;
  readonly install: HostedInstall;
  readonly signal: AbortSignal;
}

async function bringUp({ api, site, log }: ProvisionerDeps, { name, install, signal }: Wanted): Promise<boolean> {
  const isNew = install.state !== 'installed';
  const tell = async (state: HostedInstall['state'], at: number, message?: string) => {
    if (!isNew) return;
    const steps = site.steps.map(({ title }, index) => ({ title, status: statusAt(index, at, state) }));
    const body = { state, steps, ...(message === undefined ? {} : { message }) };
    await api.call('reportHostedInstall', { params: { runtime: name }, body }, { signal });
  };
  let at = 0;
  try {
    for (const { run } of site.steps) {
      await tell('installing', at);
      await run(name, { signal });
      at++;
    }
    await tell('installed', at);
    log.info({ runtime: name }, 'hosted runtime is up');
    return true;
  } catch (error) {
    if (signal.aborted || isAbortError(error)) throw error;
    log.error({ runtime: name, step: site.steps[at]?.title, error: errorMessage(error) }, 'hosted runtime is not up');
    await tell(
      'failed',
      at,
      `${site.steps[at]?.title ?? 'installation'}: ${errorMessage(error)}; ask for it again to retry`,
    );
    return false;
  }
}

function statusAt(index: number, at: number, state: HostedInstall['state']): InstallStep['status'] {
  if (index < at) return 'done';
  if (index > at) return 'waiting';
  return state === 'failed' ? 'failed' : 'running';
}
