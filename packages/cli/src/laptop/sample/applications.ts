// The three Applications of the sample, as files of a Git Source, and the credentials the engine reads the built-in git
// server with.
import {
  type Application,
  argoApiVersion,
  defaultEngineNamespace,
  inClusterServer,
  resourcesFinalizer,
} from '@fairlead/contracts';
import { isAlreadyExists, type KubeClient, type KubeObject } from '@fairlead/kube';
import { writeManifest } from '@fairlead/runtime';
import { sampleApplicationName, type sampleEnvironments, sampleRepository } from './manifests.ts';

type Environment = (typeof sampleEnvironments)[number];

export const applicationsRepository = 'demo/applications.git';

/** Path in the repository → text. */
export function applicationFiles(gitUrl: string, environments: readonly Environment[]): Record<string, string> {
  const files = environments.map((environment) => [
    `${sampleApplicationName(environment)}.yaml`,
    writeManifest(sampleApplication(gitUrl, environment)),
  ]);
  return { 'README.md': readme, ...Object.fromEntries(files) };
}

const readme = `# Applications

The folder of the Git Source \`demo\`: each file is an Argo CD Application. Change one, commit, push, and the
application follows; remove the file, and the application goes with all that it deployed.
`;

function sampleApplication(gitUrl: string, environment: Environment): Application {
  return {
    apiVersion: argoApiVersion,
    kind: 'Application',
    metadata: {
      name: sampleApplicationName(environment),
      namespace: defaultEngineNamespace,
      finalizers: [resourcesFinalizer],
    },
    spec: {
      project: 'default',
      source: { repoURL: `${gitUrl}/${sampleRepository}`, path: environment, targetRevision: 'main' },
      destination: { server: inClusterServer, namespace: sampleApplicationName(environment) },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  };
}

interface CredentialsOptions {
  readonly kube: KubeClient;
  readonly gitUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

/** Argo CD's credential template: it holds for every repository below the URL. */
export async function createGitCredentials({ kube, gitUrl, apiKey, signal }: CredentialsOptions): Promise<void> {
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'fairlead-git',
      namespace: defaultEngineNamespace,
      labels: { 'argocd.argoproj.io/secret-type': 'repo-creds' },
    },
    stringData: { type: 'git', url: gitUrl, username: 'fairlead', password: apiKey },
  };
  await createOnce(kube, secret, signal);
}

export async function createOnce(kube: KubeClient, object: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    await kube.create(object, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
