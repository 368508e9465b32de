import { compareVersions, parseConstraints, parseVersion, satisfies, type Version, versionText } from '@fairlead/base';
import { CallError } from '../errors.ts';
import { GoInt, GoStruct, int, type Value } from '../value.ts';
import { define, type Functions, text } from './define.ts';

class GoVersion extends GoStruct {
  readonly version: Version;

  constructor(version: Version) {
    super({
      type: 'semver.Version',
      pointer: true,
      text: versionText(version),
      json: versionText(version),
      methods: methodsOf(version),
    });
    this.version = version;
  }
}

function methodsOf(version: Version) {
  const unsigned = (value: bigint) => define('', () => new GoInt(value, 'uint64'));
  const against = (answer: (order: number) => Value) =>
    define('*semver.Version', ([other]) =>
      answer(other instanceof GoVersion ? compareVersions(version, other.version) : 1),
    );
  const raised = (next: Partial<Version>) =>
    define('', () => new GoVersion({ ...version, prerelease: '', metadata: '', ...next }));
  return {
    Major: unsigned(version.major),
    Minor: unsigned(version.minor),
    Patch: unsigned(version.patch),
    Prerelease: define('', () => version.prerelease),
    Metadata: define('', () => version.metadata),
    Original: define('', () => version.original),
    String: define('', () => versionText(version)),
    Compare: against((order) => int(order)),
    LessThan: against((order) => order < 0),
    GreaterThan: against((order) => order > 0),
    Equal: against((order) => order === 0),
    IncMajor: raised({ major: version.major + 1n, minor: 0n, patch: 0n }),
    IncMinor: raised({ minor: version.minor + 1n, patch: 0n }),
    IncPatch: raised(version.prerelease === '' ? { patch: version.patch + 1n } : {}),
  };
}

function versionOf(value: string): Version {
  const version = parseVersion(value);
  if (!version) throw new CallError('Invalid Semantic Version');
  return version;
}

function semverCompare(constraint: string, version: string): boolean {
  const groups = parseConstraints(constraint);
  if (!groups) throw new CallError(`improper constraint: ${constraint}`);
  return satisfies(versionOf(version), groups);
}

export const semverFunctions: Functions = {
  semver: define('string', ([value]) => new GoVersion(versionOf(text(value)))),
  semverCompare: define('string string', ([constraint, version]) => semverCompare(text(constraint), text(version))),
};
