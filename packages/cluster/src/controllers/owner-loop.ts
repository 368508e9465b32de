// What the controllers of kinds that own others share: a pass over an owner when it or what it controls has changed.
import { controllerOf } from '@fairlead/kube/object';
import { KeyLoop, type LoopResult } from '../reconcile/index.ts';
import { type Controller, type ControllerContext, keyOf } from './context.ts';

export interface OwnerLoop {
  /** Where the owners are kept, and their kind. */
  readonly owners: string;
  readonly kind: string;
  /** Where what they control is kept. */
  readonly dependents: string;
  /** Resources whose every change concerns all owners. */
  readonly surroundings?: readonly string[];
  readonly reconcile: (key: string) => Promise<LoopResult>;
}

export function startOwnerLoop(context: ControllerContext, options: OwnerLoop): Controller {
  const { objects, clock, log } = context;
  const { owners, kind, dependents, surroundings = [], reconcile } = options;
  const { store } = objects;
  const loop = new KeyLoop({ name: kind.toLowerCase(), clock, log, reconcile });
  const addAll = () => {
    for (const { object } of store.collection(owners).scan()) loop.add(keyOf(object));
  };
  const unsubscribes = [
    store.subscribe(owners, ({ stored }) => loop.add(keyOf(stored.object))),
    store.subscribe(dependents, ({ stored: { object } }) => {
      const owner = controllerOf(object);
      if (owner?.kind === kind) loop.add(`${object.metadata.namespace}/${owner.name}`);
    }),
    ...surroundings.map((resource) => store.subscribe(resource, addAll)),
  ];
  addAll();
  return {
    stop: () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      return loop.stop();
    },
  };
}
