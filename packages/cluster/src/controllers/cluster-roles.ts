// Cluster roles that are the sum of others: those whose labels their aggregation rule selects.
import {
  equalJson,
  type KubeObject,
  type LabelSelector,
  listAt,
  matchesSelector,
  selectorOf,
} from '@fairlead/kube/object';
import { KeyLoop } from '../reconcile/index.ts';
import { builtIn, type Controller, type ControllerContext, manager } from './context.ts';

const resource = 'rbac.authorization.k8s.io/clusterroles';

export function startClusterRoles(context: ControllerContext): Controller {
  const { objects, clock, log } = context;
  const { store } = objects;
  const loop = new KeyLoop({ name: 'clusterrole', clock, log, reconcile: (name) => reconcile(context, name) });
  const addAll = () => {
    for (const { object } of store.collection(resource).scan()) {
      if (object['aggregationRule'] !== undefined) loop.add(object.metadata.name);
    }
  };
  const unsubscribe = store.subscribe(resource, addAll);
  addAll();
  return {
    stop: () => {
      unsubscribe();
      return loop.stop();
    },
  };
}

async function reconcile({ objects }: ControllerContext, name: string): Promise<void> {
  const target = { type: builtIn(objects, 'rbac.authorization.k8s.io', 'ClusterRole'), namespace: '', name };
  const role = objects.find(target)?.object;
  if (!role || role['aggregationRule'] === undefined) return;
  const selectors = listAt(role, 'aggregationRule', 'clusterRoleSelectors') as readonly LabelSelector[]; // by the kind's schema
  const isPart = ({ metadata }: KubeObject) =>
    metadata.name !== name && selectors.some((selector) => matchesSelector(selectorOf(selector), metadata.labels));
  const rules = [...objects.store.collection(resource).scan()]
    .filter(({ object }) => isPart(object))
    .flatMap(({ object }) => listAt(object, 'rules'))
    .filter((rule, index, all) => all.findIndex((other) => equalJson(other, rule)) === index);
  if (equalJson(rules, listAt(role, 'rules'))) return;
  await objects.update(target, (present) => ({ ...present, rules }), { manager });
}
