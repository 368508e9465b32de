// Argo CD's REST API, as far as the runtime needs it; our own engine speaks the same. Answers are the engine's own:
// they are read leniently, since every version adds fields.
import type {
  Application,
  ApplicationSyncRequest,
  ApplicationTree,
  EngineCluster,
  ManagedResource,
  RevisionMetadata,
} from '@fairlead/contracts';
import { type ConnectionOptions, EngineConnection } from './engine-connection.ts';
import { EngineRefusedError } from './errors.ts';

export interface ApplicationName {
  readonly namespace: string;
  readonly name: string;
}

export interface EngineVersion {
  readonly kind: 'fairlead' | 'argo-cd';
  readonly version: string;
}

/** One object of an application, as Argo CD wants it named. */
export interface EngineResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

export interface LogQuery {
  /** All pods below it; without it, all of the application. */
  readonly of?: EngineResource | undefined;
  readonly pod?: string | undefined;
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly previous?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
}

export interface EngineLogLine {
  readonly content: string;
  readonly timeStampStr: string;
  readonly podName: string;
}

export interface EngineAction {
  readonly name: string;
  readonly displayName?: string;
  readonly disabled?: boolean;
  readonly params?: readonly { readonly name: string; readonly default?: string }[];
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

export class ArgoCdClient {
  readonly #connection: EngineConnection;

  constructor(options: ConnectionOptions) {
    this.#connection = new EngineConnection(options);
  }

  async version(call: Call = {}): Promise<EngineVersion> {
    const answer = (await this.#connection.send({ method: 'GET', path: '/api/version', ...call })) as {
      Version?: string;
    };
    const version = answer.Version ?? '';
    return { kind: version.includes('fairlead') ? 'fairlead' : 'argo-cd', version };
  }

  async listApplications(call: Call = {}): Promise<readonly Application[]> {
    const answer = await this.#connection.send({ method: 'GET', path: '/api/v1/applications', ...call });
    return (answer as { items?: Application[] | null }).items ?? [];
  }

  async getApplication(app: ApplicationName, call: Call = {}): Promise<Application> {
    return (await this.#connection.send({ method: 'GET', ...at(app), ...call })) as Application;
  }

  async resourceTree(app: ApplicationName, call: Call = {}): Promise<ApplicationTree> {
    return (await this.#connection.send({ method: 'GET', ...at(app, '/resource-tree'), ...call })) as ApplicationTree;
  }

  async managedResources(app: ApplicationName, call: Call = {}): Promise<readonly ManagedResource[]> {
    const answer = await this.#connection.send({ method: 'GET', ...at(app, '/managed-resources'), ...call });
    return (answer as { items?: ManagedResource[] }).items ?? [];
  }

  async revisionMetadata(app: ApplicationName, revision: string, call: Call = {}): Promise<RevisionMetadata> {
    const place = at(app, `/revisions/${encodeURIComponent(revision)}/metadata`);
    return (await this.#connection.send({ method: 'GET', ...place, ...call })) as RevisionMetadata;
  }

  async sync(app: ApplicationName, body: ApplicationSyncRequest, call: Call = {}): Promise<void> {
    const { path, query } = at(app, '/sync');
    await this.#connection.send({ method: 'POST', path, query, body: { ...body, name: app.name, ...query }, ...call });
  }

  async refresh(app: ApplicationName, kind: 'normal' | 'hard', call: Call = {}): Promise<void> {
    const { path, query } = at(app);
    await this.#connection.send({ method: 'GET', path, query: { ...query, refresh: kind }, ...call });
  }

  async terminate(app: ApplicationName, call: Call = {}): Promise<void> {
    await this.#connection.send({ method: 'DELETE', ...at(app, '/operation'), ...call });
  }

  /** To an entry of the history; refused by the engine while auto-sync is on. */
  async rollback(
    app: ApplicationName,
    body: { id: number; prune?: boolean; infos?: object[] },
    call: Call = {},
  ): Promise<void> {
    const { path, query } = at(app, '/rollback');
    await this.#connection.send({ method: 'POST', path, query, body: { ...body, name: app.name, ...query }, ...call });
  }

  /** An AppProject. */
  async project(name: string, call: Call = {}): Promise<unknown> {
    return this.#connection.send({ method: 'GET', path: `/api/v1/projects/${encodeURIComponent(name)}`, ...call });
  }

  async liveResource(app: ApplicationName, resource: EngineResource, call: Call = {}): Promise<unknown> {
    const answer = await this.#connection.send({ method: 'GET', ...part(app, '/resource', resource), ...call });
    return JSON.parse((answer as { manifest?: string }).manifest ?? 'null');
  }

  async deleteResource(
    app: ApplicationName,
    { force, orphan, ...resource }: EngineResource & { force?: boolean; orphan?: boolean },
    call: Call = {},
  ): Promise<void> {
    const { path, query } = part(app, '/resource', resource);
    const how = { ...(force ? { force: 'true' } : {}), ...(orphan ? { orphan: 'true' } : {}) };
    await this.#connection.send({ method: 'DELETE', path, query: { ...query, ...how }, ...call });
  }

  async resourceActions(
    app: ApplicationName,
    resource: EngineResource,
    call: Call = {},
  ): Promise<readonly EngineAction[]> {
    const answer = await this.#connection.send({ method: 'GET', ...part(app, '/resource/actions', resource), ...call });
    return (answer as { actions?: EngineAction[] }).actions ?? [];
  }

  /** The older form without parameters is known to every Argo CD; the newer one is asked for only when needed. */
  async runAction(
    app: ApplicationName,
    wanted: EngineResource & { action: string; parameters: Readonly<Record<string, string>> },
    call: Call = {},
  ): Promise<void> {
    const { action, parameters, ...resource } = wanted;
    const given = Object.entries(parameters).map(([name, value]) => ({ name, value }));
    const { path, query } = part(app, '/resource/actions', resource);
    if (given.length === 0) {
      await this.#connection.send({ method: 'POST', path, query, body: action, ...call });
      return;
    }
    const body = { ...query, name: app.name, action, resourceActionParameters: given };
    const v2 = at(app, '/resource/actions/v2');
    await this.#connection.send({ method: 'POST', ...v2, body, ...call });
  }

  /** Kubernetes events of the application itself, or of one of its resources. */
  async events(
    app: ApplicationName,
    resource: EngineResource | undefined,
    call: Call = {},
  ): Promise<readonly unknown[]> {
    const { path, query } = at(app, '/events');
    const about = resource && {
      resourceName: resource.name,
      resourceNamespace: resource.namespace,
      resourceUID: resource.uid ?? '',
    };
    const answer = await this.#connection.send({ method: 'GET', path, query: { ...query, ...about }, ...call });
    return (answer as { items?: unknown[] }).items ?? [];
  }

  /** Lines in the order of time, or as they come with `follow`; ends with the last one or with the signal. */
  async *logs(
    app: ApplicationName,
    wanted: LogQuery,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<EngineLogLine, void, undefined> {
    const { path, query } = at(app, '/logs');
    const asked = { ...query, ...logQuery(wanted) };
    for await (const message of this.#connection.stream({ method: 'GET', path, query: asked, signal })) {
      const { result, error } = message as {
        result?: EngineLogLine & { last?: boolean };
        error?: { message?: string };
      };
      if (error) throw new EngineRefusedError(400, error.message ?? 'the engine could not read the log');
      if (result && !result.last) yield result;
    }
  }

  async listClusters(call: Call = {}): Promise<readonly EngineCluster[]> {
    const answer = await this.#connection.send({ method: 'GET', path: '/api/v1/clusters', ...call });
    return (answer as { items?: EngineCluster[] | null }).items ?? [];
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function at({ namespace, name }: ApplicationName, suffix = '') {
  return {
    path: `/api/v1/applications/${encodeURIComponent(name)}${suffix}`,
    query: { appNamespace: namespace },
  } as const;
}

/** Application and object; `namespace` in the query is the object's. */
function part(app: ApplicationName, suffix: string, { group, version, kind, namespace, name }: EngineResource) {
  const { path, query } = at(app, suffix);
  return { path, query: { ...query, group, version, kind, namespace, resourceName: name } } as const;
}

function logQuery(wanted: LogQuery): Record<string, string> {
  const { of, pod, container, follow, previous, tailLines, sinceSeconds } = wanted;
  return {
    ...(of
      ? { group: of.group, version: of.version, kind: of.kind, namespace: of.namespace, resourceName: of.name }
      : {}),
    ...(pod ? { podName: pod } : {}),
    ...(container ? { container } : {}),
    ...(follow ? { follow: 'true' } : {}),
    ...(previous ? { previous: 'true' } : {}),
    ...(tailLines ? { tailLines: String(tailLines) } : {}),
    ...(sinceSeconds ? { sinceSeconds: String(sinceSeconds) } : {}),
  };
}
