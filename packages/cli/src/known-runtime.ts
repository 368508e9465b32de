import { FairleadError } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';

/** The name, when there is such a runtime; otherwise it is told which there are. */
export async function knownRuntime(api: ApiClient, named: string): Promise<string> {
  const names = await runtimeNames(api);
  if (names.includes(named)) return named;
  throw new FairleadError('not_found', `there is no runtime ${named}; there are: ${names.join(', ') || 'none'}`);
}

export const runtimeNames = async (api: ApiClient): Promise<string[]> =>
  (await api.call('listRuntimes', {})).items.map(({ name }) => name);
