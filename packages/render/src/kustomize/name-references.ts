// Fields that hold the name of another object: when that object got a new name, they follow. An object is known by
// every name it had on its way; the namespace, then prefixes and suffixes, tell apart those of the same name.
import { RenderError } from '../errors.ts';
import { changeField, type FieldSpec, selects } from './field-spec.ts';
import { isFields, put, textOf } from './fields.ts';
import { type References, referencesByKind } from './reference-fields.ts';
import { groupVersionOf, type Resource } from './resource.ts';

export function followNames(resources: readonly Resource[], further: readonly References[] = []): void {
  for (const referrer of resources) {
    const candidates = resources.filter((target) => target.previousIds.length > 0 && isReachable(referrer, target));
    if (candidates.length === 0) continue;
    for (const { kind, group, version, fields } of [...referencesByKind, ...further]) {
      const ofKind = candidates.filter(({ previousIds }) =>
        previousIds.some(
          (id) =>
            id.kind === kind &&
            (group === undefined || id.group === group) &&
            (version === undefined || id.version === version),
        ),
      );
      if (ofKind.length === 0) continue;
      for (const spec of fields) if (selects(spec, referrer)) follow(referrer, spec, ofKind);
    }
  }
}

function isReachable(referrer: Resource, target: Resource): boolean {
  if (referrer.isClusterScoped || target.isClusterScoped || referrer.kind === 'RoleBinding') return true;
  return referrer.id.namespace === target.id.namespace;
}

function follow(referrer: Resource, spec: FieldSpec, candidates: readonly Resource[]): void {
  const eligible = spec.path === 'roleRef/name' ? candidates.filter((target) => isRole(referrer, target)) : candidates;
  changeField(referrer, spec, (value) => {
    if (typeof value === 'string') return referralOf(value, referrer, eligible)?.name ?? value;
    if (isFields(value)) {
      const { namespace } = value;
      const near = typeof namespace === 'string' ? eligible.filter((target) => wasIn(target, namespace)) : eligible;
      const referral = referralOf(textOf(value['name']), referrer, near);
      if (referral) put(value, 'name', referral.name);
      if (referral?.namespace) put(value, 'namespace', referral.namespace);
    }
    return value;
  });
}

const wasIn = ({ previousIds }: Resource, namespace: string): boolean =>
  previousIds.some((id) => id.namespace === namespace);

function isRole(referrer: Resource, target: Resource): boolean {
  const roleRef = referrer.fields['roleRef'];
  return (
    isFields(roleRef) &&
    roleRef['kind'] === target.kind &&
    groupVersionOf(target.fields['apiVersion']).group === roleRef['apiGroup']
  );
}

function referralOf(name: string, referrer: Resource, candidates: readonly Resource[]): Resource | undefined {
  const named = candidates.filter(({ previousIds }) => previousIds.some((id) => id.name === name));
  if (named.length <= 1) return named[0];
  const near = named.filter((target) => sameAffixes(referrer, target));
  const [first] = near;
  if (near.every((target) => target.name === first?.name && target.namespace === first.namespace)) return first;
  throw new RenderError(
    `${referrer.kind} ${referrer.name}: found multiple possible referrals: ${near.map((target) => target.name).join(', ')}`,
  );
}

const sameAffixes = (a: Resource, b: Resource): boolean =>
  a.prefixes.join('\0') === b.prefixes.join('\0') && a.suffixes.join('\0') === b.suffixes.join('\0');
