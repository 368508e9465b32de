// Manifests as people write them: YAML, with the fields in the order everybody expects. Storage may have lost the order.
import { dump } from 'js-yaml';

const firstKeys = ['apiVersion', 'kind', 'metadata', 'type', 'spec', 'data', 'name', 'namespace', 'image'];
const lastKeys = ['status'];

const rank = (key: string): number => {
  if (lastKeys.includes(key)) return Number.MAX_SAFE_INTEGER;
  const at = firstKeys.indexOf(key);
  return at < 0 ? firstKeys.length : at;
};

/** `managedFields` is bookkeeping of the API server, several screens of it; it is left out. */
export function manifestText(manifest: unknown): string {
  return manifest === undefined || manifest === null ? '' : dump(ordered(manifest), { lineWidth: -1, noRefs: true });
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'managedFields')
      .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
      .map(([key, part]) => [key, ordered(part)]),
  );
}
