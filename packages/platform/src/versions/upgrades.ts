// Which upgrade there is for what runs. Pure.
import { compareVersions, parseVersion, type Version } from '@fairlead/base';
import type { FeedVersion, Upgrade } from '@fairlead/contracts';

interface Read {
  readonly entry: FeedVersion;
  readonly version: Version;
}

/**
 * The newest of the feed that is newer than `running`; undefined when there is none, or when `running` is no version.
 * Pre-releases are offered only to those that run one.
 */
export function upgradeOf(running: string, feed: readonly FeedVersion[]): Upgrade | undefined {
  const own = parseVersion(running);
  if (!own) return undefined;
  const newer = feed
    .flatMap((entry): Read[] => {
      const version = parseVersion(entry.version);
      return version ? [{ entry, version }] : [];
    })
    .filter(({ version }) => compareVersions(version, own) > 0)
    .filter(({ version }) => version.prerelease === '' || own.prerelease !== '')
    .sort((a, b) => compareVersions(b.version, a.version));
  const [newest] = newer;
  return newest && { ...newest.entry, security: newer.some(({ entry }) => entry.security === true) };
}

/** The feed may know less than the platform, which is at least as new as itself. */
export const withOwn = (version: string, feed: readonly FeedVersion[]): readonly FeedVersion[] =>
  feed.some((entry) => entry.version === version) ? feed : [...feed, { version }];
