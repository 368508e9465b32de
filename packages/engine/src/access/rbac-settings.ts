// `argocd-rbac-cm`: the policy people write, who everybody is, and which claims of a token name groups. Pure.
import { parseDocuments } from '@fairlead/render';
import type { MatchMode } from './policy.ts';
import { type PolicyParts, parsePolicy } from './policy-text.ts';

export interface RbacSettings {
  readonly policy: PolicyParts;
  /** The role of everybody who is signed in; empty: none. */
  readonly defaultRole: string;
  readonly scopes: readonly string[];
  readonly matchMode: MatchMode;
}

const defaultScopes = ['groups'];

export const noRbacSettings: RbacSettings = {
  policy: { rules: [], links: [] },
  defaultRole: '',
  scopes: defaultScopes,
  matchMode: 'glob',
};

/** `policy.csv` first, then `policy.<anything>.csv` by name. Throws when a line cannot be read. */
export function parseRbacSettings(data: Readonly<Record<string, unknown>>): RbacSettings {
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const more = Object.keys(data).filter((key) => /^policy\..*\.csv$/.test(key));
  const policy = parsePolicy(['policy.csv', ...more.sort()].map(text).join('\n'));
  const [scopes] = text('scopes') ? parseDocuments(text('scopes'), 'argocd-rbac-cm scopes') : [];
  if (scopes !== undefined && !Array.isArray(scopes))
    throw new Error('scopes: must be a list of claims, e.g. [groups]');
  return {
    policy,
    defaultRole: text('policy.default'),
    scopes: scopes?.map(String) ?? defaultScopes,
    matchMode: text('policy.matchMode') === 'regex' ? 'regex' : 'glob',
  };
}
