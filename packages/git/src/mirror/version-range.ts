// Revisions that are ranges of versions (`>=1.0.0 <2`, `1.2.*`, `^v1`), as Argo CD reads them: the highest tag that is a
// version in the range. A whole version (`1.2.3`, `v1.2.3`) is no range but the name of a tag. Pure.
import { compareVersions, parseConstraints, parseVersion, satisfies } from '@fairlead/base';
import type { RemoteRefs } from './remote-refs.ts';

const tagPrefix = 'refs/tags/';

export const isVersionRange = (revision: string): boolean =>
  parseVersion(revision) === undefined && parseConstraints(revision) !== undefined;

/** The full name of the tag; undefined when the revision is no range, or no tag is in it. */
export function tagInRange({ refs }: RemoteRefs, revision: string): string | undefined {
  if (parseVersion(revision) !== undefined) return undefined;
  const range = parseConstraints(revision);
  if (!range) return undefined;
  const tags = [...refs.keys()].filter((ref) => ref.startsWith(tagPrefix));
  const versions = tags.flatMap((ref) => {
    const version = parseVersion(ref.slice(tagPrefix.length));
    return version && satisfies(version, range) ? [{ ref, version }] : [];
  });
  const [highest] = versions.sort((a, b) => compareVersions(b.version, a.version));
  return highest?.ref;
}
