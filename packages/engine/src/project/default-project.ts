import { argoApiVersion } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

/** The project that allows everything, as Argo CD makes it on its first start. */
export function defaultProject(namespace: string): KubeObject {
  return {
    apiVersion: argoApiVersion,
    kind: 'AppProject',
    metadata: { name: 'default', namespace },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  };
}
