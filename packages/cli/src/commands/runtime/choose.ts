import { FairleadError } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';

/** The runtime that was named, or the only one there is. */
export async function chooseRuntime(api: ApiClient, named: string | undefined): Promise<string> {
  const { items } = await api.call('listRuntimes', {});
  const names = items.map(({ name }) => name);
  if (named !== undefined) {
    if (names.includes(named)) return named;
    throw new FairleadError('not_found', `there is no runtime ${named}; there are: ${names.join(', ') || 'none'}`);
  }
  const [only] = names;
  if (names.length === 1 && only) return only;
  const which =
    names.length === 0 ? 'there is no runtime yet' : `say which runtime with --runtime: ${names.join(', ')}`;
  throw new FairleadError('bad_usage', which);
}
