// Reads a batch object by object: one that cannot be read is set aside with its reason and holds up no other.
// Pure: decides from the batch alone.
import { contentHash, sha256Hex } from '@fairlead/base';
import { type Checked, checker, type ReportBatch, ReportedObject, workloadKey } from '@fairlead/contracts';

export type AcceptedObject = ReportedObject;

export interface Quarantined {
  /** Place in the batch; -1 for a content. */
  readonly index: number;
  readonly key: string;
  readonly reason: string;
  readonly object: unknown;
}

export interface AcceptedBatch {
  readonly reporter: string;
  readonly objects: readonly AcceptedObject[];
  /** The place each accepted object had in the batch. */
  readonly places: readonly number[];
  readonly quarantined: readonly Quarantined[];
  /** Hash → JSON text; only what an object names, and only what really has that hash. */
  readonly contents: ReadonlyMap<string, string>;
  /** Every hash that the accepted objects name. */
  readonly named: ReadonlySet<string>;
}

const [
  application,
  applicationDeleted,
  runtime,
  cluster,
  clusterDeleted,
  gitSource,
  gitSourceDeleted,
  accessRules,
  accessRulesDeleted,
  workload,
  workloadDeleted,
] = ReportedObject.anyOf;
const checkApplication = checker(application);
const checkRuntime = checker(runtime);
const checkCluster = checker(cluster);
const checkGitSource = checker(gitSource);
const checkAccessRules = checker(accessRules);
const checkWorkload = checker(workload);
const checkDeleted = {
  application: checker(applicationDeleted),
  cluster: checker(clusterDeleted),
  'git-source': checker(gitSourceDeleted),
  'access-rules': checker(accessRulesDeleted),
  workload: checker(workloadDeleted),
};

/** A reporter is a program of the runtime: it may speak of that runtime only, under the keys that its objects have. */
export function readBatch(batch: ReportBatch, { runtimeName }: { runtimeName: string }): AcceptedBatch {
  const objects: AcceptedObject[] = [];
  const places: number[] = [];
  const quarantined: Quarantined[] = [];
  for (const [index, object] of batch.objects.entries()) {
    const read = readObject(object, runtimeName);
    if (read.ok) {
      objects.push(read.value);
      places.push(index);
    } else {
      const reason = read.problems.map(({ field, reason: why }) => `${field} ${why}`.trim()).join('; ');
      quarantined.push({ index, key: keyOf(object), reason, object });
    }
  }
  const named = new Set(objects.flatMap(namedHashes));
  const contents = readContents(batch.contents, named, quarantined);
  return { reporter: batch.reporter.slice(0, 100), objects, places, quarantined, contents, named };
}

function readObject(object: unknown, runtimeName: string): Checked<AcceptedObject> {
  const { kind, deleted } = (object ?? {}) as { kind?: unknown; deleted?: unknown };
  if (kind === 'runtime') return owned(checkRuntime(object), () => runtimeName);
  if (!isKind(kind)) return refused('kind', `must be ${Object.keys(checkDeleted).join(', ')} or runtime`);
  if (kind === 'access-rules') {
    return owned<AcceptedObject>(
      deleted === undefined ? checkAccessRules(object) : checkDeleted[kind](object),
      () => runtimeName,
    );
  }
  if (deleted !== undefined) return owned<AcceptedObject>(checkDeleted[kind](object), ({ key }) => key);
  if (kind === 'cluster') return owned(checkCluster(object), (read) => read.cluster.server);
  if (kind === 'workload') return owned(checkWorkload(object), (read) => workloadKey(read.workload));
  if (kind === 'git-source') return owned(checkGitSource(object), (read) => namespaced(read.gitSource));
  return owned(checkApplication(object), (read) => namespaced(read.application));
}

const isKind = (kind: unknown): kind is keyof typeof checkDeleted =>
  typeof kind === 'string' && Object.hasOwn(checkDeleted, kind);

const namespaced = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;

function owned<T extends AcceptedObject>(checked: Checked<T>, expectedKey: (object: T) => string): Checked<T> {
  if (!checked.ok) return checked;
  const { value } = checked;
  if (!Number.isSafeInteger(value.epoch)) return refused('epoch', 'is too large');
  if (!Number.isSafeInteger(value.sequence)) return refused('sequence', 'is too large');
  if (value.key !== expectedKey(value)) return refused('key', 'is not the key of the reported object');
  if ((value.kind === 'application' || value.kind === 'git-source') && !/^[^/]+\/[^/]+$/.test(value.key))
    return refused('key', 'must be namespace/name');
  return checked;
}

const refused = (field: string, reason: string): Checked<never> => ({ ok: false, problems: [{ field, reason }] });

function keyOf(object: unknown): string {
  const key = (object as { key?: unknown } | null)?.key;
  return typeof key === 'string' ? key.slice(0, 500) : '';
}

function namedHashes(object: AcceptedObject): string[] {
  if (!('application' in object)) return [];
  return object.application.resources.flatMap(({ desired, live, diff }) =>
    [desired, live, diff?.predicted, diff?.normalized].filter((hash) => hash !== undefined),
  );
}

function readContents(
  given: Readonly<Record<string, unknown>>,
  named: ReadonlySet<string>,
  quarantined: Quarantined[],
): Map<string, string> {
  const contents = new Map<string, string>();
  for (const [hash, body] of Object.entries(given)) {
    if (!named.has(hash)) continue;
    const text = JSON.stringify(body);
    // The canonical form is what is hashed; a body that is canonical already is hashed as it stands.
    if (sha256Hex(text) === hash || contentHash(body) === hash) contents.set(hash, text);
    else quarantined.push({ index: -1, key: hash, reason: 'the content does not have this hash', object: null });
  }
  return contents;
}
