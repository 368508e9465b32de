// The address of a resource inside an application, and its form in the URL: `apps/Deployment/shop/web`; the core group
// and cluster scope are empty parts.
export interface ResourceRef {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const formatResourceRef = ({ group, kind, namespace, name }: ResourceRef): string =>
  [group, kind, namespace, name].join('/');

export function parseResourceRef(text: string | undefined): ResourceRef | undefined {
  const [group, kind, namespace, ...name] = (text ?? '').split('/');
  if (group === undefined || !kind || namespace === undefined || name.length === 0) return undefined;
  return { group, kind, namespace, name: name.join('/') };
}
