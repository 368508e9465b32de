// A restricted Git Source: two AppProjects beside its Application, in a file of their own. Its applications are kept in
// `<name>`, which has the limits that an administrator set; it is itself in `<name>-restricted`, which lets it bring
// Applications of project `<name>` and nothing else (the engine refuses the rest: project-limits). The namespaces of engine
// and runtime are denied to the applications always: an Application deployed there could name any project.
import {
  applicationsProjectAnnotation,
  argoApiVersion,
  argoGroup,
  type GitSourceLimits,
  inClusterServer,
  internalLabel,
} from '@fairlead/contracts';
import { type KubeObject, recordAt } from '@fairlead/kube';
import { InvalidConfigurationError } from './errors.ts';
import { bringingProjectName, type GitSource } from './git-source.ts';
import { inClusterName } from './layout.ts';

export interface RestrictedPlace {
  /** Where Applications and AppProjects live. */
  readonly namespace: string;
  /** Where the runtime keeps its own secrets. */
  readonly runtimeNamespace: string;
}

/** On both projects; tells them from projects of people. */
const generatedLabel = 'fairlead.io/git-source';
export const generatedFor = (project: KubeObject): string | undefined => project.metadata.labels?.[generatedLabel];

type Destination = GitSourceLimits['destinations'][number];

const reserved = ({ namespace, runtimeNamespace }: RestrictedPlace) => [...new Set([namespace, runtimeNamespace])];

/** Refuses what could never be kept, by field. */
export function readLimits(limits: GitSourceLimits, place: RestrictedPlace): GitSourceLimits {
  const { sourceRepos, destinations } = limits;
  if (sourceRepos.every((rule) => rule.startsWith('!'))) {
    throw new InvalidConfigurationError('restricted.sourceRepos', 'allows nothing; name a repository that may be used');
  }
  for (const [index, { server, name, namespace }] of destinations.entries()) {
    const field = `restricted.destinations.${index}`;
    if ((server === undefined) === (name === undefined)) {
      throw new InvalidConfigurationError(field, 'give either server or name of the cluster ("*" for all)');
    }
    const isOwn = server === inClusterServer || name === inClusterName;
    if (isOwn && reserved(place).includes(namespace)) {
      const reason = `${namespace} belongs to the runtime, and is never open to applications of a restricted Git Source`;
      throw new InvalidConfigurationError(`${field}.namespace`, `${reason}; choose another namespace`);
    }
  }
  if (destinations.every(isDenial)) {
    throw new InvalidConfigurationError('restricted.destinations', 'allow nothing; name a namespace of a cluster');
  }
  return limits;
}

const isDenial = ({ server = '', name = '', namespace }: Destination) =>
  [server, name, namespace].some((text) => text.startsWith('!'));

export function projectsOf(
  { name, repoURL }: Pick<GitSource, 'name' | 'repoURL'>,
  limits: GitSourceLimits,
  place: RestrictedPlace,
): readonly [KubeObject, KubeObject] {
  const { destinations, clusterResourceWhitelist = [], ...others } = limits;
  const denied = reserved(place).map((namespace) => ({ server: inClusterServer, namespace: `!${namespace}` }));
  const { namespace } = place;
  const labels = { [internalLabel]: 'true', [generatedLabel]: name };
  const project = (named: string, spec: object, annotations?: Record<string, string>): KubeObject => ({
    apiVersion: argoApiVersion,
    kind: 'AppProject',
    metadata: { name: named, namespace, labels, ...(annotations ? { annotations } : {}) },
    spec,
  });
  return [
    project(name, {
      description: `Limits of the applications of Git Source ${name}`,
      ...others,
      destinations: [...destinations, ...denied],
      clusterResourceWhitelist,
    }),
    project(
      bringingProjectName(name),
      {
        description: `Lets Git Source ${name} bring Applications of project ${name}, and nothing else`,
        sourceRepos: [repoURL],
        destinations: [{ server: inClusterServer, namespace }],
        clusterResourceWhitelist: [],
        namespaceResourceWhitelist: [{ group: argoGroup, kind: 'Application' }],
      },
      { [applicationsProjectAnnotation]: name },
    ),
  ];
}

/** As they were given; undefined when the project is not among the manifests. */
export function limitsIn(
  manifests: readonly Readonly<Record<string, unknown>>[],
  project: string,
  place: RestrictedPlace,
): GitSourceLimits | undefined {
  const found = manifests.find(
    (each) => each['kind'] === 'AppProject' && recordAt(each, 'metadata')['name'] === project,
  );
  if (!found) return undefined;
  const {
    description: _ours,
    destinations = [],
    ...limits
  } = recordAt(found, 'spec') as unknown as GitSourceLimits & {
    description?: string;
  }; // written by `projectsOf`; by hand it may be wrong, and is then refused where it is used
  const denied = reserved(place).map((namespace) => `!${namespace}`);
  const isOurs = ({ server, namespace }: Destination) => server === inClusterServer && denied.includes(namespace);
  return { ...limits, destinations: destinations.filter((rule) => !isOurs(rule)) };
}
