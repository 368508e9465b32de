// Questions instead of objects: may I, who am I. They are answered at once and never stored. There is one identity, and
// it may do everything.
import { isRecord, type KubeObject } from '@fairlead/kube/object';

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

export const adminUser = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** The answer to a review; undefined when the path is not one. */
export function answerReview(
  path: { group: string; version: string; plural: string },
  body: KubeObject,
  isKnownToken: (token: string) => boolean,
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
    status: statusOf(kind.kind, body, isKnownToken),
  };
}

function statusOf(kind: string, body: KubeObject, isKnownToken: (token: string) => boolean): object {
  const spec = isRecord(body['spec']) ? body['spec'] : {};
  if (kind === 'SelfSubjectReview') return { userInfo: adminUser };
  if (kind === 'TokenReview') {
    const isKnown = typeof spec['token'] === 'string' && isKnownToken(spec['token']);
    return isKnown ? { authenticated: true, user: adminUser } : { authenticated: false };
  }
  if (kind === 'SelfSubjectRulesReview') {
    return {
      incomplete: false,
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    };
  }
  return { allowed: true };
}
