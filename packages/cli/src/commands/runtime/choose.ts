import { FairleadError } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';
import { activeContext } from '../../contexts/index.ts';
import { knownRuntime, runtimeNames } from '../../known-runtime.ts';
import type { GlobalOptions } from '../../platform-client.ts';

/** The runtime that was named, by the command or by the context in use, or the only one there is. */
export async function chooseRuntime(
  api: ApiClient,
  given: string | undefined,
  { home }: GlobalOptions,
): Promise<string> {
  const named = given ?? activeContext(home, process.env)?.runtime;
  if (named !== undefined) return knownRuntime(api, named);
  const names = await runtimeNames(api);
  const [only] = names;
  if (names.length === 1 && only) return only;
  const which =
    names.length === 0
      ? 'there is no runtime yet; fairlead setup installs one'
      : `say which runtime with --runtime: ${names.join(', ')}`;
  throw new FairleadError('bad_usage', which);
}
