// Requests as data: what is played to a real kube-apiserver when recording, and to ours when comparing.
// `{ns}` stands for the sequence's own namespace, in paths and bodies.

export interface Step {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is a stream of events, read to its end. */
  readonly isWatch?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

/** A step may need what earlier answers held: a version, a uid, a continue token. */
export type Planned = Step | ((answers: readonly Answer[]) => Step);

export interface Sequence {
  readonly name: string;
  readonly steps: readonly Planned[];
}

export const sequence = (name: string, ...steps: readonly Planned[]): Sequence => ({ name, steps });

type Extra = Omit<Partial<Step>, 'method' | 'path' | 'body'>;

export const get = (path: string, extra: Extra = {}): Step => ({ method: 'GET', path, ...extra });
export const post = (path: string, body: unknown, extra: Extra = {}): Step => ({
  method: 'POST',
  path,
  body,
  ...extra,
});
export const put = (path: string, body: unknown, extra: Extra = {}): Step => ({ method: 'PUT', path, body, ...extra });
export const remove = (path: string, body?: unknown, extra: Extra = {}): Step => ({
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
  ...extra,
});
const patch =
  (type: string) =>
  (path: string, body: unknown, extra: Extra = {}): Step => ({ method: 'PATCH', path, body, type, ...extra });
export const jsonPatch = patch('application/json-patch+json');
export const mergePatch = patch('application/merge-patch+json');
export const strategicPatch = patch('application/strategic-merge-patch+json');
const applyPatch = patch('application/apply-patch+yaml');

export const apply = (path: string, manager: string, body: unknown, options: { force?: boolean } = {}): Step =>
  applyPatch(
    `${path}${path.includes('?') ? '&' : '?'}fieldManager=${manager}${options.force ? '&force=true' : ''}`,
    body,
  );

/** Ends by itself after a second. */
export const watch = (path: string, extra: Extra = {}): Step => ({
  method: 'GET',
  path: `${path}${path.includes('?') ? '&' : '?'}watch=true&timeoutSeconds=1`,
  isWatch: true,
  ...extra,
});

/** A value out of an earlier answer's body. */
export function from(answers: readonly Answer[], index: number, ...path: readonly string[]): unknown {
  let value = answers[index]?.body;
  for (const key of path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined; // just checked
  }
  return value;
}

export const versionOf = (answers: readonly Answer[], index: number): string =>
  String(from(answers, index, 'metadata', 'resourceVersion'));
