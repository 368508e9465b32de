// The Applications by which a runtime takes its configuration from Git: `<runtime>-isc` over `runtimes/<runtime>/`, and
// in that folder one per cluster over `resources`, whose include glob says what the cluster gets. None has the resources
// finalizer: unlinking a cluster or a runtime leaves what it runs alone.
import {
  type Application,
  argoApiVersion,
  entityLabel,
  inClusterServer,
  internalLabel,
  type SyncPolicy,
} from '@fairlead/contracts';
import { clusterFile, inClusterName, layout, placed, runtimeFolder } from './layout.ts';
import { formatSharedConfigUrl, type SharedConfigAddress } from './shared-config-url.ts';

export interface RuntimePlace {
  readonly runtime: string;
  /** Where Applications live: the engine's namespace. */
  readonly namespace: string;
  readonly sharedConfig: SharedConfigAddress;
}

const followGit: SyncPolicy = { automated: { prune: true, selfHeal: true, allowEmpty: true } };
const labels = { [entityLabel]: 'internal-config', [internalLabel]: 'true' };

export const configurationApplicationName = (runtime: string): string => `${runtime}-isc`;
export const clusterApplicationName = (runtime: string, cluster: string): string => `${runtime}-${cluster}`;

export function configurationApplication({ runtime, namespace, sharedConfig }: RuntimePlace): Application {
  const { repoURL, path, branch } = sharedConfig;
  return {
    apiVersion: argoApiVersion,
    kind: 'Application',
    metadata: { name: configurationApplicationName(runtime), namespace, labels },
    spec: {
      project: 'default',
      source: {
        repoURL,
        targetRevision: branch,
        path: placed(path, runtimeFolder(runtime)),
        directory: { include: '*.yaml' },
      },
      destination: { server: inClusterServer, namespace },
      syncPolicy: followGit,
    },
  };
}

/** For the runtime's own cluster (`in-cluster`) or a managed one, which is named and not addressed. */
export function clusterApplication(place: RuntimePlace, cluster: string): Application {
  const { runtime, namespace, sharedConfig } = place;
  const { repoURL, path, branch } = sharedConfig;
  const isOwn = cluster === inClusterName;
  return {
    apiVersion: argoApiVersion,
    kind: 'Application',
    metadata: { name: clusterApplicationName(runtime, cluster), namespace, labels },
    spec: {
      project: 'default',
      source: {
        repoURL,
        targetRevision: branch,
        path: placed(path, layout.resources),
        directory: {
          recurse: true,
          include: isOwn ? ownClusterGlob(runtime) : folderGlob(['all-runtimes-all-clusters']),
        },
      },
      destination: { ...(isOwn ? { server: inClusterServer } : { name: cluster }), namespace },
      syncPolicy: { ...followGit, ...(isOwn ? {} : { syncOptions: ['CreateNamespace=true'] }) },
    },
  };
}

const ownClusterGlob = (runtime: string) =>
  folderGlob(['all-runtimes-all-clusters', `runtimes/${runtime}`, 'control-planes', 'app-projects']);

const folderGlob = (folders: readonly string[]) =>
  `{${folders.flatMap((folder) => [`${folder}/*.yaml`, `${folder}/**/*.yaml`]).join(',')}}`;

/** The address that the configuration Application of a runtime stands for; undefined when it is none. */
export function sharedConfigOf(application: Application, runtime: string): SharedConfigAddress | undefined {
  const { source } = application.spec;
  const end = runtimeFolder(runtime);
  const path = source?.path ?? '';
  if (!source || (path !== end && !path.endsWith(`/${end}`))) return undefined;
  const folder = path.slice(0, -end.length).replace(/\/$/, '');
  return { repoURL: source.repoURL, path: folder, branch: source.targetRevision ?? 'HEAD' };
}

/** What a new Shared Configuration Repository holds, for its first runtime. Path below the address's folder → text. */
export function firstFiles(place: RuntimePlace, write: (application: Application) => string): Record<string, string> {
  return {
    'README.md': readme(place),
    [`${layout.allClusters}/README.md`]: 'Manifests here are applied to every cluster of every runtime.\n',
    [`${layout.controlPlanes}/README.md`]: "Manifests here are applied to each runtime's own cluster.\n",
    [`${layout.appProjects}/README.md`]: 'AppProjects of all runtimes.\n',
    [clusterFile(place.runtime, inClusterName)]: write(clusterApplication(place, inClusterName)),
  };
}

const readme = ({ sharedConfig }: RuntimePlace) => `# Shared configuration

What Fairlead's runtimes are configured by, at ${formatSharedConfigUrl(sharedConfig)}. A commit here is a change there.

- \`runtimes/<runtime>/\`: one Application per cluster of the runtime; its include glob says what the cluster gets
- \`resources/all-runtimes-all-clusters/\`: for every cluster of every runtime
- \`resources/control-planes/\`: for each runtime's own cluster
- \`resources/app-projects/\`: AppProjects
- \`resources/runtimes/<runtime>/\`: for that runtime only, such as its Git Sources
`;
