// Secrets leave the engine masked only. Equal values get equal masks and different values different ones, so that a
// reader still sees what would change.
import { lastAppliedAnnotation } from '@fairlead/contracts';
import { isRecord, type KubeObject, recordAt } from '@fairlead/kube';
import { isSecret } from './normalize.ts';

const shortest = 8;

/** Masks all versions of one object together; anything but Secrets comes back as it is. */
export function maskSecrets<T extends KubeObject | undefined>(versions: readonly T[]): T[] {
  const masks = new Map<string, string>();
  const mask = (value: unknown): string => {
    const text = String(value);
    const known = masks.get(text) ?? '+'.repeat(shortest + masks.size);
    masks.set(text, known);
    return known;
  };
  return versions.map((version) => (version && isSecret(version) ? (maskOne(version, mask) as T) : version));
}

function maskOne(secret: KubeObject, mask: (value: unknown) => string): KubeObject {
  const masked: Record<string, unknown> = { ...secret };
  for (const field of ['data', 'stringData']) {
    if (!isRecord(secret[field])) continue;
    const encoded = field === 'data' ? (value: unknown) => value : (value: unknown) => base64(value);
    const entries = Object.entries(recordAt(secret, field)).map(([key, value]) => [key, mask(encoded(value))]);
    masked[field] = Object.fromEntries(entries);
  }
  const { [lastAppliedAnnotation]: applied, ...annotations } = secret.metadata.annotations ?? {};
  if (applied === undefined) return masked as KubeObject; // only values of data changed
  return { ...masked, metadata: { ...secret.metadata, annotations } } as KubeObject;
}

const base64 = (value: unknown) => Buffer.from(String(value ?? ''), 'utf8').toString('base64');
