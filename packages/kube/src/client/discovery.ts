// Which kinds the server has, under which plural. Answers are kept per group and version; a kind that is missing is
// looked for once more, since a CRD may have been made a moment ago.
import { apiVersionOf, type GroupVersion, type GroupVersionKind, isRecord, listAt, stringAt } from '../object/index.ts';
import { isNotFound, UnknownKindError } from './errors.ts';
import type { ApiRequest } from './transport.ts';

export interface ApiResource extends GroupVersionKind {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** All kinds a server tells of, and the groups that could not be asked: their kinds are unknown, not absent. */
export interface DiscoveryResult {
  readonly resources: readonly ApiResource[];
  readonly failedGroups: readonly string[];
}

type Ask = (call: ApiRequest) => Promise<unknown>;

export class Discovery {
  readonly #ask: Ask;
  readonly #byVersion = new Map<string, Promise<readonly ApiResource[]>>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async resourceFor(
    gvk: GroupVersionKind,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<ApiResource> {
    const apiVersion = apiVersionOf(gvk);
    const cached = this.#byVersion.get(apiVersion);
    const find = (resources: readonly ApiResource[]) => resources.find((resource) => resource.kind === gvk.kind);
    const found = cached && find(await cached);
    if (found) return found;
    const fresh = find(await this.#resourcesOf(gvk, signal));
    if (!fresh) throw new UnknownKindError(apiVersion, gvk.kind);
    return fresh;
  }

  /** Preferred and other versions of every group, asked afresh. */
  async all({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<DiscoveryResult> {
    const versions: GroupVersion[] = [{ group: '', version: 'v1' }];
    const groups = await this.#ask({ method: 'GET', path: '/apis', signal });
    for (const group of listAt(groups, 'groups')) {
      for (const entry of listAt(group, 'versions')) {
        versions.push({ group: stringAt(group, 'name') ?? '', version: stringAt(entry, 'version') ?? '' });
      }
    }
    const resources: ApiResource[] = [];
    const failedGroups: string[] = [];
    for (const version of versions) {
      try {
        resources.push(...(await this.#resourcesOf(version, signal)));
      } catch (error) {
        if (signal?.aborted) throw error;
        failedGroups.push(version.group); // one broken APIService must not hide the others
      }
    }
    return { resources, failedGroups };
  }

  invalidate(): void {
    this.#byVersion.clear();
  }

  #resourcesOf(version: GroupVersion, signal: AbortSignal | undefined): Promise<readonly ApiResource[]> {
    const apiVersion = apiVersionOf(version);
    const path = version.group === '' ? `/api/${version.version}` : `/apis/${apiVersion}`;
    const asked = this.#ask({ method: 'GET', path, signal }).then(
      (answer) => resourcesIn(answer, version),
      (error: unknown) => {
        if (isNotFound(error)) return [];
        this.#byVersion.delete(apiVersion);
        throw error;
      },
    );
    this.#byVersion.set(apiVersion, asked);
    return asked;
  }
}

function resourcesIn(answer: unknown, { group, version }: GroupVersion): readonly ApiResource[] {
  const rows = listAt(answer, 'resources').filter(isRecord);
  const nameOf = (row: Record<string, unknown>) => stringAt(row, 'name') ?? '';
  const strings = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return rows
    .filter((row) => !nameOf(row).includes('/'))
    .map((row) => ({
      group,
      version,
      kind: stringAt(row, 'kind') ?? '',
      plural: nameOf(row),
      namespaced: row['namespaced'] === true,
      verbs: strings(row['verbs']),
      shortNames: strings(row['shortNames']),
      categories: strings(row['categories']),
      subresources: rows
        .map(nameOf)
        .filter((name) => name.startsWith(`${nameOf(row)}/`))
        .map((name) => name.slice(nameOf(row).length + 1)),
    }));
}
