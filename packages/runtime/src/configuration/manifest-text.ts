// Manifests as people read them in Git.
import { dump, load } from 'js-yaml';
import { InvalidConfigurationError } from './errors.ts';

export const writeManifest = (manifest: object): string => dump(manifest, { lineWidth: 120, noRefs: true });

/** One document; `file` is named in what goes wrong. */
export function readManifest(text: string, file: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = load(text);
  } catch (cause) {
    const { message, mark } = cause as { message?: string; mark?: { line?: number } };
    const line = mark?.line === undefined ? '' : `:${mark.line + 1}`;
    throw new InvalidConfigurationError(`${file}${line}`, `is not valid YAML: ${(message ?? '').split('\n')[0]}`);
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Readonly<Record<string, unknown>>; // an object, by the checks above
  }
  throw new InvalidConfigurationError(file, 'must hold one manifest');
}
