// Registries that lack the binaries of other platforms make npm leave these optional packages out of the lock file,
// and `npm ci` then fails on those platforms. Run this after every `npm install` that changes the lock: it adds the
// missing optional entries by name and version (without an integrity hash; npm checks those against the registry).
import { readFileSync, writeFileSync } from 'node:fs';

const OS = /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)(?=-|$)/;
const CPU = /-(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64|mips64el|wasm32)(?=-|$)/;

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const packages = lock.packages;

/** The folders npm would search from `where`, nearest first; '' is the root. */
function searchPath(where) {
  if (where === '') return [''];
  const parent = where.slice(0, Math.max(0, where.lastIndexOf('/node_modules/')));
  return [where, ...searchPath(parent)];
}
const entryAt = (where, name) => (where === '' ? `node_modules/${name}` : `${where}/node_modules/${name}`);

let added = 0;
for (const [where, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const found = searchPath(where)
      .map((folder) => packages[entryAt(folder, name)])
      .find(Boolean);
    const os = OS.exec(name)?.[1];
    const cpu = CPU.exec(name)?.[1];
    if (found?.version === version || (!os && cpu !== 'wasm32')) continue;
    const home = where.startsWith('packages/') ? '' : (searchPath(where)[1] ?? '');
    packages[entryAt(home, name)] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      ...(name.includes('musl') && { libc: ['musl'] }),
      optional: true,
      ...(os && { os: [os] }),
    };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.info(`complete-lock: ${Object.keys(packages).length} packages, ${added} added`);
