// What Kubernetes takes and warns of: forms of earlier days.
import { type KubeObject, listAt, recordAt } from '@fairlead/kube/object';

/** Since when a kind of volume is on its way out, and since when it does nothing. */
const volumes: Readonly<Record<string, string>> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  gitRepo: 'deprecated in v1.11',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
};
/** Kubernetes calls one of them otherwise here. */
const nameInWarnings = (source: string) => (source === 'storageos' ? 'storageOS' : source);

/** Of the pod spec at `path`: `spec`, or `spec.template.spec`. */
export const podWarnings =
  (...path: readonly string[]) =>
  (object: KubeObject): readonly string[] =>
    listAt(object, ...path, 'volumes').flatMap((volume, index) =>
      Object.keys(recordAt(volume)).flatMap((source) =>
        volumes[source] ? [`${path.join('.')}.volumes[${index}].${nameInWarnings(source)}: ${volumes[source]}`] : [],
      ),
    );

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
export const claimWarnings = ({ metadata: { annotations = {} } }: KubeObject): readonly string[] =>
  annotations[classAnnotation] === undefined
    ? []
    : [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`];

const ingressAnnotation = 'kubernetes.io/ingress.class';
export const ingressWarnings = ({ metadata: { annotations = {} } }: KubeObject): readonly string[] =>
  annotations[ingressAnnotation] === undefined
    ? []
    : [`annotation "${ingressAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
