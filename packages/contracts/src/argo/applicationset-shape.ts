// The spec of an ApplicationSet, in the shapes that Argo CD's own definition has. What has another shape must be told: passed
// over, a list of generators that is none would mean that no application is wanted any more.
import { Type } from 'typebox';

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));
const flag = Type.Optional(Type.Boolean());
const textMap = Type.Optional(Type.Record(Type.String(), Type.String()));
const anything = Type.Record(Type.String(), Type.Unknown());
const open = Type.Optional(anything);
const places = Type.Optional(Type.Array(Type.Object({ path: Type.String(), exclude: flag })));
const seconds = Type.Optional(Type.Integer());
const selector = Type.Optional(
  Type.Object({
    matchLabels: textMap,
    matchExpressions: Type.Optional(
      Type.Array(Type.Object({ key: Type.String(), operator: Type.String(), values: texts })),
    ),
  }),
);
const nested = Type.Array(anything);

const secretRef = Type.Optional(Type.Object({ secretName: Type.String(), key: Type.String() }));
const authorityRef = Type.Optional(Type.Object({ configMapName: Type.String(), key: Type.String() }));
const ownedRepository = { owner: Type.String(), repo: Type.String(), api: text };

const pullRequest = Type.Optional(
  Type.Object({
    github: Type.Optional(Type.Object({ ...ownedRepository, tokenRef: secretRef, appSecretName: text, labels: texts })),
    gitlab: Type.Optional(
      Type.Object({
        project: Type.String(),
        api: text,
        tokenRef: secretRef,
        labels: texts,
        pullRequestState: text,
        insecure: flag,
        caRef: authorityRef,
      }),
    ),
    gitea: Type.Optional(Type.Object({ ...ownedRepository, tokenRef: secretRef, labels: texts, insecure: flag })),
    bitbucket: Type.Optional(
      Type.Object({
        ...ownedRepository,
        basicAuth: Type.Optional(Type.Object({ username: Type.String(), passwordRef: secretRef })),
        bearerToken: Type.Optional(Type.Object({ tokenRef: secretRef })),
      }),
    ),
    filters: Type.Optional(Type.Array(Type.Object({ branchMatch: text, targetBranchMatch: text, titleMatch: text }))),
    requeueAfterSeconds: seconds,
    continueOnRepoNotFoundError: flag,
    values: textMap,
    template: open,
  }),
);

/** One of `spec.generators`; those inside a matrix or merge are checked as they are met. */
export const GeneratorShape = Type.Object({
  selector,
  list: Type.Optional(
    Type.Object({ elements: Type.Optional(Type.Array(anything)), elementsYaml: text, template: open }),
  ),
  clusters: Type.Optional(Type.Object({ selector, values: textMap, flatList: flag, template: open })),
  git: Type.Optional(
    Type.Object({
      repoURL: Type.String(),
      revision: text,
      directories: places,
      files: places,
      pathParamPrefix: text,
      requeueAfterSeconds: seconds,
      values: textMap,
      template: open,
    }),
  ),
  matrix: Type.Optional(Type.Object({ generators: nested, template: open })),
  merge: Type.Optional(Type.Object({ generators: nested, mergeKeys: texts, template: open })),
  pullRequest,
});

export const ApplicationSetShape = Type.Object({
  generators: Type.Array(anything),
  goTemplate: flag,
  goTemplateOptions: texts,
  template: anything,
  templatePatch: text,
  applyNestedSelectors: flag,
  syncPolicy: Type.Optional(Type.Object({ applicationsSync: text, preserveResourcesOnDeletion: flag })),
  strategy: Type.Optional(
    Type.Object({
      type: text,
      deletionOrder: text,
      rollingSync: Type.Optional(
        Type.Object({
          steps: Type.Optional(
            Type.Array(
              Type.Object({
                matchExpressions: Type.Optional(
                  Type.Array(Type.Object({ key: Type.String(), operator: Type.String(), values: texts })),
                ),
                maxUpdate: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
              }),
            ),
          ),
        }),
      ),
    }),
  ),
  preservedFields: Type.Optional(Type.Object({ annotations: texts, labels: texts })),
});
