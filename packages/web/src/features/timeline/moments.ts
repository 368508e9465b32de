// Which moment of the past stands for a deployment, and which moments lie beside one.
import type { ApplicationTimeline, DeploymentRow } from '@fairlead/contracts';

type Moment = ApplicationTimeline['items'][number];

/**
 * The first moment at which what the deployment did was reported; starts and ends are told in whole seconds, so that the
 * report may be a fraction older or younger. Without a reported moment, its own end.
 */
export function momentOf(deployment: DeploymentRow, moments: readonly Moment[]): string {
  const endMs = Date.parse(deployment.finishedAt ?? deployment.startedAt);
  const reported = moments.filter(
    ({ at, deleted, revision }) => !deleted && Date.parse(at) >= endMs && revision === deployment.revision,
  );
  return reported.at(-1)?.at ?? deployment.finishedAt ?? deployment.startedAt;
}

export interface Beside {
  readonly earlier: string | undefined;
  /** Undefined when the moment is the newest one. */
  readonly later: string | undefined;
}

/** `moments` are the newest first. */
export function besideMoment(at: string, moments: readonly Moment[]): Beside {
  const atMs = Date.parse(at);
  const shown = moments.filter(({ deleted }) => !deleted);
  const current = shown.findIndex((moment) => Date.parse(moment.at) <= atMs);
  if (current < 0) return { earlier: undefined, later: shown.at(-1)?.at };
  return { earlier: shown[current + 1]?.at, later: shown[current - 1]?.at };
}
