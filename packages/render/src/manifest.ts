/** One rendered Kubernetes object. Shared between callers through the cache: never change one in place. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  /** `name` is '' for objects that only have a `generateName`. */
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}
