// Role-based access: what a user may do is the sum of the roles bound to the name and the groups. Nothing forbids; what no
// rule allows is refused.
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import type { Store } from '../storage/index.ts';
import { masters, type User } from './user.ts';

export interface Deed {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathDeed {
  readonly verb: string;
  readonly path: string;
}

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';

export class Authorizer {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  allows(user: User, deed: Deed): boolean {
    return this.rulesFor(user, deed.namespace).some((rule) => coversDeed(rule, deed));
  }

  allowsPath(user: User, { verb, path }: PathDeed): boolean {
    const covers = ({ verbs, nonResourceURLs = [] }: Rule) =>
      has(verbs, verb) && nonResourceURLs.some((url) => matchesPath(url, path));
    return this.rulesFor(user, '').some(covers);
  }

  /** What holds in the whole cluster, and in the namespace when one is named. */
  rulesFor(user: User, namespace: string): readonly Rule[] {
    if (user.groups.includes(masters)) return [everything, everyPath];
    const bindings = [...this.#store.collection(`${rbac}/clusterrolebindings`).scan()];
    if (namespace !== '') bindings.push(...this.#store.collection(`${rbac}/rolebindings`).scan({ namespace }));
    return bindings
      .map(({ object }) => object)
      .filter((binding) => isBound(user, binding))
      .flatMap((binding) => this.#rulesOf(binding));
  }

  /** Roles that bindings of the user name and that are not there; a refusal tells of them. */
  missingRoles(user: User, namespace: string): readonly string[] {
    const bindings = [...this.#store.collection(`${rbac}/clusterrolebindings`).scan()];
    if (namespace !== '') bindings.push(...this.#store.collection(`${rbac}/rolebindings`).scan({ namespace }));
    return bindings
      .filter(({ object }) => isBound(user, object) && !this.#roleOf(object))
      .map(({ object }) => {
        const { kind, name } = recordAt(object, 'roleRef');
        return `${String(kind).toLowerCase()}.${rbac} ${JSON.stringify(name)} not found`;
      });
  }

  #roleOf(binding: KubeObject) {
    const { kind, name = '' } = recordAt(binding, 'roleRef');
    return kind === 'ClusterRole'
      ? this.#store.read(`${rbac}/clusterroles`, '', String(name))
      : this.#store.read(`${rbac}/roles`, binding.metadata.namespace ?? '', String(name));
  }

  #rulesOf(binding: KubeObject): readonly Rule[] {
    return listAt(this.#roleOf(binding)?.object, 'rules') as readonly Rule[]; // the kind's schema says so
  }
}

const everything: Rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
const everyPath: Rule = { verbs: ['*'], nonResourceURLs: ['*'] };

const has = (list: readonly string[] | undefined, wanted: string) =>
  list?.some((one) => one === '*' || one === wanted) ?? false;

function coversDeed(rule: Rule, { verb, group, resource, subresource, name }: Deed): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const isNamed = !rule.resourceNames?.length || (name !== '' && rule.resourceNames.includes(name));
  const hasResource =
    has(rule.resources, full) || (subresource !== '' && (rule.resources?.includes(`*/${subresource}`) ?? false));
  return has(rule.verbs, verb) && has(rule.apiGroups, group) && hasResource && isNamed;
}

const matchesPath = (url: string, path: string) =>
  url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));

function isBound({ username, groups }: User, binding: KubeObject): boolean {
  return listAt(binding, 'subjects').some((subject) => {
    if (!isRecord(subject)) return false;
    const name = stringAt(subject, 'name') ?? '';
    if (subject['kind'] === 'User') return name === username;
    if (subject['kind'] === 'Group') return groups.includes(name);
    const namespace = stringAt(subject, 'namespace') ?? binding.metadata.namespace ?? '';
    return username === `system:serviceaccount:${namespace}:${name}`;
  });
}
