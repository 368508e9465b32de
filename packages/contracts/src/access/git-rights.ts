// The switch for rights that follow Git, a file of the Shared Configuration Repository. Absent: it is off.
import { type Static, Type } from 'typebox';

export const gitRightsKind = { apiVersion: 'fairlead.io/v1alpha1', kind: 'GitRights' } as const;

export const GitRightsManifest = Type.Object(
  {
    apiVersion: Type.Literal(gitRightsKind.apiVersion),
    kind: Type.Literal(gitRightsKind.kind),
    metadata: Type.Object({ name: Type.String() }),
    /** `acts`: runtimes hold acts on applications against the Git rights of who acts. */
    spec: Type.Object({ enforce: Type.Literal('acts') }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type GitRightsManifest = Static<typeof GitRightsManifest>;
