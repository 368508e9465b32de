// The runtime's sealing key pair: made once, kept in a Secret beside the identity. Who reads that Secret reads what was
// sealed; the platform cannot.
import { checker, makeSealingKey, SealingPublicKey } from '@fairlead/contracts';
import { isAlreadyExists, isNotFound, type KubeClient } from '@fairlead/kube';
import { fieldsOf, secretOf, secretRef } from '../identity/index.ts';

export type SealingKey = Awaited<ReturnType<typeof makeSealingKey>>;

const sealingSecret = 'fairlead-sealing';
const checkPublicKey = checker(SealingPublicKey);

interface Place {
  readonly namespace: string;
  readonly signal?: AbortSignal | undefined;
}

/** Two roles that start at once agree: the first to create it wins. */
export async function ensureSealingKey(client: KubeClient, { namespace, signal }: Place): Promise<SealingKey> {
  const known = await readSealingKey(client, { namespace, signal });
  if (known) return known;
  const made = await makeSealingKey();
  try {
    await client.create(secretOf(sealingSecret, namespace, { key: JSON.stringify(made) }), { signal });
    return made;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const others = await readSealingKey(client, { namespace, signal });
    if (!others) throw new Error(`Secret ${namespace}/${sealingSecret} holds no key; delete it to have one made anew`);
    return others;
  }
}

async function readSealingKey(client: KubeClient, { namespace, signal }: Place): Promise<SealingKey | undefined> {
  try {
    const { key = '' } = fieldsOf(await client.get(secretRef(namespace, sealingSecret), { signal }));
    const parsed = JSON.parse(key || 'null') as { d?: unknown } | null;
    const checked = checkPublicKey(parsed);
    return checked.ok && typeof parsed?.d === 'string' ? { ...checked.value, d: parsed.d } : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export const publicPartOf = ({ kty, crv, x, y }: SealingKey): SealingPublicKey => ({ kty, crv, x, y });
