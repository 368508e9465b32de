// Applications by commit: the file that defines an application lives in the folder of a Git Source, and every change of it
// is one commit by the acting user, pushed with their own Git token. Nothing is changed in the cluster directly.
//
// Errors: `git_token_missing`, `git_token_refused` and `git_source_missing` say what to do; `invalid` carries
// `details.problems` (ApplicationProblem[]); `conflict` carries `details = {path, head, base, theirs, yours}`: the three
// texts of the file, of which `theirs` is what the branch holds now (at commit `head`).
import { type Static, Type } from 'typebox';
import { CommitReceipt } from './commit.ts';
import { appProxyApplication as application, appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();
const optionalText = Type.Optional(text);
const params = Type.Object({ namespace: text, name: text });
const manifestText = Type.String({ minLength: 1, maxLength: 512 * 1024 });
const message = Type.Optional(Type.String({ minLength: 1, maxLength: 4000 }));

/** What is wrong with an Application, by field. */
export const ApplicationProblem = Type.Object({
  /** Dotted path, e.g. `spec.source.path`; '' for the whole. */
  field: text,
  reason: text,
  /** What to do about it. */
  remedy: optionalText,
  /** An error keeps it from being committed; a warning does not. */
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  /** In the YAML text, from 1. */
  line: Type.Optional(Type.Integer()),
});
export type ApplicationProblem = Static<typeof ApplicationProblem>;

/** A Git Source by its Application. */
const gitSource = Type.Object({ name: text, namespace: optionalText });

const definitionInput = {
  /** The Application as YAML, one document. */
  manifest: manifestText,
  /** Where it shall live; its namespace is that of the engine unless said otherwise. */
  gitSource,
  /** In the folder of the Git Source; default `<name>.yaml`. */
  fileName: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}\\.ya?ml$' })),
};

export const ApplicationPreview = Type.Object({
  problems: Type.Array(ApplicationProblem),
  /** Absent while the name cannot be read. */
  application: Type.Optional(Type.Object({ namespace: text, name: text, project: text })),
  /** Where it would be committed; absent while that is unknown. */
  file: Type.Optional(Type.Object({ repoURL: text, branch: text, path: text, exists: Type.Boolean() })),
  /** What it would deploy, values of Secrets masked; absent when it could not be rendered (see problems). */
  manifests: Type.Optional(Type.Array(Type.Record(text, Type.Unknown()))),
  /** The commit of the source that was rendered. */
  revision: optionalText,
});
export type ApplicationPreview = Static<typeof ApplicationPreview>;

/** The file that defines an application, as the branch of its Git Source holds it now. */
export const ApplicationDefinition = Type.Object({
  gitSource: Type.Object({ namespace: text, name: text }),
  repoURL: text,
  branch: text,
  /** From the root of the repository. */
  path: text,
  /** The head of the branch: give it back as `base` when editing. */
  commit: text,
  /** Object id of the file's content. */
  blob: text,
  /** The whole file. */
  text,
  /** How many YAML documents the file has; with more than one it defines other things too. */
  documents: Type.Integer(),
  url: optionalText,
});
export type ApplicationDefinition = Static<typeof ApplicationDefinition>;

const resource = Type.Object({ group: text, kind: text, namespace: text, name: text });

/** What deleting the file brings about. */
export const DeletionImpact = Type.Object({
  definition: ApplicationDefinition,
  /** The Git Source prunes by itself: the Application goes from the cluster soon after the commit. */
  applicationGoes: Type.Boolean(),
  /** The Application has Argo CD's finalizer: what it deployed goes with it. */
  resourcesGo: Type.Boolean(),
  /** What it deploys now. */
  resources: Type.Array(resource),
  /** The same in one sentence. */
  summary: text,
});
export type DeletionImpact = Static<typeof DeletionImpact>;

export const RollbackRequest = Type.Object({
  /** `historyId` of a deployment; `id` in the history of getApplication. */
  historyId: Type.Integer({ minimum: 0 }),
  /**
   * `commit` restores the source's folder in Git to what it was, so that auto-sync stays on; `engine` is Argo CD's own
   * rollback, which needs auto-sync off. Default: `commit` while auto-sync is on, else `engine`.
   */
  how: Type.Optional(Type.Union([Type.Literal('commit'), Type.Literal('engine')])),
  /** Only tell what would be done. */
  dryRun: Type.Optional(Type.Boolean()),
  message,
});
export type RollbackRequest = Static<typeof RollbackRequest>;

export const RollbackReceipt = Type.Object({
  how: Type.Union([Type.Literal('commit'), Type.Literal('engine')]),
  /** The revision that is gone back to. */
  revision: text,
  /** Of `commit`: the files that go back, from the root of the repository. Empty: Git holds that already. */
  files: Type.Array(
    Type.Object({
      path: text,
      change: Type.Union([Type.Literal('added'), Type.Literal('changed'), Type.Literal('removed')]),
    }),
  ),
  /** Absent for a dry run and for `engine`. */
  commit: Type.Optional(CommitReceipt),
  message: text,
});
export type RollbackReceipt = Static<typeof RollbackReceipt>;

export const definitionRoutes = {
  previewApplication: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/application-previews`,
    summary: 'Checks an Application against schema, project rules and repository, and renders it; changes nothing.',
    auth: 'user',
    needs: 'member',
    act: 'application.preview',
    reads: true,
    body: Type.Object({
      ...definitionInput,
      /** It is there already and shall be changed. */
      existing: Type.Optional(Type.Boolean()),
    }),
    response: ApplicationPreview,
    maxAnswerBytes: 8 * 1024 * 1024,
  }),
  createApplication: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/applications`,
    summary: 'Commits a new Application into the folder of a Git Source.',
    auth: 'user',
    needs: 'member',
    act: 'application.create',
    status: 201,
    body: Type.Object({ ...definitionInput, message }),
    response: Type.Object({ application: params, commit: CommitReceipt }),
  }),
  getApplicationDefinition: appProxyRoute({
    method: 'GET',
    path: `${application}/definition`,
    summary: 'The file in Git that defines the application, as it is now.',
    auth: 'user',
    needs: 'VIEW',
    act: 'application.definition',
    params,
    response: ApplicationDefinition,
  }),
  editApplicationDefinition: appProxyRoute({
    method: 'PUT',
    path: `${application}/definition`,
    summary: 'Commits a changed file. What somebody else changed in it since `base` is a conflict, with both versions.',
    auth: 'user',
    needs: 'SYNC',
    act: 'application.edit',
    params,
    body: Type.Object({
      /** The whole file. */
      text: manifestText,
      /** `commit` of the definition that was looked at. */
      base: Type.String({ pattern: '^[0-9a-f]{40}$' }),
      message,
    }),
    response: Type.Object({ commit: CommitReceipt }),
  }),
  getDeletionImpact: appProxyRoute({
    method: 'GET',
    path: `${application}/deletion`,
    summary: 'What deleting the application by commit would bring about.',
    auth: 'user',
    needs: 'VIEW',
    act: 'application.deletion',
    params,
    response: DeletionImpact,
  }),
  deleteApplication: appProxyRoute({
    method: 'DELETE',
    path: `${application}/definition`,
    summary: 'Commits the removal of the application from its Git Source.',
    auth: 'user',
    needs: 'DELETE',
    act: 'application.delete',
    params,
    query: Type.Object({
      /** `commit` of the impact that was looked at. */
      base: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
      message,
    }),
    response: Type.Object({ commit: CommitReceipt, impact: DeletionImpact }),
  }),
  rollbackApplication: appProxyRoute({
    method: 'POST',
    path: `${application}/rollback`,
    summary: 'Goes back to an earlier release: by a commit that auto-sync follows, or by the engine where it is off.',
    auth: 'user',
    needs: 'ROLLBACK',
    act: 'application.rollback',
    params,
    body: RollbackRequest,
    response: RollbackReceipt,
  }),
} as const;
