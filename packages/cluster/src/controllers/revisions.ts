// ControllerRevisions: what the template of a StatefulSet or DaemonSet was, by number. `kubectl rollout history` and
// `undo` read them; the set finds in them the template of pods that are not to be updated yet.
import { canonicalJson, fnv1a } from '@fairlead/base';
import {
  controllerReference,
  equalJson,
  isControlledBy,
  type KubeObject,
  numberAt,
  recordAt,
} from '@fairlead/kube/object';
import { safeEncode } from '../objects/index.ts';
import { builtIn, type ControllerContext, manager } from './context.ts';

const revisionNumber = (revision: KubeObject) => numberAt(revision, 'revision') ?? 0;

export interface RevisionOptions {
  /** The label under which a revision carries its hash. */
  readonly hashLabel: string;
}

/** Oldest first. */
export function revisionsOf({ objects }: ControllerContext, owner: KubeObject): readonly KubeObject[] {
  const { uid = '' } = owner.metadata;
  return objects.store
    .dependentsOf(uid)
    .filter(({ resource, object }) => resource === 'apps/controllerrevisions' && isControlledBy(object, uid))
    .map(({ object }) => object)
    .sort((a, b) => revisionNumber(a) - revisionNumber(b));
}

export function templateOf(revision: KubeObject): Record<string, unknown> {
  const { $patch: _patch, ...template } = recordAt(revision, 'data', 'spec', 'template');
  return template;
}

/** The revision of the owner's present template: made when there is none, the newest again when it was an older one. */
export async function ensureRevision(
  context: ControllerContext,
  owner: KubeObject,
  { hashLabel }: RevisionOptions,
): Promise<KubeObject> {
  const { objects } = context;
  const type = builtIn(objects, 'apps', 'ControllerRevision');
  const namespace = owner.metadata.namespace ?? '';
  const present = revisionsOf(context, owner);
  const template = recordAt(owner, 'spec', 'template');
  const number = Math.max(0, ...present.map(revisionNumber)) + 1;
  const equal = present.findLast((revision) => equalJson(templateOf(revision), template));
  if (equal) {
    if (revisionNumber(equal) === number - 1) return equal;
    const target = { type, namespace, name: equal.metadata.name };
    return (await objects.update(target, (before) => ({ ...before, revision: number }), { manager })).object;
  }
  const hash = safeEncode(String(fnv1a(canonicalJson(template))));
  const labels = recordAt(template, 'metadata', 'labels') as Record<string, string>; // label values are strings
  const wanted: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${owner.metadata.name}-${hash}`,
      namespace,
      labels: { ...labels, [hashLabel]: hash },
      ownerReferences: [controllerReference(owner)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision: number,
  };
  return (await objects.create(type, namespace, wanted, { manager })).object;
}

/** Removes the oldest revisions beyond the owner's limit; those in use do not count. */
export async function pruneRevisions(
  context: ControllerContext,
  owner: KubeObject,
  isInUse: (revision: KubeObject) => boolean,
): Promise<void> {
  const { objects } = context;
  const limit = numberAt(owner, 'spec', 'revisionHistoryLimit') ?? 10;
  const idle = revisionsOf(context, owner).filter((revision) => !isInUse(revision));
  const type = builtIn(objects, 'apps', 'ControllerRevision');
  for (const { metadata } of idle.slice(0, Math.max(0, idle.length - limit))) {
    await objects.delete({ type, namespace: metadata.namespace ?? '', name: metadata.name }, {});
  }
}
