// Questions instead of objects: may I, who am I. They are answered at once and never stored.
import { type JsonRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import type { User } from '../access/index.ts';
import { type Gate, userOfToken } from './authorization.ts';

const authorization = 'authorization.k8s.io';
const authentication = 'authentication.k8s.io';

const review = (group: string, kind: string, namespaced = false) => ({
  group,
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  namespaced,
  shortNames: [],
  categories: [],
  verbs: ['create'],
});

export const reviewKinds = [
  review(authorization, 'SelfSubjectAccessReview'),
  review(authorization, 'SelfSubjectRulesReview'),
  review(authorization, 'SubjectAccessReview'),
  review(authorization, 'LocalSubjectAccessReview', true),
  review(authentication, 'SelfSubjectReview'),
  review(authentication, 'TokenReview'),
] as const;

interface Asked {
  readonly user: User | undefined;
  readonly gate: Gate;
}

/** The answer to a review; undefined when the path is not one. */
export function answerReview(
  path: { group: string; version: string; plural: string },
  body: KubeObject,
  asked: Asked,
): object | undefined {
  const kind = reviewKinds.find(
    ({ group, version, plural }) => group === path.group && version === path.version && plural === path.plural,
  );
  if (!kind) return undefined;
  return {
    ...body,
    kind: kind.kind,
    apiVersion: `${kind.group}/v1`,
    metadata: { creationTimestamp: null },
    status: statusOf(kind.kind, recordAt(body, 'spec'), asked),
  };
}

function statusOf(kind: string, spec: JsonRecord, { user, gate }: Asked): object {
  const self = user ?? { username: '', groups: [] };
  if (kind === 'SelfSubjectReview') return { userInfo: self };
  if (kind === 'TokenReview') {
    const owner = typeof spec['token'] === 'string' ? userOfToken(spec['token'], gate) : undefined;
    return owner ? { authenticated: true, user: owner } : { authenticated: false };
  }
  if (kind === 'SelfSubjectRulesReview') {
    const rules = gate.authorizer.rulesFor(self, stringAt(spec, 'namespace') ?? '');
    return {
      incomplete: false,
      resourceRules: rules.filter(({ resources }) => resources !== undefined),
      nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs !== undefined),
    };
  }
  const groups = listAt(spec, 'groups').map(String);
  const subject = kind === 'SelfSubjectAccessReview' ? self : { username: stringAt(spec, 'user') ?? '', groups };
  return { allowed: isAllowed(subject, spec, gate) };
}

function isAllowed(user: User, spec: JsonRecord, { authorizer }: Gate): boolean {
  const path = recordAt(spec, 'nonResourceAttributes');
  if (path['path'] !== undefined) {
    return authorizer.allowsPath(user, { verb: stringAt(path, 'verb') ?? '', path: stringAt(path, 'path') ?? '' });
  }
  const wanted = recordAt(spec, 'resourceAttributes');
  const text = (key: string) => stringAt(wanted, key) ?? '';
  return authorizer.allows(user, {
    verb: text('verb'),
    group: text('group'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
  });
}
