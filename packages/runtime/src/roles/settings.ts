// Settings that several roles of the runtime share; the same name means the same everywhere.
import { defaultRuntimeNamespace } from '@fairlead/contracts';

export const clusterSettings = {
  kubeconfigFile: { type: 'string', help: 'kubeconfig of the cluster the runtime lives in' },
  runtimeNamespace: { type: 'string', help: 'namespace of the runtime', default: defaultRuntimeNamespace },
} as const;

export const engineSettings = {
  engineUrl: { type: 'string', help: "base URL of the engine's Argo CD API" },
  engineTokenFile: { type: 'string', help: 'file with the bearer token for the engine' },
} as const;
