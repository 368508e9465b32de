// What an Application's source says to the tool that renders it, in the shapes that Argo CD's own definition has. Not part
// of the definition that our engine installs: there an object with a mistake could not even be stored, and nobody would be
// told of it but whoever wrote it.
import { Type } from 'typebox';

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));
const flag = Type.Optional(Type.Boolean());
const textMap = Type.Optional(Type.Record(Type.String(), Type.String()));
const open = Type.Record(Type.String(), Type.Unknown());
const variables = Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: text, code: flag })));

const Helm = Type.Object({
  valueFiles: texts,
  values: text,
  valuesObject: Type.Optional(open),
  parameters: Type.Optional(Type.Array(Type.Object({ name: text, value: text, forceString: flag }))),
  fileParameters: Type.Optional(Type.Array(Type.Object({ name: text, path: text }))),
  releaseName: text,
  version: text,
  namespace: text,
  kubeVersion: text,
  apiVersions: texts,
  skipCrds: flag,
  skipTests: flag,
  skipSchemaValidation: flag,
  ignoreMissingValueFiles: flag,
  passCredentials: flag,
});

const Kustomize = Type.Object({
  namePrefix: text,
  nameSuffix: text,
  namespace: text,
  version: text,
  kubeVersion: text,
  apiVersions: texts,
  images: texts,
  components: texts,
  replicas: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), count: Type.Union([Type.Integer(), Type.String()]) })),
  ),
  patches: Type.Optional(
    Type.Array(Type.Object({ path: text, patch: text, target: Type.Optional(open), options: Type.Optional(open) })),
  ),
  commonLabels: textMap,
  commonAnnotations: textMap,
  forceCommonLabels: flag,
  forceCommonAnnotations: flag,
  commonAnnotationsEnvsubst: flag,
  labelWithoutSelector: flag,
  labelIncludeTemplates: flag,
  ignoreMissingComponents: flag,
});

export const SourceTools = Type.Object({
  tagPrefix: text,
  helm: Type.Optional(Helm),
  kustomize: Type.Optional(Kustomize),
  directory: Type.Optional(
    Type.Object({ jsonnet: Type.Optional(Type.Object({ extVars: variables, tlas: variables, libs: texts })) }),
  ),
  plugin: Type.Optional(
    Type.Object({
      name: text,
      env: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: text }))),
      parameters: Type.Optional(Type.Array(Type.Object({ name: text, string: text, map: textMap, array: texts }))),
    }),
  ),
});
