// Which leaf fields differ between two objects, and which manager last wrote a field (managedFields, fieldsV1). Pure.

export interface ChangedField {
  readonly path: readonly string[];
  readonly live: unknown;
  readonly desired: unknown;
}

const maxFields = 100;
type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => value !== null && typeof value === 'object' && !Array.isArray(value);

export function changedFields(live: unknown, desired: unknown): ChangedField[] {
  const found: ChangedField[] = [];
  const walk = (path: readonly string[], a: unknown, b: unknown) => {
    if (found.length >= maxFields || JSON.stringify(a) === JSON.stringify(b)) return;
    if (isTree(a) && isTree(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) walk([...path, key], a[key], b[key]);
    } else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      for (const [index, item] of a.entries()) walk([...path, labelOf(item, index)], item, b[index]);
    } else found.push({ path, live: a, desired: b });
  };
  walk([], live, desired);
  return found;
}

/** `containers.web` reads better than `containers.0`. */
function labelOf(item: unknown, index: number): string {
  const name = isTree(item) ? item['name'] : undefined;
  return typeof name === 'string' ? name : String(index);
}

interface Manager {
  readonly name: string;
  readonly since: string | undefined;
}

/** The manager that owns the field itself or the nearest thing around it; the latest writer when there are several. */
export function managerOf(object: unknown, path: readonly string[]): Manager | undefined {
  const entries = isTree(object) && isTree(object['metadata']) ? object['metadata']['managedFields'] : undefined;
  if (!Array.isArray(entries)) return undefined;
  const owners = entries.filter(isTree).map((entry) => ({ entry, depth: ownedDepth(entry['fieldsV1'], path) }));
  const [best] = owners
    .filter(({ depth }) => depth >= Math.min(2, path.length))
    .sort((a, b) => b.depth - a.depth || timeOf(b.entry).localeCompare(timeOf(a.entry)));
  if (!best) return undefined;
  return { name: String(best.entry['manager'] ?? 'unknown'), since: timeOf(best.entry) || undefined };
}

const timeOf = (entry: Tree) => (typeof entry['time'] === 'string' ? entry['time'] : '');

/** How many steps of the path the manager's field set follows. List items are `k:{"name":"web"}` there. */
function ownedDepth(fields: unknown, path: readonly string[]): number {
  let depth = 0;
  let at: unknown = fields;
  for (const step of path) {
    if (!isTree(at)) return depth;
    const item = Object.keys(at).find((key) => key.startsWith('k:{') && key.includes(`"${step}"`));
    const next = at[`f:${step}`] ?? (item ? at[item] : undefined);
    if (next === undefined) return depth;
    at = next;
    depth++;
  }
  return depth;
}
