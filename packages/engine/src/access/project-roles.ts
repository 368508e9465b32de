// The roles of an AppProject: what their policies say, whether they may say it, and the tokens that were given out for
// them. A token counts as long as it stands in the project. Pure.
import { isRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube';
import { projectScoped } from './built-in-policy.ts';
import { type PolicyParts, parsePolicy } from './policy-text.ts';

export interface RoleToken {
  readonly id: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp?: number;
}

export const roleSubject = (project: string, role: string): string => `proj:${project}:${role}`;

export function parseRoleSubject(subject: string): { readonly project: string; readonly role: string } | undefined {
  const [type, project, role, ...rest] = subject.split(':');
  return type === 'proj' && project !== undefined && role !== undefined && rest.length === 0
    ? { project, role }
    : undefined;
}

const rolesOf = (project: KubeObject) => listAt(project, 'spec', 'roles').filter(isRecord);
const textsAt = (value: unknown, field: string) =>
  listAt(value, field).filter((entry): entry is string => typeof entry === 'string');

export const roleNamed = (project: KubeObject, name: string): Record<string, unknown> | undefined =>
  rolesOf(project).find((role) => role['name'] === name);

export const groupsOf = (role: Record<string, unknown>): readonly string[] => textsAt(role, 'groups');

/** Every role may see its project; the rest is what the policies say. Nothing when any of them cannot be read. */
export function projectPolicy(project: KubeObject): PolicyParts {
  const { name } = project.metadata;
  const lines = rolesOf(project).flatMap((role) => {
    const subject = roleSubject(name, stringAt(role, 'name') ?? '');
    const groups = groupsOf(role).map((group) => `g, ${group}, ${subject}`);
    return [`p, ${subject}, projects, get, ${name}, allow`, ...textsAt(role, 'policies'), ...groups];
  });
  try {
    return parsePolicy(lines.join('\n'));
  } catch {
    return { rules: [], links: [] };
  }
}

const plainActions: readonly string[] = ['get', 'create', 'update', 'delete', 'sync', 'override', '*'];
const actionPattern = /(?:action|update|delete)\/.*/;

/** What is wrong with the roles of a project, in Argo CD's words. */
export function roleProblems(project: KubeObject): string[] {
  const names = new Set<string>();
  return rolesOf(project).flatMap((role) => {
    const name = stringAt(role, 'name') ?? '';
    if (names.has(name)) return [`role '${name}' already exists`];
    names.add(name);
    if (!/^[a-zA-Z0-9](?:[-_a-zA-Z0-9]*[a-zA-Z0-9])?$/.test(name)) {
      return [
        `invalid role name '${name}'. Must consist of alphanumeric characters, '-' or '_', and must start and end with an alphanumeric character`,
      ];
    }
    const policies = textsAt(role, 'policies');
    const twice = policies.find((policy, index) => policies.indexOf(policy) !== index);
    if (twice !== undefined) return [`policy '${twice}' already exists for role '${name}'`];
    return policies.flatMap((policy) => policyProblem(project.metadata.name, name, policy) ?? []);
  });
}

function policyProblem(project: string, role: string, policy: string): string | undefined {
  const fields = policy.split(',').map((field) => field.trim());
  const start = `invalid policy rule '${policy}':`;
  const [type, subject = '', resource = '', action = '', object = '', effect = ''] = fields;
  if (fields.length !== 6 || type !== 'p') return `${start} must be of the form: 'p, sub, res, act, obj, eft'`;
  const expected = roleSubject(project, role);
  if (subject !== expected) return `${start} policy subject must be: '${expected}', not '${subject}'`;
  if (!projectScoped.some((known) => known === resource)) {
    return `${start} project resource must be: 'applications', 'applicationsets', 'repositories', 'exec', 'logs' or 'clusters', not '${resource}'`;
  }
  if (!plainActions.includes(action) && !actionPattern.test(action)) return `${start} invalid action '${action}'`;
  if (!isObjectOf(project, object)) {
    return `${start} object must be of form '${project}/*', '${project}[/<NAMESPACE>]/<APPNAME>' or '${project}/<APPNAME>', not '${object}'`;
  }
  if (effect !== 'allow' && effect !== 'deny') return `${start} effect must be: 'allow' or 'deny'`;
  return undefined;
}

const isObjectOf = (project: string, object: string) =>
  object.startsWith(`${project}/`) && /^(?:[*\w.-]+\/)?[*\w.-]+$/.test(object.slice(project.length + 1));

function tokensIn(entries: readonly unknown[]): RoleToken[] {
  return entries.filter(isRecord).map((entry) => {
    const iat = Number(entry['iat'] ?? 0);
    const exp = Number(entry['exp'] ?? 0);
    return { iat, id: stringAt(entry, 'id') || String(iat), ...(exp > 0 ? { exp } : {}) };
  });
}

/** Those of the status, where Argo CD keeps them, and of the spec, where it kept them before. */
export function roleTokens(project: KubeObject, role: string): readonly RoleToken[] {
  const kept = tokensIn(listAt(valueAt(project, 'status', 'jwtTokensByRole', role), 'items'));
  const older = tokensIn(listAt(roleNamed(project, role), 'jwtTokens'));
  return [...kept, ...older.filter(({ id }) => kept.every((token) => token.id !== id))];
}

export const isSameToken = (token: RoleToken, { id, iat }: { readonly id: string; readonly iat: number }): boolean =>
  id === '' ? token.iat === iat : token.id === id;

/** The project with other tokens of a role, in both places. */
export function withRoleTokens(project: KubeObject, role: string, tokens: readonly RoleToken[]): KubeObject {
  const status = recordAt(project, 'status');
  const byRole = { ...recordAt(status, 'jwtTokensByRole'), [role]: { items: tokens } };
  const roles = rolesOf(project).map((entry) => (entry['name'] === role ? { ...entry, jwtTokens: tokens } : entry));
  const spec = { ...recordAt(project, 'spec'), roles };
  return { ...project, spec, status: { ...status, jwtTokensByRole: byRole } };
}
