import { setMaxListeners } from 'node:events';
import type { RuntimeIdentity } from '@fairlead/contracts';
import type { IdentityWatch } from '../identity/index.ts';

/** A signal that aborts when the identity is replaced by another, or the role stops. */
export function whileCurrent(
  identities: IdentityWatch,
  { identity, signal }: { identity: RuntimeIdentity; signal: AbortSignal },
): { until: AbortSignal; done: () => void } {
  const replaced = new AbortController();
  const until = AbortSignal.any([signal, replaced.signal]);
  setMaxListeners(0, until); // every request and loop of a reporter listens for the end, and leaves when it is over
  const done = () => replaced.abort();
  identities.next(identity, { signal: until }).then(done, done);
  return { until, done };
}
