// Which application an object belongs to: the annotation `argocd.argoproj.io/tracking-id`, in Argo CD's own format
// `<application>:<group>/<kind>:<namespace>/<name>`.
import { trackingIdAnnotation } from '@fairlead/contracts';
import { gvkOf, type KubeObject, type ResourceRef } from '@fairlead/kube';

interface TrackingId {
  readonly application: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `namespace` is the object's, or the destination's for objects without one. */
export function trackingId(application: string, ref: Omit<ResourceRef, 'version'>): string {
  return `${application}:${ref.group}/${ref.kind}:${ref.namespace ?? ''}/${ref.name}`;
}

export function parseTrackingId(text: string): TrackingId | undefined {
  const [application = '', kindPart, ...rest] = text.split(':');
  const objectPart = rest.join(':');
  const kind = kindPart?.split('/');
  const object = objectPart.split('/');
  if (application === '' || kind?.length !== 2 || object.length !== 2) return undefined;
  return {
    application,
    group: kind[0] ?? '',
    kind: kind[1] ?? '',
    namespace: object[0] ?? '',
    name: object[1] ?? '',
  };
}

/**
 * The application that manages this very object. Controllers copy annotations to what they make; an annotation that
 * names another object than the one it is on is such a copy and means nothing.
 */
export function trackedBy(object: KubeObject): string | undefined {
  const text = object.metadata.annotations?.[trackingIdAnnotation];
  const id = text === undefined ? undefined : parseTrackingId(text);
  if (!id) return undefined;
  const { group, kind } = gvkOf(object);
  const { namespace, name } = object.metadata;
  const isSelf = id.group === group && id.kind === kind && id.name === name;
  return isSelf && (!namespace || id.namespace === namespace) ? id.application : undefined;
}
