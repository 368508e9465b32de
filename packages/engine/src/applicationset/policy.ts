// What to create, change and delete, as the set's policy allows. Pure.
import { argoGroup, operationsAnnotation } from '@fairlead/contracts';
import { createMergePatch, isOwnedBy, type KubeObject, listAt, type ResourceRef, stringAt } from '@fairlead/kube';
import { GeneratorError } from './generators.ts';

interface Changes {
  readonly create: readonly KubeObject[];
  readonly update: readonly { readonly ref: ResourceRef; readonly body: unknown }[];
  readonly remove: readonly ResourceRef[];
}

const policies: Readonly<Record<string, { updates: boolean; deletes: boolean }>> = {
  sync: { updates: true, deletes: true },
  'create-only': { updates: false, deletes: false },
  'create-update': { updates: true, deletes: false },
  'create-delete': { updates: false, deletes: true },
};

/** Written by the engine itself and by people; never the template's business. */
const alwaysPreserved = [
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/hydrate',
  'notified.notifications.argoproj.io',
  operationsAnnotation,
];

export function changesFor(set: KubeObject, desired: readonly KubeObject[], existing: readonly KubeObject[]): Changes {
  const asked = stringAt(set, 'spec', 'syncPolicy', 'applicationsSync') || 'sync';
  const policy = Object.hasOwn(policies, asked) ? policies[asked] : undefined;
  if (!policy) {
    const allowed = Object.keys(policies).join(', ');
    throw new GeneratorError('spec.syncPolicy.applicationsSync', `${JSON.stringify(asked)}; allowed: ${allowed}`);
  }
  const { uid = '' } = set.metadata;
  const present = new Map(existing.map((object) => [object.metadata.name, object]));
  const wanted = new Set(desired.map(({ metadata }) => metadata.name));
  const foreign = desired.find(({ metadata }) => {
    const known = present.get(metadata.name);
    return known && (known.metadata.ownerReferences ?? []).length > 0 && !isOwnedBy(known, uid);
  });
  if (foreign)
    throw new GeneratorError('spec.template', `application ${foreign.metadata.name} belongs to another owner`);
  const extra = existing.filter((object) => isOwnedBy(object, uid) && !wanted.has(object.metadata.name));
  return {
    create: desired.filter(({ metadata }) => !present.has(metadata.name)),
    update: policy.updates ? desired.flatMap((object) => updateOf(set, object, present.get(object.metadata.name))) : [],
    remove: policy.deletes ? extra.filter(({ metadata }) => !metadata.deletionTimestamp).map(refTo) : [],
  };
}

const refTo = ({ metadata: { name, namespace } }: KubeObject): ResourceRef => ({
  group: argoGroup,
  version: 'v1alpha1',
  kind: 'Application',
  ...(namespace ? { namespace } : {}),
  name,
});

function updateOf(set: KubeObject, wanted: KubeObject, present: KubeObject | undefined): Changes['update'] {
  if (!present || present.metadata.deletionTimestamp) return [];
  const kept = (field: 'labels' | 'annotations') => {
    const names = [...alwaysPreserved, ...listAt(set, 'spec', 'preservedFields', field)];
    const entries = Object.entries(present.metadata[field] ?? {}).filter(([name]) =>
      names.some((preserved) => name === preserved || name.startsWith(`${String(preserved)}.`)),
    );
    return { ...Object.fromEntries(entries), ...wanted.metadata[field] };
  };
  const shape = (object: KubeObject, labels: object, annotations: object) => ({
    metadata: {
      labels,
      annotations,
      finalizers: object.metadata.finalizers ?? [],
      ownerReferences: object.metadata.ownerReferences ?? [],
    },
    spec: object['spec'],
  });
  const before = shape(present, present.metadata.labels ?? {}, present.metadata.annotations ?? {});
  const body = createMergePatch(before, shape(wanted, kept('labels'), kept('annotations')));
  return Object.keys(body as object).length > 0 ? [{ ref: refTo(present), body }] : []; // a merge patch of two objects is an object
}
