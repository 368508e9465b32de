// Which application an object belongs to: the annotation `argocd.argoproj.io/tracking-id`, in Argo CD's own format
// `<application>:<group>/<kind>:<namespace>/<name>`, or a label, as `argocd-cm` says.
import { trackingIdAnnotation } from '@fairlead/contracts';
import { gvkOf, type KubeObject, type ResourceRef } from '@fairlead/kube';

export const trackingMethods = ['annotation', 'label', 'annotation+label'] as const;
export type TrackingMethod = (typeof trackingMethods)[number];

export interface Tracking {
  readonly method: TrackingMethod;
  readonly labelKey: string;
  /** When set, only annotations of this installation count. */
  readonly installationId?: string;
}

export const byAnnotation: Tracking = { method: 'annotation', labelKey: 'app.kubernetes.io/instance' };

const installationAnnotation = 'argocd.argoproj.io/installation-id';
const maxLabel = 63;

interface TrackingId {
  readonly application: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `namespace` is the object's, or the destination's for objects without one; no name yet (`generateName`) leaves it empty. */
export function trackingId(application: string, ref: Omit<ResourceRef, 'version'>): string {
  return `${application}:${ref.group}/${ref.kind}:${ref.namespace ?? ''}/${ref.name ?? ''}`;
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
export function trackedBy(object: KubeObject, tracking: Tracking = byAnnotation): string | undefined {
  const { method, labelKey, installationId } = tracking;
  if (method === 'label') return object.metadata.labels?.[labelKey] || undefined;
  if (installationId && object.metadata.annotations?.[installationAnnotation] !== installationId) return undefined;
  const text = object.metadata.annotations?.[trackingIdAnnotation];
  const id = text === undefined ? undefined : parseTrackingId(text);
  if (!id) return undefined;
  const { group, kind } = gvkOf(object);
  const { namespace, name } = object.metadata;
  const isSelf = id.group === group && id.kind === kind && id.name === name;
  return isSelf && (!namespace || id.namespace === namespace) ? id.application : undefined;
}

/** The object as the application's own. */
export function withTracking(object: KubeObject, id: string, tracking: Tracking = byAnnotation): KubeObject {
  const { method, labelKey, installationId } = tracking;
  const { labels, annotations } = object.metadata;
  const application = id.slice(0, id.indexOf(':'));
  const value = method === 'label' ? application : application.slice(0, maxLabel).replace(/[^A-Za-z0-9]+$/, '');
  const marks = {
    [trackingIdAnnotation]: id,
    ...(installationId ? { [installationAnnotation]: installationId } : {}),
  };
  const metadata = {
    ...object.metadata,
    ...(method === 'annotation' ? {} : { labels: { ...labels, [labelKey]: value } }),
    ...(method === 'label' ? {} : { annotations: { ...annotations, ...marks } }),
  };
  return { ...object, metadata };
}
