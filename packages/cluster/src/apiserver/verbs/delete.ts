import { mapLimit } from '@fairlead/base';
import { isRecord, type KubeObject } from '@fairlead/kube/object';
import { type DeleteOptions, invalidOptions, StatusError } from '../../objects/index.ts';
import type { ResourceType } from '../../registry/index.ts';
import { readBodyValue } from '../body.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from '../call.ts';
import { selectionOf } from '../selection.ts';
import { plainList } from './list.ts';

export async function deleteObject(call: Call, { objects }: ServerDeps): Promise<Answer> {
  const options = await readOptions(call);
  const { object, gone } = await objects.delete(targetOf(call), options);
  return { status: 200, body: gone && !call.type.answersDeleted ? deleted(call.type, object) : object };
}

/** Enough to fill one group commit. */
const deletesAtOnce = 256;

export async function deleteCollection(call: Call, { objects }: ServerDeps): Promise<Answer> {
  const options = await readOptions(call);
  const { type, namespace, query } = call;
  const { store } = objects;
  const selection = selectionOf(type, namespace, query);
  const matching = [...store.collection(type.storageKey).scan({ namespace: selection.namespace })].filter(
    ({ object }) => selection.matches(object),
  );
  await mapLimit(matching, deletesAtOnce, async ({ object: { metadata } }) => {
    const target = { type, namespace: metadata.namespace ?? '', name: metadata.name };
    // Another deletion may have been faster.
    if (objects.find(target)?.object.metadata.uid === metadata.uid) await objects.delete(target, options);
  });
  return { status: 200, body: plainList(type, matching, { resourceVersion: String(store.durableRevision) }) };
}

function deleted({ plural, group }: ResourceType, { metadata }: KubeObject): object {
  const details = { name: metadata.name, ...(group === '' ? {} : { group }), kind: plural, uid: metadata.uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

/** Kubernetes gives no reason and calls it its own failure. */
const ownFailure = (message: string) => new StatusError({ status: 500, reason: '', message });

const policies = ['Background', 'Foreground', 'Orphan'] as const;

/** Options may come in the body, in the query, or both; the query only fills what the body leaves open. */
async function readOptions({ request, query, dryRun }: Call): Promise<DeleteOptions> {
  const { value } = await readBodyValue(request, (why) =>
    ownFailure(`couldn't get version/kind; json parse error: ${why}`),
  );
  const given = isRecord(value) ? value : {};
  const { kind = 'DeleteOptions', apiVersion = '' } = given;
  if (kind !== 'DeleteOptions') {
    const name = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw ownFailure(`${name} in scheme "pkg/runtime/scheme.go:100"`);
  }
  const policyName = given['propagationPolicy'] ?? query.get('propagationPolicy') ?? undefined;
  const policy = policies.find((name) => name === policyName);
  const refuse = (type: 'NotSupported' | 'Invalid', message: string) =>
    invalidOptions('DeleteOptions', { type, field: 'propagationPolicy', message, value: policyName });
  if (policyName !== undefined && !policy) {
    throw refuse('NotSupported', 'supported values: "Foreground", "Background", "Orphan", "nil"');
  }
  if (policy && given['orphanDependents'] !== undefined) {
    throw refuse('Invalid', 'orphanDependents and deletionPropagation cannot be both set');
  }
  const orphan = given['orphanDependents'] === true ? 'Orphan' : undefined;
  const grace = given['gracePeriodSeconds'] ?? query.get('gracePeriodSeconds') ?? undefined;
  const preconditions = isRecord(given['preconditions']) ? given['preconditions'] : {};
  return {
    propagationPolicy: policy ?? orphan,
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    preconditions: {
      uid: typeof preconditions['uid'] === 'string' ? preconditions['uid'] : undefined,
      resourceVersion:
        typeof preconditions['resourceVersion'] === 'string' ? preconditions['resourceVersion'] : undefined,
    },
    dryRun: dryRun || (Array.isArray(given['dryRun']) && given['dryRun'].includes('All')),
  };
}
