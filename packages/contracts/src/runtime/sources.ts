// What components of a runtime ask its source server: `POST /v1/<name>` with one of these, answered in JSON. Only they
// can: the bearer token, and what `as` is sealed with, come from a Secret in the runtime's namespace.
import { type Static, type TSchema, Type } from 'typebox';
import { ApplicationSource } from '../argo/application.ts';

const text = Type.String({ maxLength: 4_000 });
const commit = Type.String({ pattern: '^[0-9a-f]{40}$' });
/** Sealed repository keys of the person it is asked for; without them, the runtime's own credentials. */
const as = Type.Optional(Type.String({ maxLength: 256 * 1024 }));
const sources = Type.Array(ApplicationSource, { minItems: 1, maxItems: 100 });
/** By position: commits, branches, tags, versions of charts; '' means what the source itself names. */
const revisions = Type.Array(text, { maxItems: 100 });

const PlannedApplication = Type.Object({
  name: text,
  namespace: text,
  sources,
  destinationNamespace: Type.Optional(text),
});

const PlanSide = Type.Object({
  applications: Type.Array(PlannedApplication),
  /** What each source that is no chart means on this side, or why it could not be told. */
  trees: Type.Array(
    Type.Object({ repoURL: text, revision: text, commit: Type.Optional(commit), reason: Type.Optional(text) }),
  ),
});

export const sourceAsks = {
  /** What sources render to, together. */
  manifests: Type.Object({
    sources,
    revisions,
    application: text,
    namespace: text,
    /** Rules of a project (`sourceRepos`): charts are read with credentials only from what they allow. All without it. */
    permits: Type.Optional(Type.Array(text)),
    as,
  }),
  /** What differs between two sides, application by application. */
  plan: Type.Object({ before: PlanSide, after: PlanSide, as }),
  /** Per source, the newest commit that changed what the application renders to. */
  'change-revisions': Type.Object({ sources, revisions, application: text, namespace: Type.Optional(text) }),
  /** Author, date, message and tags of a commit. */
  revision: Type.Object({ repoURL: text, revision: text, as }),
  /** Files that differ between two commits. */
  'changed-files': Type.Object({ repoURL: text, from: commit, to: commit, as }),
  /** What a chart says of itself. */
  chart: Type.Object({ repoURL: text, chart: text, version: text, permits: Type.Optional(Type.Array(text)), as }),
} as const satisfies Record<string, TSchema>;

export type SourceAskName = keyof typeof sourceAsks;
export type SourceAsk<N extends SourceAskName> = Static<(typeof sourceAsks)[N]>;

export const RepositoryKeys = Type.Array(Type.Object({ repoURL: text, username: text, password: Type.String() }));
export type RepositoryKeys = Static<typeof RepositoryKeys>;
