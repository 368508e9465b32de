import { sha256Hex } from '@fairlead/base';
import type { RuntimeIdentity } from '@fairlead/contracts';
import { Redactor } from '../../application-reporter/index.ts';
import { ProxyError } from '../errors.ts';

/** The same key as the reporter's, so that a value looks the same reported and live. */
export function redactorOf(identity: () => RuntimeIdentity | undefined): Redactor {
  const own = identity();
  if (!own) throw new ProxyError('unavailable', 'the runtime is not registered yet');
  return new Redactor(sha256Hex(`fairlead redaction ${own.privateKey.d}`));
}
