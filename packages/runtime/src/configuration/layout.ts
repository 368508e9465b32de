// The folder tree of a Shared Configuration Repository (docs/spec/shared-configuration.md): which file is whose.
import { InvalidConfigurationError } from './errors.ts';

export const layout = {
  resources: 'resources',
  allClusters: 'resources/all-runtimes-all-clusters',
  controlPlanes: 'resources/control-planes',
  appProjects: 'resources/app-projects',
} as const;

export const inClusterName = 'in-cluster';

/** Applications of one runtime over `resources`, one file per cluster. */
export const runtimeFolder = (runtime: string): string => `runtimes/${runtime}`;
export const clusterFile = (runtime: string, cluster: string): string => `${runtimeFolder(runtime)}/${cluster}.yaml`;
/** What only this runtime has: its Git Sources. */
const runtimeResourcesFolder = (runtime: string): string => `${layout.resources}/runtimes/${runtime}`;
export const gitSourceFile = (runtime: string, name: string): string =>
  `${runtimeResourcesFolder(runtime)}/${name}.yaml`;

/** The projects of a restricted Git Source; the name of no Git Source has a dot. */
export const gitSourceProjectsFile = (runtime: string, name: string): string =>
  `${runtimeResourcesFolder(runtime)}/${name}.projects.yaml`;

const nameRule = /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/;

/** Names become names of Kubernetes objects and of files. */
export function assertName(field: string, name: string): string {
  if (nameRule.test(name)) return name;
  throw new InvalidConfigurationError(
    field,
    `${JSON.stringify(name)} is not a valid name; use lower-case letters, digits and hyphens, at most 53, beginning and ending with a letter or digit`,
  );
}

/** A path below the folder that the address of the repository names. */
export const placed = (folder: string, path: string): string => (folder === '' ? path : `${folder}/${path}`);
