// What an action is: words about it, and what it makes of an object, as values.
import type { KubeObject } from '@fairlead/kube';

export interface ActionView {
  readonly name: string;
  readonly disabled?: boolean;
  readonly iconClass?: string;
  readonly displayName?: string;
  readonly params?: readonly { readonly name: string; readonly default?: string }[];
}

/** `patch`: a merge patch of the object that is acted on. */
export type ActionWrite =
  | { readonly effect: 'patch'; readonly body: unknown }
  | { readonly effect: 'create'; readonly object: KubeObject };

export type ActionResult =
  | ActionWrite
  | { readonly effect: 'several'; readonly writes: readonly ActionWrite[] }
  | { readonly effect: 'refuse'; readonly reason: string };

export interface ActionInput {
  readonly object: KubeObject;
  readonly parameters: Readonly<Record<string, string>>;
  readonly nowMs: number;
}

export interface Action {
  readonly describe: (object: KubeObject) => Omit<ActionView, 'name'>;
  readonly run: (input: ActionInput) => ActionResult;
}
