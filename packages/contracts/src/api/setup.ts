// The way from nothing to the first deployment, in three steps, each computed from what is there: a runtime, a Git
// provider with the Shared Configuration Repository, a cluster to deploy to.
import { type Static, Type } from 'typebox';
import { ClusterStatus } from '../events/report.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const InstallStep = Type.Object({
  title: text,
  status: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
});
export type InstallStep = Static<typeof InstallStep>;

/** How far the installation of a hosted runtime is. */
export const HostedInstall = Type.Object({
  /** `requested`: the provisioner has not taken it up yet. */
  state: Type.Union([
    Type.Literal('requested'),
    Type.Literal('installing'),
    Type.Literal('installed'),
    Type.Literal('failed'),
  ]),
  steps: Type.Array(InstallStep, { maxItems: 20 }),
  /** Why it failed, and what to do. */
  message: optionalText,
  requestedAt: text,
  updatedAt: text,
});
export type HostedInstall = Static<typeof HostedInstall>;

const status = Type.Union([Type.Literal('todo'), Type.Literal('doing'), Type.Literal('done'), Type.Literal('failed')]);

export const SetupState = Type.Object({
  /** All three are done. */
  complete: Type.Boolean(),
  runtime: Type.Object({ status, name: optionalText, install: Type.Optional(HostedInstall) }),
  git: Type.Object({
    status,
    /** Which runtime has it, and where its configuration is. */
    runtime: optionalText,
    sharedConfigRepo: optionalText,
    gitSources: Type.Integer(),
  }),
  cluster: Type.Object({
    status,
    clusters: Type.Array(Type.Object({ runtime: text, name: text, server: text, status: ClusterStatus })),
  }),
});
export type SetupState = Static<typeof SetupState>;
