// The two roles that are always there: `role:readonly` sees everything but runs nothing, `role:admin` may do everything
// as well; the account `admin` has the latter.
import type { PolicyParts, PolicyRule } from './policy-text.ts';

export const resources = [
  'clusters',
  'projects',
  'applications',
  'applicationsets',
  'repositories',
  'write-repositories',
  'certificates',
  'accounts',
  'gpgkeys',
  'logs',
  'exec',
  'extensions',
] as const;
export type Resource = (typeof resources)[number];

export const actions = ['get', 'create', 'update', 'delete', 'sync', 'override', 'action', 'invoke'] as const;

/** Objects of these are named `project/name`. */
const inProjects: readonly Resource[] = ['applications', 'applicationsets', 'logs', 'exec'];
/** What roles of projects may be about. */
export const projectScoped: readonly Resource[] = [...inProjects, 'clusters', 'repositories'];

const seen: readonly Resource[] = [
  'applications',
  'applicationsets',
  'certificates',
  'clusters',
  'repositories',
  'write-repositories',
  'projects',
  'accounts',
  'gpgkeys',
  'logs',
];

const changed: Partial<Record<Resource, readonly string[]>> = {
  applications: ['create', 'update', 'update/*', 'delete', 'delete/*', 'sync', 'override', 'action/*'],
  applicationsets: ['get', 'create', 'update', 'delete'],
  certificates: ['create', 'update', 'delete'],
  clusters: ['create', 'update', 'delete'],
  repositories: ['create', 'update', 'delete'],
  'write-repositories': ['create', 'update', 'delete'],
  projects: ['create', 'update', 'delete'],
  accounts: ['update'],
  gpgkeys: ['create', 'delete'],
  exec: ['create'],
};

function allow(subject: string, resource: Resource, action: string): PolicyRule {
  return { subject, resource, action, object: inProjects.includes(resource) ? '*/*' : '*', effect: 'allow' };
}

export const builtInPolicy: PolicyParts = {
  rules: [
    ...seen.map((resource) => allow('role:readonly', resource, 'get')),
    ...resources.flatMap((resource) =>
      (changed[resource] ?? []).map((action) => allow('role:admin', resource, action)),
    ),
  ],
  links: [
    { member: 'role:admin', role: 'role:readonly' },
    { member: 'admin', role: 'role:admin' },
  ],
};
