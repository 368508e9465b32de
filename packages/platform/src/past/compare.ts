// What is different between two moments of an application. Pure.
import type { ApplicationDiff, ResourceReport } from '@fairlead/contracts';
import type { PastApplication } from './read.ts';

type Changed = ApplicationDiff['resources'][number];

export function compareMoments(from: PastApplication, to: PastApplication): ApplicationDiff {
  const before = new Map(from.report.resources.map((resource) => [idOf(resource), resource]));
  const after = new Map(to.report.resources.map((resource) => [idOf(resource), resource]));
  const changed: Changed[] = [];
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const one = compareResource(before.get(id), after.get(id));
    if (one) changed.push(one);
  }
  const both = [...after.keys()].filter((id) => before.has(id)).length;
  return {
    from: sideOf(from),
    to: sideOf(to),
    resources: changed,
    unchanged: both - changed.filter(({ change }) => change === 'changed').length,
  };
}

const idOf = ({ group, kind, namespace, name }: ResourceReport) => [group, kind, namespace, name].join('/');

function compareResource(before: ResourceReport | undefined, after: ResourceReport | undefined): Changed | undefined {
  const named = after ?? before;
  if (!named) return undefined;
  const { group, kind, namespace, name } = named;
  const id = { group, kind, namespace, name };
  if (!before) return { ...id, change: 'added', after: factsOf(named) };
  if (!after) return { ...id, change: 'removed', before: factsOf(before) };
  // Health comes and goes by itself; a change is one of what Git wants or of what the cluster has.
  if (before.desired === after.desired && before.live === after.live) return undefined;
  return { ...id, change: 'changed', before: factsOf(before), after: factsOf(after) };
}

const factsOf = ({ desired, live, sync, health }: ResourceReport) => ({
  ...(desired === undefined ? {} : { desired }),
  ...(live === undefined ? {} : { live }),
  ...(sync === undefined ? {} : { sync }),
  ...(health === undefined ? {} : { health: health.status }),
});

function sideOf({ at, report }: PastApplication): ApplicationDiff['from'] {
  const { revision } = report.sync;
  return { at, ...(revision === undefined ? {} : { revision }), images: report.images };
}
