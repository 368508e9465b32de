// Why an application is not what Git says: which fields, who holds them, and what would bring them together.
import type { Explanation, ManagedResource, ResourceStatus } from '@fairlead/contracts';
import { act, count, hint, link, objectOf, type Rule } from '../rule.ts';
import { type ChangedField, changedFields, managerOf } from './fields.ts';

/** Field managers that are the engine itself. */
const ownManagers = /^(argocd-controller|argocd-application-controller|fairlead-engine)$/;
/** Programs by which a person changes something by hand. */
const byHand =
  /^(kubectl|kubectl-edit|kubectl-client-side-apply|kubectl-patch|kubectl-scale|Mozilla|k9s|Lens|headlamp)/i;

export const differentFields: Rule = ({ application, managed }) => {
  const resources = (application.status?.resources ?? []).filter(({ status }) => status === 'OutOfSync');
  for (const resource of resources) {
    const found = differenceOf(resource, managed);
    const [field] = found?.fields ?? [];
    if (!found || !field) continue;
    const manager = managerOf(found.live, field.path);
    return explainField(resource, found.fields, { field, manager: manager?.name, since: manager?.since });
  }
  return undefined;
};

interface Difference {
  readonly live: unknown;
  readonly fields: readonly ChangedField[];
}

function differenceOf(resource: ResourceStatus, managed: readonly ManagedResource[]): Difference | undefined {
  const manifest = managed.find(
    ({ group = '', kind, namespace = '', name }) =>
      group === (resource.group ?? '') &&
      kind === resource.kind &&
      name === resource.name &&
      namespace === (resource.namespace ?? ''),
  );
  if (!manifest?.normalizedLiveState || !manifest.predictedLiveState) return undefined;
  try {
    const live: unknown = JSON.parse(manifest.liveState || 'null');
    return {
      live,
      fields: changedFields(JSON.parse(manifest.normalizedLiveState), JSON.parse(manifest.predictedLiveState)),
    };
  } catch {
    return undefined; // not JSON: the difference is shown elsewhere as it came
  }
}

interface FieldHolder {
  readonly field: ChangedField;
  readonly manager: string | undefined;
  readonly since: string | undefined;
}

function explainField(
  resource: ResourceStatus,
  fields: readonly ChangedField[],
  { field, manager, since }: FieldHolder,
): Explanation {
  const isForeign = manager !== undefined && !ownManagers.test(manager);
  const isHand = isForeign && byHand.test(manager);
  const title = `${resource.kind} ${resource.name}`;
  const path = field.path.join('.');
  const others = fields.length > 1 ? ` and ${count(fields.length - 1, 'other field')}` : '';
  return {
    cause: isHand ? 'changed-by-hand' : isForeign ? 'field-fought-over' : 'not-applied-yet',
    headline: isHand
      ? `${title}: ${path}${others} was changed by hand.`
      : isForeign
        ? `${title}: ${path} is also written by ${manager}.`
        : `${title}: ${path}${others} differs from Git.`,
    ...(since ? { since } : {}),
    ...(isForeign ? { actor: manager } : {}),
    chain: [
      link(title, {
        object: objectOf(resource),
        detail: fields.length === 1 ? '1 field differs' : `${fields.length} fields differ`,
      }),
      link(path, { quote: `in the cluster: ${show(field.live)}\nin Git: ${show(field.desired)}` }),
    ],
    remedies: [
      act('sync', 'Synchronize: Git wins'),
      isForeign && !isHand
        ? hint(`Leave the field to ${manager}: take it out of Git, or list it under ignoreDifferences`)
        : hint('Commit the change when it is wanted'),
    ],
  };
}

const maxShown = 200;
function show(value: unknown): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

export const missingOrExtra: Rule = ({ application, managed }) => {
  const resources = application.status?.resources ?? [];
  const extra = resources.filter(({ requiresPruning }) => requiresPruning);
  const outOfSync = resources.filter(({ status, requiresPruning }) => status === 'OutOfSync' && !requiresPruning);
  const absent = outOfSync.filter((resource) => isAbsent(resource, managed));
  const [first] = absent.length > 0 ? absent : extra;
  if (!first) return undefined;
  const isMissing = absent.length > 0;
  const list = (isMissing ? absent : extra).slice(0, 10).map(({ kind, name }) => `${kind} ${name}`);
  return {
    cause: isMissing ? 'not-created-yet' : 'pruning-needed',
    headline: isMissing
      ? `${count(absent.length, 'resource')} of Git ${absent.length === 1 ? 'is' : 'are'} not in the cluster.`
      : `${count(extra.length, 'resource')} ${extra.length === 1 ? 'is' : 'are'} in the cluster but no longer in Git.`,
    chain: [link(isMissing ? 'Missing' : 'To be deleted', { object: objectOf(first), quote: list.join('\n') })],
    remedies: [
      isMissing
        ? act('sync', 'Synchronize: create them')
        : act('sync-with-prune', 'Synchronize with prune: delete them'),
    ],
  };
};

function isAbsent(
  { group = '', kind, namespace = '', name }: ResourceStatus,
  managed: readonly ManagedResource[],
): boolean {
  const found = managed.find(
    (each) =>
      (each.group ?? '') === group && each.kind === kind && (each.namespace ?? '') === namespace && each.name === name,
  );
  return found !== undefined && (!found.liveState || found.liveState === 'null');
}

export const notSyncedYet: Rule = ({ application }) => {
  const { status, spec } = application;
  if (status?.sync?.status !== 'OutOfSync') return undefined;
  const isAutomated = spec.syncPolicy?.automated !== undefined && spec.syncPolicy.automated.enabled !== false;
  return {
    cause: isAutomated ? 'sync-pending' : 'waiting-for-sync',
    headline: isAutomated
      ? 'It differs from Git and will be synchronised soon.'
      : 'It differs from Git, and auto-sync is off.',
    chain: [link('Out of sync', { detail: `Git is at ${status.sync.revision?.slice(0, 7) ?? 'an unknown revision'}` })],
    remedies: [act('sync', 'Synchronize')],
  };
};
