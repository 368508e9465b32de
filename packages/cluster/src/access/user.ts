/** Who asks. */
export interface User {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Members may do everything; no rule is asked. */
export const masters = 'system:masters';
const authenticated = 'system:authenticated';

export const administrator: User = { username: 'kubernetes-admin', groups: [masters, authenticated] };

export const serviceAccountUser = (namespace: string, name: string, uid: string): User => ({
  username: `system:serviceaccount:${namespace}:${name}`,
  uid,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, authenticated],
});

export const namedUser = (username: string, groups: readonly string[]): User => ({
  username,
  groups: [...new Set([...groups, authenticated])],
});
