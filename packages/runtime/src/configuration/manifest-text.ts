// Manifests as people read them in Git.
import { dump, loadAll } from 'js-yaml';
import { InvalidConfigurationError } from './errors.ts';

export const writeManifest = (manifest: object): string => dump(manifest, { lineWidth: 120, noRefs: true });

export const writeManifests = (manifests: readonly object[]): string => manifests.map(writeManifest).join('---\n');

/** `file` is named in what goes wrong. */
export function readManifests(text: string, file: string): Readonly<Record<string, unknown>>[] {
  let parsed: unknown[];
  try {
    parsed = loadAll(text);
  } catch (cause) {
    const { message, mark } = cause as { message?: string; mark?: { line?: number } };
    const line = mark?.line === undefined ? '' : `:${mark.line + 1}`;
    throw new InvalidConfigurationError(`${file}${line}`, `is not valid YAML: ${(message ?? '').split('\n')[0]}`);
  }
  return parsed.filter(
    (document): document is Record<string, unknown> =>
      typeof document === 'object' && document !== null && !Array.isArray(document),
  );
}

export function readManifest(text: string, file: string): Readonly<Record<string, unknown>> {
  const [first, second] = readManifests(text, file);
  if (first && !second) return first;
  throw new InvalidConfigurationError(file, 'must hold one manifest');
}
