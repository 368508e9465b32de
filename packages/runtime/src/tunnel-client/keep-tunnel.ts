// Keeps the runtime's one tunnel open, as whoever the runtime is at the moment. When the platform refuses for good it
// stops and waits for another identity: a person has to act.
import { type Clock, errorMessage, type Logger } from '@fairlead/base';
import { type RuntimeIdentity, tunnelPath } from '@fairlead/contracts';
import { dialTunnel, TunnelRefusedError } from '@fairlead/tunnel';
import { type IdentityWatch, RuntimeTokens } from '../identity/index.ts';
import { version } from '../version.ts';

interface TunnelClientDeps {
  readonly identities: IdentityWatch;
  readonly routerUrl: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onConnected: (isConnected: boolean) => void;
}

export async function keepTunnel(deps: TunnelClientDeps, { signal }: { signal: AbortSignal }): Promise<void> {
  const { identities, log, onConnected } = deps;
  let identity: RuntimeIdentity | undefined;
  while (!signal.aborted) {
    identity = await identities.next(identity, { signal });
    const replaced = new AbortController();
    const both = AbortSignal.any([signal, replaced.signal]);
    const used = identity;
    identities.next(used, { signal: both }).then(
      () => replaced.abort(),
      () => undefined, // aborted: nobody waits for the next one any more
    );
    try {
      await dial(deps, { identity: used, signal: both, onConnected });
    } catch (error) {
      if (!(error instanceof TunnelRefusedError)) throw error;
      log.error(
        { runtime: used.runtimeName, code: error.code, reason: errorMessage(error) },
        'the platform refuses this runtime; register it anew',
      );
    } finally {
      onConnected(false);
      if (!replaced.signal.aborted && !signal.aborted) await identities.next(used, { signal }).catch(() => undefined); // the loop sees the abort
    }
  }
}

interface Dial {
  readonly identity: RuntimeIdentity;
  readonly signal: AbortSignal;
  readonly onConnected: (connected: boolean) => void;
}

function dial({ routerUrl, log, clock }: TunnelClientDeps, { identity, signal, onConnected }: Dial): Promise<void> {
  const tokens = new RuntimeTokens(identity, { clock });
  return dialTunnel({
    url: `${identity.platformUrl.replace(/^http/, 'ws')}${tunnelPath}`,
    proof: (nonce) => tokens.proof(nonce),
    origin: routerUrl,
    runtimeVersion: version,
    signal,
    log: log.child({ runtime: identity.runtimeName }),
    clock,
    onState: (state) => onConnected(state === 'connected'),
  });
}
