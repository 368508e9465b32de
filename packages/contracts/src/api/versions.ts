// Which versions run, and which newer ones the operator's feed knows of.
import { type Static, Type } from 'typebox';

const text = Type.String({ minLength: 1, maxLength: 500 });

/** One release of Fairlead, as the feed tells of it. */
export const FeedVersion = Type.Object({
  version: Type.String({ minLength: 1, maxLength: 100 }),
  releasedAt: Type.Optional(text),
  /** A line for people. */
  summary: Type.Optional(text),
  /** Where its change log is. */
  url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2_000 })),
  /** It mends something that an attacker could use. */
  security: Type.Optional(Type.Boolean()),
});
export type FeedVersion = Static<typeof FeedVersion>;

/** What the file or URL of `versionFeed` holds. */
export const VersionFeed = Type.Object({ versions: Type.Array(FeedVersion, { maxItems: 1_000 }) });
export type VersionFeed = Static<typeof VersionFeed>;

/** The newest that is newer than what runs; `security` when it or one in between is. */
export const Upgrade = Type.Object({ ...FeedVersion.properties, security: Type.Boolean() });
export type Upgrade = Static<typeof Upgrade>;

export const Versions = Type.Object({
  platform: Type.Object({ version: text, upgrade: Type.Optional(Upgrade) }),
  runtimes: Type.Array(
    Type.Object({
      name: text,
      /** Absent until it has reported one. */
      version: Type.Optional(text),
      upgrade: Type.Optional(Upgrade),
    }),
  ),
  feed: Type.Object({
    /** `none`: nobody is asked, and the platform's own version is the newest that is known. */
    source: Type.Union([Type.Literal('none'), Type.Literal('file'), Type.Literal('url')]),
    /** When it was last read. */
    readAt: Type.Optional(text),
    /** Why it cannot be read at the moment; what was read before holds on. */
    problem: Type.Optional(text),
  }),
});
export type Versions = Static<typeof Versions>;
