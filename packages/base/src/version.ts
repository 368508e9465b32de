// Versions and constraints as Masterminds/semver reads them: missing parts count as zero, a constraint without a
// pre-release never matches a version with one.

export interface Version {
  readonly original: string;
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
}

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const versionForm = new RegExp(`^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-(${identifiers}))?(?:\\+(${identifiers}))?$`);

/** undefined when it is no version. */
export function parseVersion(text: string): Version | undefined {
  const match = versionForm.exec(text);
  if (!match) return undefined;
  const [, major = '0', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  if (prerelease.split('.').some((part) => /^0\d+$/.test(part))) return undefined;
  return { original: text, major: BigInt(major), minor: BigInt(minor), patch: BigInt(patch), prerelease, metadata };
}

export const versionText = ({ major, minor, patch, prerelease, metadata }: Version): string =>
  `${major}.${minor}.${patch}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;

export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === '') return 1;
  if (b.prerelease === '') return -1;
  return comparePrereleases(a.prerelease.split('.'), b.prerelease.split('.'));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x === undefined) return -1;
    if (y === undefined) return 1;
    if (x === y) continue;
    const [xIsNumber, yIsNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (xIsNumber && yIsNumber) return BigInt(x) < BigInt(y) ? -1 : 1;
    if (xIsNumber !== yIsNumber) return xIsNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** Parts that were left out or written as a wildcard. */
  readonly anyMinor: boolean;
  readonly anyPatch: boolean;
  readonly dirty: boolean;
}

const part = '(\\d+|[xX*])';
const one = `(=||!=|>|<|>=|=>|<=|=<|~|~>|\\^)\\s*(v?${part}(?:\\.${part})?(?:\\.${part})?(?:-(${identifiers}))?(?:\\+${identifiers})?)`;
const oneForm = new RegExp(`^\\s*${one}\\s*$`);
const listForm = new RegExp(`^\\s*(?:${one})(?:(?:\\s+|,\\s*)(?:${one}))*\\s*$`);
const hyphenForm = new RegExp(
  `\\s*(v?[0-9|x|X|*]+(?:\\.[0-9|x|X|*]+)?(?:\\.[0-9|x|X|*]+)?(?:-${identifiers})?)\\s+-\\s+(v?[0-9|x|X|*]+(?:\\.[0-9|x|X|*]+)?(?:\\.[0-9|x|X|*]+)?(?:-${identifiers})?)\\s*`,
  'g',
);

/** Groups of which one must hold whole; undefined when the text is no constraint. */
export function parseConstraints(text: string): readonly (readonly Constraint[])[] | undefined {
  const groups: Constraint[][] = [];
  for (const alternative of text.replace(hyphenForm, '>= $1, <= $2').split('||')) {
    if (alternative.length > 4_000 || !listForm.test(alternative)) return undefined;
    const group = splitGroup(alternative).map(parseConstraint);
    if (group.length === 0 || group.some((constraint) => !constraint)) return undefined;
    groups.push(group.filter((constraint) => constraint !== undefined));
  }
  return groups;
}

function splitGroup(text: string): string[] {
  return text
    .replace(/([=!<>~^]+)\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

const isWild = (text: string | undefined): boolean => text === undefined || /^[xX*]$/.test(text);

function parseConstraint(text: string): Constraint | undefined {
  const match = oneForm.exec(text);
  if (!match) return undefined;
  const [, operator = '', , major, minor, patch, prerelease] = match;
  const [anyMajor, anyMinor, anyPatch] = [isWild(major), isWild(minor), isWild(patch)];
  const tail = prerelease === undefined ? '' : `-${prerelease}`;
  const numbers = anyMajor
    ? '0.0.0'
    : anyMinor
      ? `${major}.0.0`
      : anyPatch
        ? `${major}.${minor}.0`
        : `${major}.${minor}.${patch}`;
  const version = parseVersion(numbers + tail);
  if (!version) return undefined;
  return {
    operator,
    version,
    anyMinor: !anyMajor && anyMinor,
    anyPatch: !anyMajor && !anyMinor && anyPatch,
    dirty: anyMajor || anyMinor || anyPatch,
  };
}

export const satisfies = (version: Version, groups: readonly (readonly Constraint[])[]): boolean =>
  groups.some((group) => group.every((constraint) => holds(version, constraint)));

function holds(version: Version, constraint: Constraint): boolean {
  if (version.prerelease !== '' && constraint.version.prerelease === '' && constraint.operator !== '!=') return false;
  const order = compareVersions(version, constraint.version);
  switch (constraint.operator) {
    case '':
    case '=':
      return constraint.dirty ? withinTilde(version, constraint) : order === 0;
    case '!=':
      return differs(version, constraint, order);
    case '>':
      return isAbove(version, constraint, order);
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return isAtMost(version, constraint, order);
    case '^':
      return withinCaret(version, constraint, order);
    default:
      return withinTilde(version, constraint);
  }
}

function differs(version: Version, { version: wanted, dirty, anyMinor, anyPatch }: Constraint, order: number): boolean {
  if (!dirty) return order !== 0;
  if (version.major !== wanted.major) return true;
  if (anyMinor) return false;
  if (version.minor !== wanted.minor) return true;
  return !anyPatch && version.patch !== wanted.patch;
}

function isAbove(version: Version, { version: wanted, dirty, anyMinor, anyPatch }: Constraint, order: number): boolean {
  if (!dirty) return order > 0;
  if (version.major !== wanted.major) return version.major > wanted.major;
  if (anyMinor) return false;
  if (anyPatch) return version.minor > wanted.minor;
  return order > 0;
}

function isAtMost(version: Version, { version: wanted, dirty, anyMinor }: Constraint, order: number): boolean {
  if (!dirty) return order <= 0;
  if (version.major !== wanted.major) return version.major < wanted.major;
  return anyMinor || version.minor <= wanted.minor;
}

function withinTilde(version: Version, { version: wanted, anyMinor, anyPatch }: Constraint): boolean {
  if (compareVersions(version, wanted) < 0) return false;
  const isZero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n;
  if (isZero && !anyMinor && !anyPatch) return true;
  return version.major === wanted.major && (anyMinor || version.minor === wanted.minor);
}

function withinCaret(version: Version, { version: wanted, anyMinor, anyPatch }: Constraint, order: number): boolean {
  if (order < 0) return false;
  if (wanted.major > 0n || anyMinor) return version.major === wanted.major;
  if (version.major > 0n) return false;
  if (wanted.minor > 0n || anyPatch) return version.minor === wanted.minor;
  return version.minor === 0n && version.patch === wanted.patch;
}
