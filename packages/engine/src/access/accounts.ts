// Local accounts: `accounts.NAME: apiKey, login` and `accounts.NAME.enabled` of `argocd-cm`; their password hashes and the
// tokens that count in the Secret `argocd-secret`. The account `admin` is always there. Pure.
import { isRecord, type KubeObject, recordAt, stringAt } from '@fairlead/kube';

export type Capability = 'apiKey' | 'login';

export interface AccountToken {
  readonly id: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp?: number;
}

export interface Account {
  readonly name: string;
  readonly enabled: boolean;
  readonly capabilities: readonly Capability[];
  readonly tokens: readonly AccountToken[];
  /** bcrypt. */
  readonly passwordHash: string;
  /** Sessions and tokens from before this second count no longer. */
  readonly passwordChangedAt?: number;
}

export const adminName = 'admin';

/** What `argocd-secret` calls the fields of an account. */
export const secretPrefix = (name: string): string => (name === adminName ? adminName : `accounts.${name}`);

export function parseAccounts(settings: Readonly<Record<string, unknown>>, secret: KubeObject | undefined): Account[] {
  const given = Object.keys(settings).flatMap((key) => {
    const [prefix, name, ...rest] = key.split('.');
    const isField = rest.length === 0 || (rest.length === 1 && rest[0] === 'enabled');
    return prefix === 'accounts' && name && isField ? [name] : [];
  });
  return [...new Set([adminName, ...given])].sort().map((name) => accountOf(name, settings, secret));
}

function accountOf(name: string, settings: Readonly<Record<string, unknown>>, secret: KubeObject | undefined): Account {
  const listed = String(settings[`accounts.${name}`] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text): text is Capability => text === 'apiKey' || text === 'login');
  const isAdmin = name === adminName;
  const capabilities = isAdmin ? (['login', 'apiKey'] as const) : [...new Set(listed)];
  const enabled = settings[isAdmin ? 'admin.enabled' : `accounts.${name}.enabled`];
  const prefix = secretPrefix(name);
  const changed = Date.parse(secretField(secret, `${prefix}.passwordMtime`));
  return {
    name,
    enabled: enabled === undefined || /^(?:1|t|true)$/i.test(String(enabled)),
    capabilities,
    tokens: parseTokens(secretField(secret, `${prefix}.tokens`)),
    passwordHash: secretField(secret, `${prefix}.password`),
    ...(Number.isNaN(changed) ? {} : { passwordChangedAt: changed / 1000 }),
  };
}

function secretField(secret: KubeObject | undefined, name: string): string {
  const encoded = recordAt(secret, 'data')[name];
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : '';
}

/** A list that cannot be read holds no token. */
function parseTokens(text: string): AccountToken[] {
  if (text === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : []).filter(isRecord).map((entry) => {
    const exp = Number(entry['exp'] ?? 0);
    return { id: stringAt(entry, 'id') ?? '', iat: Number(entry['iat'] ?? 0), ...(exp > 0 ? { exp } : {}) };
  });
}
