// `?fields=items.metadata.name,items.status.sync` keeps only these; with a leading `-` it leaves them out.
import { isRecord } from '@fairlead/kube';

interface Branch {
  [name: string]: Branch;
}

export function selectFields(value: unknown, fields: string | undefined): unknown {
  if (!fields) return value;
  const isExclusion = fields.startsWith('-');
  const paths = fields.replace(/^-/, '').split(',');
  const tree: Branch = {};
  for (const path of paths) {
    let at = tree;
    for (const name of path.trim().split('.')) {
      if (!Object.hasOwn(at, name)) at[name] = {};
      at = at[name] ?? {};
    }
  }
  return isExclusion ? exclude(value, tree) : include(value, tree);
}

const isLeaf = (branch: Branch) => Object.keys(branch).length === 0;

function include(value: unknown, branch: Branch): unknown {
  if (isLeaf(branch)) return value;
  if (Array.isArray(value)) return value.map((item) => include(item, branch));
  if (!isRecord(value)) return value;
  const kept = Object.entries(branch).filter(([name]) => value[name] !== undefined);
  return Object.fromEntries(kept.map(([name, inner]) => [name, include(value[name], inner)]));
}

function exclude(value: unknown, branch: Branch): unknown {
  if (Array.isArray(value)) return value.map((item) => exclude(item, branch));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => {
    const inner = Object.hasOwn(branch, name) ? branch[name] : undefined;
    return !inner || !isLeaf(inner);
  });
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, Object.hasOwn(branch, name) ? exclude(inner, branch[name] ?? {}) : inner]),
  );
}
