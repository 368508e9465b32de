// An Application as flags tell it: the few settings that most have. Everything else is for a file.
import { FairleadError } from '@fairlead/base';
import { argoApiVersion, inClusterServer, resourcesFinalizer } from '@fairlead/contracts';
import { dump } from 'js-yaml';

export interface ManifestFlags {
  readonly repo?: string;
  readonly path?: string;
  readonly revision?: string;
  readonly destCluster?: string;
  readonly destNamespace?: string;
  readonly project?: string;
  readonly autoSync?: boolean;
  readonly deleteResources?: boolean;
}

const ownCluster = 'in-cluster';

const options = {
  repo: '--repo',
  path: '--path',
  revision: '--revision',
  destCluster: '--dest-cluster',
  destNamespace: '--dest-namespace',
  project: '--project',
  autoSync: '--auto-sync',
  deleteResources: '--delete-resources',
} as const satisfies Record<keyof ManifestFlags, string>;

/** Whether a file is named, or a name and a repository are: one of the two, and not both. */
export function assertOneWay(name: string | undefined, file: string | undefined, flags: ManifestFlags): void {
  const given = Object.entries(options).flatMap(([key, flag]) =>
    flags[key as keyof ManifestFlags] === undefined ? [] : [flag],
  ); // keys of the table
  if (file !== undefined) {
    const beside = name === undefined ? given[0] : `the name ${name}`;
    if (beside !== undefined) throw new FairleadError('bad_usage', `--file: says it all; leave it or ${beside} out`);
    return;
  }
  if (name === undefined) {
    throw new FairleadError('bad_usage', 'give either --file FILE, or a name with --repo URL; --help shows both');
  }
  if (flags.repo === undefined)
    throw new FairleadError(
      'bad_usage',
      `--repo: say which repository holds the manifests of ${name}, e.g. https://github.com/team-a/shop.git`,
    );
}

export function manifestByFlags(name: string, namespace: string, flags: ManifestFlags): string {
  const { repo, path = '.', revision = 'HEAD', destCluster = ownCluster, destNamespace = name, project } = flags;
  const cluster = destCluster === ownCluster ? { server: inClusterServer } : { name: destCluster };
  const automated = { automated: { prune: true, selfHeal: true } };
  const finalizers = { finalizers: [resourcesFinalizer] };
  return dump(
    {
      apiVersion: argoApiVersion,
      kind: 'Application',
      metadata: { name, namespace, ...(flags.deleteResources ? finalizers : {}) },
      spec: {
        project: project ?? 'default',
        source: { repoURL: repo, path, targetRevision: revision },
        destination: { ...cluster, namespace: destNamespace },
        syncPolicy: { ...(flags.autoSync ? automated : {}), syncOptions: ['CreateNamespace=true'] },
      },
    },
    { noRefs: true, lineWidth: -1 },
  );
}
