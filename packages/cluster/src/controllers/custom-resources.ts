// CustomResourceDefinitions: what they define is served as soon as the definition is on disk; a definition that is being
// deleted takes its objects with it.
import { toKubeTime } from '@fairlead/base';
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { customResourceCleanup } from '../registry/index.ts';
import { builtIn, type Controller, type ControllerContext, deleteAll, manager } from './context.ts';

const resource = 'apiextensions.k8s.io/customresourcedefinitions';

export function startCustomResources(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store, registry } = objects;
  const loop = new KeyLoop({
    name: 'customresourcedefinition',
    clock,
    log,
    reconcile: (name) => reconcile(context, name),
  });
  const unsubscribe = store.subscribe('*', ({ type, stored }) => {
    if (stored.resource === resource) {
      if (type === 'DELETED') registry.undefine(stored.object.metadata.name);
      else registry.define(stored.object);
      loop.add(stored.object.metadata.name);
    } else if (type === 'DELETED') {
      const definition = definitionOf(context, stored.resource);
      if (definition?.metadata.deletionTimestamp) loop.add(definition.metadata.name);
    }
  });
  for (const { object } of store.collection(resource).scan()) {
    registry.define(object);
    loop.add(object.metadata.name);
  }
  return {
    stop: () => {
      unsubscribe();
      return loop.stop();
    },
  };
}

/** `group/plural` is kept under the definition `plural.group`. */
function definitionOf({ objects }: ControllerContext, storageKey: string): KubeObject | undefined {
  const [group, plural] = storageKey.split('/');
  return plural === undefined ? undefined : objects.store.read(resource, '', `${plural}.${group}`)?.object;
}

const typeOf = ({ objects }: ControllerContext) => builtIn(objects, 'apiextensions.k8s.io', 'CustomResourceDefinition');

async function reconcile(context: ControllerContext, name: string): Promise<void> {
  const { objects, clock } = context;
  const definition = objects.store.read(resource, '', name)?.object;
  if (!definition) return;
  const target = { type: typeOf(context), namespace: '', name };
  const status = statusOf(definition, toKubeTime(clock.now()));
  await objects.update(target, (present) => ({ ...present, status }), { manager, subresource: 'status' });
  if (definition.metadata.deletionTimestamp) await cleanUp(context, definition);
}

function statusOf(definition: KubeObject, now: string): Record<string, unknown> {
  const before = recordAt(definition, 'status');
  const present = listAt(before, 'conditions').filter(isRecord);
  const condition = (type: string, reason: string, message: string) =>
    present.find((entry) => entry['type'] === type && entry['reason'] === reason) ?? {
      type,
      status: 'True',
      lastTransitionTime: now,
      reason,
      message,
    };
  const versions = listAt(definition, 'spec', 'versions').filter((version) => recordAt(version)['storage'] === true);
  const storedVersions = [
    ...new Set([...listAt(before, 'storedVersions'), ...versions.map((version) => stringAt(version, 'name'))]),
  ];
  return {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
      ...(definition.metadata.deletionTimestamp
        ? [condition('Terminating', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress')]
        : []),
    ],
    acceptedNames: recordAt(definition, 'spec', 'names'),
    storedVersions,
  };
}

async function cleanUp(context: ControllerContext, definition: KubeObject): Promise<void> {
  const { objects } = context;
  if (!definition.metadata.finalizers?.includes(customResourceCleanup)) return;
  const storageKey = `${stringAt(definition, 'spec', 'group')}/${stringAt(definition, 'spec', 'names', 'plural')}`;
  const left = await deleteAll(context, [...objects.store.collection(storageKey).scan()]);
  if (left > 0) return;
  const release = (present: KubeObject) => {
    const finalizers = (present.metadata.finalizers ?? []).filter((name) => name !== customResourceCleanup);
    return { ...present, metadata: { ...present.metadata, finalizers } };
  };
  await objects.update({ type: typeOf(context), namespace: '', name: definition.metadata.name }, release, { manager });
}
