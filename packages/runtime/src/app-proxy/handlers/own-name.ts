import { ProxyError } from '../errors.ts';
import type { HandlerDeps } from './deps.ts';

export function ownName({ identity }: Pick<HandlerDeps, 'identity'>): string {
  const own = identity();
  if (!own) throw new ProxyError('unavailable', 'the runtime is not registered yet');
  return own.runtimeName;
}
