// The switch for rights that follow Git, a file of the Shared Configuration Repository. Absent: it is off.
import { type Static, Type } from 'typebox';

export const gitRightsKind = { apiVersion: 'fairlead.io/v1alpha1', kind: 'GitRights' } as const;

/** `acts`: runtimes hold acts on applications against the Git rights of who acts. `all`: what people see follows Git too. */
export const GitRightsEnforced = Type.Union([Type.Literal('acts'), Type.Literal('all')]);
export type GitRightsEnforced = Static<typeof GitRightsEnforced>;

export const GitRightsManifest = Type.Object(
  {
    apiVersion: Type.Literal(gitRightsKind.apiVersion),
    kind: Type.Literal(gitRightsKind.kind),
    metadata: Type.Object({ name: Type.String() }),
    spec: Type.Object({ enforce: GitRightsEnforced }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type GitRightsManifest = Static<typeof GitRightsManifest>;
