// Holds every import against boundaries.json. Pure: files in, violations out; check-boundaries.mjs is the command.
import { parseSync } from 'oxc-parser';

const ours = '@fairlead/';

/**
 * @param {{path: string, text: string}[]} files paths relative to the repository, with forward slashes
 * @param {Record<string, string[]>} allowed area (package or top folder) → specifiers it may import
 * @param {Record<string, string[]>} declared package → names in its package.json dependencies
 */
export function checkBoundaries(files, allowed, declared) {
  const violations = [];
  let imports = 0;
  for (const { path, text } of files) {
    const area = areaOf(path);
    for (const specifier of importsOf(path, text)) {
      imports++;
      const reason = whyForbidden({ path, area, specifier }, allowed, declared);
      if (reason) violations.push(`${path}: ${specifier} (${reason})`);
    }
  }
  return { files: files.length, imports, violations };
}

function areaOf(path) {
  const [first, second] = path.split('/');
  return first === 'packages' ? second : first;
}

function importsOf(path, text) {
  const { module } = parseSync(path, text);
  const fixed = [...module.staticImports, ...module.staticExports.flatMap((each) => each.entries)].map(
    (each) => each.moduleRequest?.value,
  );
  const lazy = module.dynamicImports.map(({ moduleRequest }) => {
    const raw = text.slice(moduleRequest.start, moduleRequest.end);
    return /^(['"])(.*)\1$/.exec(raw)?.[2];
  });
  return [...new Set([...fixed, ...lazy].filter(Boolean))];
}

function whyForbidden({ path, area, specifier }, allowed, declared) {
  if (specifier.startsWith('.')) return whyForbiddenRelative(path, specifier);
  if (!specifier.startsWith(ours)) return undefined;
  const name = specifier.slice(ours.length).split('/')[0];
  if (name === area) return 'a package does not import itself by name';
  const list = allowed[area];
  if (!list) return `${area} is not in boundaries.json`;
  const isAllowed = list.some(
    (each) => each === specifier || (specifier.startsWith(`${each}/`) && each === ours + name),
  );
  if (!isAllowed) return `${area} may import ${list.join(', ') || 'nothing of ours'}`;
  if (declared[area] && !declared[area].includes(ours + name)) return `${ours}${name} is not in its package.json`;
  return undefined;
}

/** Relative imports stay inside the package, and enter another room by its index.ts only. */
function whyForbiddenRelative(path, specifier) {
  const from = path.split('/');
  const target = [...from.slice(0, -1)];
  for (const part of specifier.split('/')) {
    if (part === '..') target.pop();
    else if (part !== '.') target.push(part);
  }
  if (from[0] !== 'packages') return target[0] === 'packages' ? 'import the package by name' : undefined;
  if (target[0] !== 'packages' || target[1] !== from[1]) return 'leaves its package; import the package by name';
  const room = (parts) => (parts[2] === 'src' && parts.length > 4 ? parts[3] : '');
  const entersRoom = room(target) !== '' && room(target) !== room(from);
  const isEntry = /^index\.tsx?$/.test(target.at(-1)) && target.length === 5;
  if (entersRoom && !isEntry && !isComposition(from)) return `enter the room ${room(target)} by its index.ts`;
  return undefined;
}

/** Composition roots, a package's own index and tests may reach into rooms; web's features are not rooms of a library. */
function isComposition(parts) {
  return (
    parts.at(-1).includes('.test.') ||
    parts[3] === 'roles' ||
    (parts[2] === 'src' && parts.length === 4) ||
    parts[1] === 'web' ||
    parts[1] === 'contracts'
  );
}
