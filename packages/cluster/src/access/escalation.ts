// Nobody may give away what they do not hold: who writes a role or binds one needs every right in it, or the right to
// escalate (roles) or bind (bindings) by name.
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import type { Store } from '../storage/index.ts';
import type { Authorizer, Rule } from './authorizer.ts';
import type { User } from './user.ts';

const group = 'rbac.authorization.k8s.io';

export interface Grant {
  readonly user: User;
  /** `roles`, `clusterrolebindings` and so on. */
  readonly plural: string;
  readonly object: KubeObject;
}

/** Why the grant is refused; undefined when it may be made. */
export function escalation({ user, plural, object }: Grant, authorizer: Authorizer, store: Store): string | undefined {
  const { namespace = '', name } = object.metadata;
  const isBinding = plural.endsWith('bindings');
  const role = isBinding ? referredRole(object) : { plural, name };
  const verb = isBinding ? 'bind' : 'escalate';
  const deed = { verb, group, resource: role.plural, subresource: '', namespace, name: role.name };
  if (authorizer.allows(user, deed)) return undefined;
  const inNamespace = role.plural === 'roles' ? namespace : '';
  const granted = isBinding ? store.read(`${group}/${role.plural}`, inNamespace, role.name)?.object : object;
  const missing = missingRules(listAt(granted, 'rules') as readonly Rule[], authorizer.rulesFor(user, namespace)); // rules by the kind's schema
  if (missing.length === 0) return undefined;
  const who = `user ${JSON.stringify(user.username)} (groups=[${user.groups.map((one) => JSON.stringify(one)).join(' ')}])`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${missing.join('\n')}`;
}

function referredRole(binding: KubeObject): { plural: string; name: string } {
  const { kind } = recordAt(binding, 'roleRef');
  return {
    plural: kind === 'ClusterRole' ? 'clusterroles' : 'roles',
    name: stringAt(binding, 'roleRef', 'name') ?? '',
  };
}

/** The wanted rights that no held rule covers, one line for each resource, as Kubernetes prints rules. */
function missingRules(wanted: readonly Rule[], held: readonly Rule[]): readonly string[] {
  return wanted.flatMap((rule) => {
    const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    const paths = nonResourceURLs.filter(
      (url) => !verbs.every((verb) => held.some((one) => holdsPath(one, verb, url))),
    );
    const names = resourceNames.length === 0 ? [undefined] : resourceNames;
    const lines = apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => {
        const lacking = verbs.filter(
          (verb) => !names.every((name) => held.some((one) => holds(one, { verb, apiGroup, resource, name }))),
        );
        const limited = resourceNames.length === 0 ? '' : `, ResourceNames:${shown(resourceNames)}`;
        const what = `APIGroups:${shown([apiGroup])}, Resources:${shown([resource])}${limited}`;
        return lacking.length === 0 ? [] : [`{${what}, Verbs:${shown(lacking)}}`];
      }),
    );
    return [...lines, ...paths.map((url) => `{NonResourceURLs:${shown([url])}, Verbs:${shown(verbs)}}`)];
  });
}

const shown = (texts: readonly string[]) => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
const has = (list: readonly string[] | undefined, one: string) =>
  list?.some((text) => text === '*' || text === one) ?? false;

interface Right {
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly name: string | undefined;
}

function holds(rule: Rule, { verb, apiGroup, resource, name }: Right): boolean {
  const [, subresource] = resource.split('/');
  const hasResource =
    has(rule.resources, resource) || (subresource !== undefined && has(rule.resources, `*/${subresource}`));
  const isNamed = !rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name));
  return has(rule.verbs, verb) && has(rule.apiGroups, apiGroup) && hasResource && isNamed;
}

const holdsPath = ({ verbs, nonResourceURLs = [] }: Rule, verb: string, url: string) =>
  has(verbs, verb) &&
  nonResourceURLs.some(
    (held) => held === '*' || held === url || (held.endsWith('*') && url.startsWith(held.slice(0, -1))),
  );
