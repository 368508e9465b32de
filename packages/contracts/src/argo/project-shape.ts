// The spec of an AppProject, in the shapes that Argo CD's own definition has. A limit of another shape is no limit that could
// be kept, so it is told instead of passed over.
import { Type } from 'typebox';

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));
const flag = Type.Optional(Type.Boolean());
const kinds = Type.Optional(Type.Array(Type.Object({ group: Type.String(), kind: Type.String(), name: text })));
const tokens = Type.Optional(
  Type.Array(Type.Object({ iat: Type.Integer(), exp: Type.Optional(Type.Integer()), id: text })),
);

export const ProjectShape = Type.Object({
  description: text,
  sourceRepos: texts,
  sourceNamespaces: texts,
  destinations: Type.Optional(Type.Array(Type.Object({ server: text, name: text, namespace: text }))),
  clusterResourceWhitelist: kinds,
  clusterResourceBlacklist: kinds,
  namespaceResourceWhitelist: kinds,
  namespaceResourceBlacklist: kinds,
  roles: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String(), description: text, policies: texts, groups: texts, jwtTokens: tokens }),
    ),
  ),
  syncWindows: Type.Optional(
    Type.Array(
      Type.Object({
        kind: text,
        schedule: text,
        duration: text,
        timeZone: text,
        description: text,
        applications: texts,
        namespaces: texts,
        clusters: texts,
        manualSync: flag,
        andOperator: flag,
        syncOverrun: flag,
      }),
    ),
  ),
  orphanedResources: Type.Optional(
    Type.Object({
      warn: flag,
      ignore: Type.Optional(Type.Array(Type.Object({ group: text, kind: text, name: text }))),
    }),
  ),
  permitOnlyProjectScopedClusters: flag,
});
