// The Shared Configuration Repository of the sample: the hosted runtime, and its Git Source `demo`.
import { defaultEngineNamespace } from '@fairlead/contracts';
import type { KubeClient, KubeObject } from '@fairlead/kube';
import {
  configurationApplication,
  firstFiles,
  gitSourceApplication,
  gitSourceFile,
  parseSharedConfigUrl,
  readGitSource,
  writeManifest,
} from '@fairlead/runtime';
import { applicationsRepository, createOnce } from './applications.ts';

export const configurationRepository = 'demo/shared-config.git';

const placeOf = (gitUrl: string, runtime: string) => ({
  runtime,
  namespace: defaultEngineNamespace,
  sharedConfig: parseSharedConfigUrl(`${gitUrl}/${configurationRepository}`),
});

/** Path in the repository → text. */
export function configurationFiles(gitUrl: string, runtime: string): Record<string, string> {
  const demo = readGitSource({ name: 'demo', repoURL: `${gitUrl}/${applicationsRepository}` });
  const manifest = gitSourceApplication(demo, { namespace: defaultEngineNamespace });
  return {
    ...firstFiles(placeOf(gitUrl, runtime), writeManifest),
    [gitSourceFile(runtime, demo.name)]: writeManifest(manifest),
  };
}

interface FollowOptions {
  readonly kube: KubeClient;
  readonly gitUrl: string;
  readonly runtime: string;
  readonly signal: AbortSignal;
}

/** From here on the runtime follows the repository; everything else comes from there. */
export async function followConfiguration({ kube, gitUrl, runtime, signal }: FollowOptions): Promise<void> {
  await createOnce(kube, configurationApplication(placeOf(gitUrl, runtime)) as KubeObject, signal);
}
