export { VersionFeedReader } from './feed.ts';
export { upgradeOf, withOwn } from './upgrades.ts';
