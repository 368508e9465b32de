// The identity as a Secret: each field one key of its data, base64 as Kubernetes wants it.
import { checker, type RuntimeIdentity, RuntimePublicKey } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

const checkPublicKey = checker(RuntimePublicKey);
const encode = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const decode = (text: unknown) => (typeof text === 'string' ? Buffer.from(text, 'base64').toString('utf8') : '');

/** On everything that a runtime puts into a cluster; by it, it can be taken away again. */
export const fairleadLabels = { 'app.kubernetes.io/part-of': 'fairlead' } as const;
export const partOfFairlead = 'app.kubernetes.io/part-of=fairlead';

export const secretRef = (namespace: string, name: string) => ({
  group: '',
  version: 'v1',
  kind: 'Secret',
  namespace,
  name,
});

export function secretOf(name: string, namespace: string, fields: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels: { ...fairleadLabels } },
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, encode(value)])),
  };
}

export function fieldsOf(secret: KubeObject): Record<string, string> {
  const data = (secret['data'] ?? {}) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, decode(value)]));
}

export function identityFields(identity: RuntimeIdentity): Record<string, string> {
  const { privateKey, platformPublicKey, ...texts } = identity;
  return { ...texts, privateKey: JSON.stringify(privateKey), platformPublicKey: JSON.stringify(platformPublicKey) };
}

/** Undefined when a field is missing or not what it should be: a half-made Secret is no identity. */
export function identityOf(secret: KubeObject): RuntimeIdentity | undefined {
  const { runtimeId, runtimeName, accountId, platformUrl, ...keys } = fieldsOf(secret);
  const privateKey = privateKeyOf(keys['privateKey'] ?? '');
  const platformPublicKey = checkPublicKey(parse(keys['platformPublicKey'] ?? ''));
  if (!runtimeId || !runtimeName || !accountId || !platformUrl) return undefined;
  if (!privateKey || !platformPublicKey.ok) return undefined;
  return { runtimeId, runtimeName, accountId, platformUrl, privateKey, platformPublicKey: platformPublicKey.value };
}

export function privateKeyOf(text: string): RuntimeIdentity['privateKey'] | undefined {
  const parsed = parse(text);
  const checked = checkPublicKey(parsed);
  const d = (parsed as { d?: unknown } | undefined)?.d;
  return checked.ok && typeof d === 'string' ? { ...checked.value, d } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller treats it like a missing field
  }
}
