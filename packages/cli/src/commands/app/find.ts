import { FairleadError } from '@fairlead/base';
import type { ApiClient, ApplicationId, ApplicationRow } from '@fairlead/contracts';

/** People name an application by its name, or by `runtime/namespace/name` where a name is not unique. */
export async function findApplication(api: ApiClient, text: string): Promise<ApplicationId> {
  const parts = text.split('/');
  const [runtime, namespace, name] = parts;
  if (parts.length === 3 && runtime && namespace && name) return { runtime, namespace, name };
  const { items } = await api.call('listApplications', { query: { search: text, limit: 500 } });
  const found = items.filter((row) => row.id.name === text);
  const [only] = found;
  if (found.length === 1 && only) return only.id;
  if (found.length === 0)
    throw new FairleadError('not_found', `there is no application ${text}; see fairlead app list`);
  throw new FairleadError(
    'bad_usage',
    `${text} is the name of ${found.length} applications; say which: ${found.map(fullName).join(', ')}`,
  );
}

export const fullName = ({ id }: Pick<ApplicationRow, 'id'>): string => `${id.runtime}/${id.namespace}/${id.name}`;
