// The three Applications of the sample, and the credentials the engine reads the built-in git server with.
import {
  type Application,
  argoApiVersion,
  defaultEngineNamespace,
  inClusterServer,
  resourcesFinalizer,
} from '@fairlead/contracts';
import { isAlreadyExists, type KubeClient, type KubeObject } from '@fairlead/kube';
import { sampleApplicationName, sampleEnvironments, sampleRepository } from './manifests.ts';

interface CreateOptions {
  readonly kube: KubeClient;
  readonly gitUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

export async function createSampleApplications({ kube, gitUrl, signal }: CreateOptions): Promise<void> {
  for (const environment of sampleEnvironments) {
    const application: Application = {
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
    await createOnce(kube, application as KubeObject, signal);
  }
}

/** Argo CD's credential template: it holds for every repository below the URL. */
export async function createGitCredentials({ kube, gitUrl, apiKey, signal }: CreateOptions): Promise<void> {
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

async function createOnce(kube: KubeClient, object: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    await kube.create(object, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
