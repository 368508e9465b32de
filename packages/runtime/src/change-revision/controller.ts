// Writes, for each finished synchronisation, which commit changed the application (per source). On our engine into the
// operation itself, where the fork of Argo CD behind the seeds has it; on an Argo CD that is not ours into one annotation,
// and only when told to; `remove` takes that annotation away again. Never touches anything else of an Application.
import { type Clock, type Counter, errorMessage, type Logger } from '@fairlead/base';
import { type ApplicationSource, argoApiVersion, argoGroup, asApplication } from '@fairlead/contracts';
import {
  Informer,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type ReconcileResult,
  runWorkers,
  WorkQueue,
} from '@fairlead/kube';
import type { SourceClient } from '../source-server/index.ts';

export const changeRevisionAnnotation = 'fairlead.io/change-revision';
export type ChangeRevisionWriting = 'field' | 'annotation' | 'remove';

interface ControllerDeps {
  readonly client: KubeClient;
  /** Where repositories are read and rendered, with the runtime's own credentials. */
  readonly sources: SourceClient;
  /** Synchronisations by `outcome`: found, none, failed. */
  readonly found: Counter;
  readonly log: Logger;
  readonly clock: Clock;
}

interface ControllerOptions {
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly writing: ChangeRevisionWriting;
}

/** The part of an operation that its fork of Argo CD adds; and several sources. */
interface Finished {
  readonly startedAt: string;
  readonly sources: readonly ApplicationSource[];
  readonly revisions: readonly string[];
  readonly known: string | undefined;
}

const workers = 2;
const againMs = 60_000;

export class ChangeRevisionController {
  readonly #deps: ControllerDeps;
  readonly #options: ControllerOptions;
  readonly #applications: Informer;
  readonly #queue: WorkQueue;
  readonly #found: Counter;
  /** Operations that were answered, also with "none", by application. */
  readonly #done = new Map<string, string>();

  constructor(deps: ControllerDeps, options: ControllerOptions) {
    const { client, log, clock } = deps;
    this.#deps = deps;
    this.#options = options;
    const query = { apiVersion: argoApiVersion, kind: 'Application', namespace: options.namespace };
    this.#applications = new Informer({ client, query, log, clock });
    this.#queue = new WorkQueue({ clock, baseDelayMs: 500, maxDelayMs: againMs });
    this.#found = deps.found;
  }

  /** `onWatching`: once it has seen all there is. */
  async run({ signal, onWatching }: { signal: AbortSignal; onWatching?: () => void }): Promise<void> {
    const { log } = this.#deps;
    const running = [this.#applications.run({ signal })];
    await this.#applications.synced({ signal });
    onWatching?.();
    const stop = this.#applications.onChange(({ type, object }) => {
      if (type === 'delete') this.#done.delete(keyOf(object));
      else this.#queue.add(keyOf(object));
    });
    for (const object of this.#applications.list()) this.#queue.add(keyOf(object));
    const reconcile = (key: string) => this.#reconcile(key, signal);
    await runWorkers({ queue: this.#queue, concurrency: workers, reconcile, signal, log });
    stop();
    await Promise.all(running);
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { log } = this.#deps;
    const object = this.#applications.get(`${argoGroup}/Application/${key}`);
    if (!object) return undefined;
    if (this.#options.writing === 'remove') return this.#remove(object, signal);
    const finished = finishedOf(object);
    if (!finished || finished.known || this.#done.get(key) === finished.startedAt) return undefined;
    try {
      const found = await this.#find(object, finished, signal);
      const isFound = found.some((each) => each !== undefined);
      if (isFound) await this.#write(object, found, signal);
      this.#done.set(key, finished.startedAt);
      this.#found.inc({ outcome: isFound ? 'found' : 'none' });
      log.info({ application: key, revisions: finished.revisions, changeRevisions: found }, 'change revision');
      return undefined;
    } catch (error) {
      if (signal.aborted || isNotFound(error)) return undefined;
      if (isConflict(error)) return { requeueAfterMs: 200 };
      this.#found.inc({ outcome: 'failed' });
      log.warn({ application: key, error: errorMessage(error) }, 'no change revision could be found; trying again');
      return { requeueAfterMs: againMs };
    }
  }

  async #find(object: KubeObject, { sources, revisions }: Finished, signal: AbortSignal) {
    const { metadata, spec } = asApplication(object);
    const { namespace } = spec.destination;
    const asked = { sources: [...sources], revisions: [...revisions], application: metadata.name };
    const ask = { ...asked, ...(namespace === undefined ? {} : { namespace }) };
    const found = await this.#deps.sources.ask('change-revisions', ask, { signal });
    return found.map((each) => each ?? undefined);
  }

  async #write(object: KubeObject, found: readonly (string | undefined)[], signal: AbortSignal): Promise<void> {
    const { resourceVersion } = object.metadata;
    const changeRevisions = found.map((each) => each ?? '');
    const [changeRevision = ''] = changeRevisions.filter((each) => each !== '');
    const sync = found.length > 1 ? { changeRevision, changeRevisions } : { changeRevision };
    const annotations = { [changeRevisionAnnotation]: changeRevisions.join(',') };
    // The resource version makes it refuse when another operation has begun meanwhile.
    const patch =
      this.#options.writing === 'field'
        ? { metadata: { resourceVersion }, status: { operationState: { operation: { sync } } } }
        : { metadata: { resourceVersion, annotations } };
    if (this.#options.writing === 'annotation' && hasAnnotation(object, annotations[changeRevisionAnnotation])) return;
    await this.#deps.client.patch(refOf(object), patch, { type: 'merge', signal });
  }

  async #remove(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    if (object.metadata.annotations?.[changeRevisionAnnotation] === undefined) return undefined;
    const patch = { metadata: { annotations: { [changeRevisionAnnotation]: null } } };
    await this.#deps.client.patch(refOf(object), patch, { type: 'merge', signal });
    return undefined;
  }
}

const hasAnnotation = (object: KubeObject, value: string | undefined) =>
  object.metadata.annotations?.[changeRevisionAnnotation] === value;
const keyOf = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
const refOf = ({ metadata: { namespace, name } }: KubeObject) => ({
  ...{ group: argoGroup, version: 'v1alpha1', kind: 'Application', name },
  ...(namespace ? { namespace } : {}),
});

/** Undefined while an operation runs, and when it synced to nothing that has a revision. */
function finishedOf(object: KubeObject): Finished | undefined {
  const { spec, status } = asApplication(object);
  const state = status?.operationState;
  if (!state?.finishedAt || state.phase !== 'Succeeded') return undefined;
  const result = state.syncResult as
    | { revision?: string; revisions?: string[]; source?: ApplicationSource; sources?: ApplicationSource[] }
    | undefined;
  const sources = spec.sources?.length ? (result?.sources ?? spec.sources) : [result?.source ?? spec.source];
  const revisions = spec.sources?.length ? (result?.revisions ?? []) : [result?.revision ?? ''];
  const given = sources.filter((source): source is ApplicationSource => source !== undefined);
  if (given.length === 0 || given.length !== revisions.length || revisions.includes('')) return undefined;
  const known = (state.operation.sync as { changeRevision?: string } | undefined)?.changeRevision;
  return { startedAt: state.startedAt, sources: given, revisions, known };
}
