// Applications as they were when an operation had ended that the next one has replaced since: its result is in nobody's hands but
// ours. Each is kept until it is reported, whatever fails in between; they are told in the order they ended.
import { asApplication } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

export class Overtaken {
  readonly #byKey = new Map<string, KubeObject[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }

  add(key: string, object: KubeObject): void {
    this.#count++;
    this.#byKey.set(key, [...this.of(key), object]);
  }

  /** Those of one application, the oldest first. */
  of(key: string): readonly KubeObject[] {
    return this.#byKey.get(key) ?? [];
  }

  /** That operation is reported. */
  told(key: string, operation: string | undefined): void {
    const before = this.of(key);
    const left = before.filter((object) => finishedOperation(object) !== operation);
    this.#count -= before.length - left.length;
    if (left.length > 0) this.#byKey.set(key, left);
    else this.#byKey.delete(key);
  }
}

/** What tells the operations of one application apart: when it began; undefined when it is not over or there is none. */
export function finishedOperation(object: KubeObject): string | undefined {
  const state = asApplication(object).status?.operationState; // fields are read leniently: it is an object of that kind
  return state?.finishedAt ? state.startedAt : undefined;
}
