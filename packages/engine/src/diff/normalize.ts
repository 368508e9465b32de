// Both sides brought into one form before they are compared: what the API server manages by itself is taken off, and
// write-only conveniences become what is stored.
import { argoApiVersion } from '@fairlead/contracts';
import { isRecord, type KubeObject, recordAt } from '@fairlead/kube';

/** Fields of metadata that the API server or a controller writes, never the source. */
const serverMetadata = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
];

/** The status is not part of the desired state (Argo CD's `ignoreResourceStatusField: all`). */
export function normalize(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object;
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !serverMetadata.includes(field)),
  );
  const clean = { ...rest, metadata } as KubeObject; // identity fields are never among the removed
  if (isSecret(object)) return storedSecret(clean);
  return isApplication(object) ? withoutEngineFinalizers(clean) : clean;
}

const isApplication = ({ apiVersion, kind }: KubeObject) => apiVersion === argoApiVersion && kind === 'Application';

/** The engine sets them when an application has hooks around its deletion; its parent must not fight it about them. */
const engineFinalizers = /^(pre|post)-delete-finalizer\.argocd\.argoproj\.io(\/|$)/;

function withoutEngineFinalizers(application: KubeObject): KubeObject {
  const { finalizers, ...metadata } = application.metadata;
  const own = finalizers?.filter((finalizer) => !engineFinalizers.test(finalizer)) ?? [];
  return { ...application, metadata: { ...metadata, ...(own.length > 0 ? { finalizers: own } : {}) } };
}

export const isSecret = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === 'v1' && kind === 'Secret';

/** `stringData` is write-only: the server stores it base64 in `data`, where it wins. */
function storedSecret(secret: KubeObject): KubeObject {
  const { stringData, ...rest } = secret;
  if (!isRecord(stringData)) return secret;
  const encoded = Object.entries(stringData).map(([key, value]): [string, string] => [
    key,
    Buffer.from(String(value ?? ''), 'utf8').toString('base64'),
  ]);
  return { ...rest, data: { ...recordAt(secret, 'data'), ...Object.fromEntries(encoded) } };
}
