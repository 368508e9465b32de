// Settings that several roles of the runtime share; the same name means the same everywhere.
import { defaultRuntimeNamespace } from '@fairlead/contracts';
import { connectionSettings } from '@fairlead/kube';

export const clusterSettings = {
  ...connectionSettings,
  runtimeNamespace: { type: 'string', help: 'namespace of the runtime', default: defaultRuntimeNamespace },
} as const;

export const sourceSettings = {
  sourceServerUrl: { type: 'string', help: 'base URL of the source server' },
} as const;

/** An engine of the runtime's own, or an Argo CD that is there already: `engineConnection` makes the connection of them. */
export const engineSettings = {
  engineUrl: {
    type: 'string',
    help: "base URL of Argo CD's API; without it, the Service with the labels of Argo CD's API server",
    optional: true,
  },
  engineTokenFile: { type: 'string', help: 'file with a bearer token for the engine', optional: true },
  enginePasswordFile: { type: 'string', help: 'file with a password, instead of a token', optional: true },
  engineUser: { type: 'string', help: 'account that the password is of', default: 'admin' },
  engineCaFile: {
    type: 'string',
    help: "certificates (PEM) that the engine's is verified with; without it, those of Argo CD itself or the well-known",
    optional: true,
  },
} as const;
