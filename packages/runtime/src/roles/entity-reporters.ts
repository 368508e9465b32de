// What the application reporter tells of besides applications, each by looks of its own: clusters, Git Sources, access rules.
import type {
  AccessRulesReport,
  Application,
  ClusterReport,
  GitSourceReport,
  RuntimeIdentity,
} from '@fairlead/contracts';
import { clustersOf, EntityReporter, gitSourcesOf, type Redactor } from '../application-reporter/index.ts';
import type { ArgoCdClient } from '../argo-cd/index.ts';
import type { AccessRulesLook } from '../shared-config/index.ts';

/** An engine tells nobody when a cluster ceases to answer; it has to be asked. */
const clustersEveryMs = 3_000;
const gitSourcesEveryMs = 60_000;
/** A push is told by nobody where no webhook is; rules must hold within 5 s of it. */
const accessRulesEveryMs = 3_000;
/** Where the engine hears of every push, its look at the repository wakes this one. */
const announcedRulesEveryMs = 60_000;

type Deps = ConstructorParameters<typeof EntityReporter>[0];

interface Speaker {
  readonly reporter: string;
  readonly epoch: number;
}

/** Resolves when what a look goes by has been read once. */
interface Synced {
  readonly synced: (signal: AbortSignal) => Promise<unknown>;
}

export function clustersReporter(
  deps: Deps,
  { reporter, epoch, engine }: Speaker & { readonly engine: ArgoCdClient },
): EntityReporter<ClusterReport> {
  return new EntityReporter<ClusterReport>(deps, {
    reporter,
    epoch,
    kind: 'cluster',
    everyMs: () => clustersEveryMs,
    look: async (signal) => clustersOf(await engine.listClusters({ signal })),
    report: (cluster, stamp) =>
      cluster ? { kind: 'cluster', cluster, ...stamp } : { kind: 'cluster', deleted: true, ...stamp },
  });
}

interface GitSourcesReporting extends Speaker, Synced {
  readonly applications: () => readonly Application[];
  readonly redactor: Redactor;
}

export function gitSourcesReporter(
  deps: Deps,
  { reporter, epoch, applications, redactor, synced }: GitSourcesReporting,
): EntityReporter<GitSourceReport> {
  return new EntityReporter<GitSourceReport>(deps, {
    reporter,
    epoch,
    kind: 'git-source',
    everyMs: () => gitSourcesEveryMs,
    look: async (signal) => {
      await synced(signal);
      return gitSourcesOf(applications(), redactor);
    },
    report: (gitSource, stamp) =>
      gitSource ? { kind: 'git-source', gitSource, ...stamp } : { kind: 'git-source', deleted: true, ...stamp },
  });
}

interface RulesReporting extends Speaker, Synced {
  readonly identity: RuntimeIdentity;
  readonly look: AccessRulesLook;
}

export function accessRulesReporter(
  deps: Deps,
  { reporter, epoch, identity, look, synced }: RulesReporting,
): EntityReporter<AccessRulesReport> {
  return new EntityReporter<AccessRulesReport>(deps, {
    reporter,
    epoch,
    kind: 'access-rules',
    everyMs: () => (look.isAnnounced ? announcedRulesEveryMs : accessRulesEveryMs),
    look: async (signal) => {
      await synced(signal);
      const payload = await look.look({ signal });
      return new Map(payload && [[identity.runtimeName, { uid: identity.runtimeId, payload }]]);
    },
    report: (found, stamp) =>
      found
        ? { kind: 'access-rules', accessRules: found, ...stamp }
        : { kind: 'access-rules', deleted: true, ...stamp },
  });
}
