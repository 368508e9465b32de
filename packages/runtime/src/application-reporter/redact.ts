// What leaves the cluster carries no secret value: values of Secrets, and what looks like a credential elsewhere, become
// a keyed hash. The key is the runtime's own, so that nobody outside can guess values by hashing, while two states of one
// value still compare as changed or not. Names, structure and everything else stay readable.
import { createHmac } from 'node:crypto';
import { lastAppliedAnnotation } from '@fairlead/contracts';

const sensitiveName =
  /pass(word|wd|phrase)?$|passw|secret|token|api[-_.]?key|private[-_.]?key|credential|access[-_.]?key/i;
/** Names that only point at a secret: their value is a name, and people need to see it. */
const pointerName = /(name|ref|file|path|id|type|key_ref|url)$/i;
const privateKeyText = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const urlPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):([^\s/@]+)@/gi;
const sensitiveFlag = /(--?[\w.-]*(?:password|passwd|secret|token|api-?key)[\w.-]*[= ])(\S+)/gi;
const sensitiveLine =
  /^(\s*["']?[\w.-]*(?:password|passwd|secret|token|api[-_]?key|private[-_]?key)["']?\s*[:=]\s*)(\S.*)$/gim;

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class Redactor {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** A Kubernetes object as it may be reported: also without managedFields, resourceVersion and last-applied. */
  manifest(object: unknown): unknown {
    if (!isRecord(object)) return object;
    const thinned = thin(object);
    return this.value(object['kind'] === 'Secret' && object['apiVersion'] === 'v1' ? this.#secret(thinned) : thinned);
  }

  /** Any JSON value: credentials by the name they stand under, or by what they look like. */
  value(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return isSensitive(name) && value !== '' ? this.#hash(value) : this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item, name));
    if (!isRecord(value)) return value;
    // {name: DB_PASSWORD, value: …}: environment variables and Helm parameters.
    const named = typeof value['name'] === 'string' && 'value' in value ? value['name'] : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        typeof member === 'object' ? this.value(member) : this.value(member, key === 'value' ? (named ?? key) : key),
      ]),
    );
  }

  text(text: string): string {
    if (privateKeyText.test(text)) return this.#hash(text);
    let clean = text.replaceAll(urlPassword, (_, before: string, secret: string) => `${before}:${this.#hash(secret)}@`);
    clean = clean.replaceAll(sensitiveFlag, (_, before: string, secret: string) => before + this.#hash(secret));
    if (!clean.includes('\n')) return clean;
    return clean.replaceAll(sensitiveLine, (_, before: string, secret: string) => before + this.#hash(secret));
  }

  #secret(secret: Json): Json {
    const masked = (values: unknown) =>
      isRecord(values)
        ? Object.fromEntries(Object.entries(values).map(([key, value]) => [key, this.#hash(String(value))]))
        : values;
    return {
      ...secret,
      ...('data' in secret ? { data: masked(secret['data']) } : {}),
      ...('stringData' in secret ? { stringData: masked(secret['stringData']) } : {}),
    };
  }

  /** A value that is a placeholder already stays, so that redacting twice gives the same as once. */
  #hash(value: string): string {
    if (/^sha256:[0-9a-f]{8}$/.test(value)) return value;
    return `sha256:${createHmac('sha256', this.#key).update(value).digest('hex').slice(0, 8)}`;
  }
}

const isSensitive = (name: string) => sensitiveName.test(name) && !pointerName.test(name);

function thin(object: Json): Json {
  if (!isRecord(object['metadata'])) return object;
  const { managedFields: _, resourceVersion: __, annotations, ...metadata } = object['metadata'];
  if (!isRecord(annotations)) return { ...object, metadata };
  const { [lastAppliedAnnotation]: ___, ...kept } = annotations;
  return { ...object, metadata: Object.keys(kept).length > 0 ? { ...metadata, annotations: kept } : metadata };
}
