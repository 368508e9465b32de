// Keeps the runtime's one tunnel open, as whoever the runtime is at the moment. When the platform refuses for good it
// stops and waits for another identity: a person has to act.
import { anySignal, type Clock, errorMessage, type Logger } from '@fairlead/base';
import { accessModeRefusal, type RuntimeIdentity, tunnelPath } from '@fairlead/contracts';
import { dialTunnel, TunnelRefusedError } from '@fairlead/tunnel';
import { type IdentityWatch, RuntimeTokens } from '../identity/index.ts';
import { version } from '../version.ts';

/** How the tunnel is, in words for people where it is not open. */
export interface TunnelStanding {
  readonly isConnected: boolean;
  /** The platform reaches the runtime in another way, and told so. */
  readonly isUnwanted?: boolean;
  readonly reason?: string;
}

export const unregistered: TunnelStanding = { isConnected: false, reason: 'the runtime is not registered yet' };

interface TunnelClientDeps {
  readonly identities: IdentityWatch;
  readonly routerUrl: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onStanding: (standing: TunnelStanding) => void;
}

export async function keepTunnel(deps: TunnelClientDeps, { signal }: { signal: AbortSignal }): Promise<void> {
  const { identities, log, onStanding } = deps;
  let identity: RuntimeIdentity | undefined;
  while (!signal.aborted) {
    identity = await identities.next(identity, { signal });
    const replaced = new AbortController();
    const both = anySignal([signal, replaced.signal]);
    const used = identity;
    identities.next(used, { signal: both }).then(
      () => replaced.abort(),
      () => undefined, // aborted: nobody waits for the next one any more
    );
    try {
      await dial(deps, { identity: used, signal: both });
      onStanding(unregistered);
    } catch (error) {
      if (!(error instanceof TunnelRefusedError)) throw error;
      log.error(
        { runtime: used.runtimeName, code: error.code, reason: errorMessage(error) },
        'the platform refuses this runtime; register it anew',
      );
      onStanding({
        isConnected: false,
        reason: `the platform refuses this runtime: ${errorMessage(error)}; register it anew`,
      });
    } finally {
      if (!replaced.signal.aborted && !signal.aborted) await identities.next(used, { signal }).catch(() => undefined); // the loop sees the abort
    }
  }
}

interface Dial {
  readonly identity: RuntimeIdentity;
  readonly signal: AbortSignal;
}

function dial({ routerUrl, log, clock, onStanding }: TunnelClientDeps, { identity, signal }: Dial): Promise<void> {
  const tokens = new RuntimeTokens(identity, { clock });
  const closed: TunnelStanding = {
    isConnected: false,
    reason: `the tunnel to ${identity.platformUrl} is not open, and is dialled again and again`,
  };
  onStanding(closed);
  return dialTunnel({
    url: `${identity.platformUrl.replace(/^http/, 'ws')}${tunnelPath}`,
    proof: (nonce) => tokens.proof(nonce),
    origin: routerUrl,
    runtimeVersion: version,
    signal,
    log: log.child({ runtime: identity.runtimeName }),
    clock,
    onState: (state, refusal) => {
      if (state === 'connected') onStanding({ isConnected: true });
      if (state !== 'waiting') return; // while it dials again, what was said last holds
      const isUnwanted = refusal?.code === accessModeRefusal;
      onStanding(refusal ? { isConnected: false, isUnwanted, reason: errorMessage(refusal) } : closed);
    },
  });
}
