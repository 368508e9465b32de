// What a change in Git would change in the clusters of a runtime, before anything is applied.
import { type Static, Type } from 'typebox';
import { appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();
const optionalText = Type.Optional(text);
const revision = Type.String({ minLength: 1, maxLength: 250 });

export const PlanRequest = Type.Object({
  repoURL: Type.String({ minLength: 1, maxLength: 1000 }),
  /** Branch, tag or commit that would be there; not with `pullRequest`. */
  to: Type.Optional(revision),
  /** Number of a pull request at the provider. */
  pullRequest: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The branch it would be on; default: the default branch, or the one that the pull request goes into. */
  onto: Type.Optional(revision),
});
export type PlanRequest = Static<typeof PlanRequest>;

export const PlannedObject = Type.Object({
  group: text,
  kind: text,
  namespace: text,
  name: text,
  change: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('changed')]),
  /** Manifests, with secret values replaced. */
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});
export type PlannedObject = Static<typeof PlannedObject>;

export const PlannedApplicationChange = Type.Object({
  name: text,
  namespace: text,
  change: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('changed'), Type.Literal('failed')]),
  objects: Type.Array(PlannedObject),
  /** Why it could not be rendered; only with `failed`. */
  error: optionalText,
});
export type PlannedApplicationChange = Static<typeof PlannedApplicationChange>;

export const PlanAnswer = Type.Object({
  repoURL: text,
  onto: text,
  /** Commits compared: what the change begins with, and what it ends with. */
  from: text,
  to: text,
  changedFiles: Type.Integer(),
  /** Only applications that would change, or that could not be rendered. */
  applications: Type.Array(PlannedApplicationChange),
  /** Applications of the runtime, and those of them that follow the branch. */
  total: Type.Integer(),
  following: Type.Integer(),
  /** Renders that were needed; the others were known by what they read. */
  rendered: Type.Integer(),
  /** The answer had to leave out manifests to stay small enough. */
  truncated: Type.Boolean(),
});
export type PlanAnswer = Static<typeof PlanAnswer>;

export const planRoutes = {
  createPlan: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/plans`,
    summary: 'Which applications of the runtime a commit, branch or pull request would change, object by object.',
    auth: 'user',
    // The answer tells of applications that access rules may hide from a member.
    needs: 'admin',
    act: 'plan.create',
    reads: true,
    maxAnswerBytes: 8 * 1024 * 1024,
    body: PlanRequest,
    response: PlanAnswer,
  }),
} as const;
