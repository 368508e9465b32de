// Whether somebody may do something: the built-in roles, `argocd-rbac-cm` as it is now, and the roles of the project that
// the request is about, together as Argo CD puts them together. A policy that cannot be read is told in the log and
// changes nothing: the last good one holds.
import { errorMessage, type Logger } from '@fairlead/base';
import { Informer, type KubeClient, type KubeObject, recordAt } from '@fairlead/kube';
import { builtInPolicy, type Resource } from './built-in-policy.ts';
import { type AccessRequest, Policy } from './policy.ts';
import { parseRoleSubject, projectPolicy } from './project-roles.ts';
import { noRbacSettings, parseRbacSettings, type RbacSettings } from './rbac-settings.ts';

export interface Caller {
  /** Whom policies name: an account, or `proj:PROJECT:ROLE`. */
  readonly subject: string;
  /** Seconds since 1970; undefined for the engine's own key. */
  readonly issuedAt?: number;
  /** Of the token; those that the policy's scopes name are groups. */
  readonly claims: Readonly<Record<string, unknown>>;
}

interface AccessRulesOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly projectOf: (name: string) => KubeObject | undefined;
  readonly log: Logger;
}

const configMapName = 'argocd-rbac-cm';

export class AccessRules {
  readonly #informer: Informer;
  readonly #projectOf: AccessRulesOptions['projectOf'];
  readonly #log: Logger;
  #settings: RbacSettings = noRbacSettings;
  #common = policyOf(noRbacSettings);
  /** Policies with a project's roles, as long as the project is the same object. */
  #ofProjects = new WeakMap<KubeObject, Policy>();

  constructor({ client, namespace, projectOf, log }: AccessRulesOptions) {
    this.#projectOf = projectOf;
    this.#log = log;
    const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace, fieldSelector: `metadata.name=${configMapName}` };
    this.#informer = new Informer({ client, query, log });
    this.#informer.onChange(() => this.#read());
  }

  async start({ signal }: { signal: AbortSignal }): Promise<{ running: Promise<void> }> {
    const running = this.#informer.run({ signal });
    await this.#informer.synced({ signal });
    return { running };
  }

  permits(caller: Caller, resource: Resource, action: string, object: string): boolean {
    const request = { resource, action, object };
    const { defaultRole } = this.#settings;
    if (defaultRole !== '' && this.#common.permits(defaultRole, request)) return true;
    const project = this.#projectIn(request);
    const policy = project ? this.#policyWith(project) : this.#common;
    if (defaultRole !== '' && policy.permits(defaultRole, request)) return true;
    const role = parseRoleSubject(caller.subject);
    if (project && role) return role.project === project.metadata.name && policy.permits(caller.subject, request);
    if (policy.permits(caller.subject, request)) return true;
    return this.groupsOf(caller).some((group) => policy.hasMember(group) && policy.permits(group, request));
  }

  groupsOf({ claims }: Caller): readonly string[] {
    return this.#settings.scopes
      .flatMap((scope) => claims[scope] ?? [])
      .filter((group): group is string => typeof group === 'string');
  }

  /** The project whose roles count; objects of these kinds are named `project/name`. */
  #projectIn({ resource, object }: AccessRequest): KubeObject | undefined {
    if (resource === 'projects') return this.#projectOf(object);
    const kinds = ['applications', 'applicationsets', 'repositories', 'clusters', 'logs', 'exec'];
    const [name = '', ...rest] = object.split('/');
    return kinds.includes(resource) && rest.length > 0 ? this.#projectOf(name) : undefined;
  }

  #policyWith(project: KubeObject): Policy {
    const known = this.#ofProjects.get(project);
    if (known) return known;
    const policy = policyOf(this.#settings, project);
    this.#ofProjects.set(project, policy);
    return policy;
  }

  #read(): void {
    const [map] = this.#informer.list();
    try {
      this.#settings = parseRbacSettings(recordAt(map, 'data'));
    } catch (error) {
      this.#log.warn({ configMap: configMapName, error: errorMessage(error) }, 'the last good policy goes on to hold');
      return;
    }
    this.#common = policyOf(this.#settings);
    this.#ofProjects = new WeakMap();
  }
}

const policyOf = ({ policy, matchMode }: RbacSettings, project?: KubeObject) =>
  new Policy([builtInPolicy, policy, ...(project ? [projectPolicy(project)] : [])], matchMode);
