// Where the pods of a component are. Its own carry two labels, in the namespace of the runtime; the engine may be an Argo CD
// that was there before, whose pods carry the names of its programs.
import { FairleadError } from '@fairlead/base';
import { defaultEngineNamespace, type RuntimeComponent } from '@fairlead/contracts';
import { isForbidden, type KubeClient, type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { partOfFairlead } from '../identity/index.ts';

export interface PodPlaces {
  readonly runtimeNamespace: string;
  /** `*`: wherever Applications are; Argo CD itself is then where it is by default. */
  readonly engineNamespace: string;
}

/** One container of a pod. */
export interface ComponentPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly container: string | undefined;
  readonly createdAt: string;
  /** Nothing more is written. */
  readonly hasEnded: boolean;
}

const argoCdPods = 'app.kubernetes.io/name in (argocd-application-controller, argocd-repo-server, argocd-server)';

const selectorOf = (component: RuntimeComponent) => `${partOfFairlead},app.kubernetes.io/component=${component}`;

interface Asked extends PodPlaces {
  readonly component: RuntimeComponent;
  readonly signal: AbortSignal;
}

/** Newest first; none are a `not_found` that says what was looked for. */
export async function podsOf(client: KubeClient, asked: Asked): Promise<readonly ComponentPod[]> {
  const { component, runtimeNamespace, engineNamespace, signal } = asked;
  const engine = engineNamespace === '*' ? defaultEngineNamespace : engineNamespace;
  const own = { namespace: runtimeNamespace, labelSelector: selectorOf(component) };
  const places = component === 'engine' ? [own, { namespace: engine, labelSelector: argoCdPods }] : [own];
  for (const place of places) {
    const pods = await listPods(client, { ...place, signal });
    if (pods.length > 0) return pods.map((pod) => componentPod(pod, component)).sort(newestFirst);
  }
  const looked = places.map(({ namespace, labelSelector }) => `${labelSelector} in namespace ${namespace}`);
  throw new FairleadError('not_found', `component ${component} has no pods: none with ${looked.join(', nor with ')}`);
}

interface Place {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly signal: AbortSignal;
}

async function listPods(client: KubeClient, { signal, ...place }: Place): Promise<readonly KubeObject[]> {
  try {
    return (await client.list({ apiVersion: 'v1', kind: 'Pod', ...place }, { signal })).items;
  } catch (error) {
    throw isForbidden(error) ? mayNot(place.namespace, error) : error;
  }
}

/** The words of the API server name the account. */
export function mayNot(namespace: string, cause: unknown): FairleadError {
  const said = cause instanceof Error ? cause.message : '';
  const message = `the runtime may not read logs of its pods: ${said}; a Role in namespace ${namespace} must allow list of pods and get of pods/log`;
  return new FairleadError('unavailable', message, { cause });
}

function componentPod(pod: KubeObject, component: RuntimeComponent): ComponentPod {
  const { uid = '', namespace = '', name, creationTimestamp = '', annotations = {} } = pod.metadata;
  const names = listAt(pod, 'spec', 'containers').map((container) => stringAt(container, 'name'));
  const wished = [component, annotations['kubectl.kubernetes.io/default-container']];
  const container = wished.find((each) => names.includes(each)) ?? names[0];
  const hasEnded = ['Succeeded', 'Failed'].includes(stringAt(pod, 'status', 'phase') ?? '');
  return { uid, namespace, name, container, createdAt: creationTimestamp, hasEnded };
}

const newestFirst = (a: ComponentPod, b: ComponentPod) =>
  b.createdAt.localeCompare(a.createdAt) || a.name.localeCompare(b.name);
