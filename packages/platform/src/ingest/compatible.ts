// Events of other Argo CD reporters, as reports of ours. Applications are taken, with status, operation and history; single
// resources, Rollouts and Workflows are not, since nothing here would show them. Such a reporter redacts nothing, so what
// may hold credentials is left out: Helm values and parameters, the last-applied annotation, passwords in addresses.
// Order is by the event's own time: an older one does not replace a newer.
import { contentHash, FairleadError } from '@fairlead/base';
import type { CompatibleEvent } from '@fairlead/contracts';
import { lastAppliedAnnotation } from '@fairlead/contracts';

type Json = Readonly<Record<string, unknown>>;

/** Unchecked: it goes through the same door as every report, and is set aside there when it cannot be read. */
export function readCompatibleEvent({ data }: CompatibleEvent, { now }: { readonly now: Date }): object | undefined {
  const object = objectOf(data.object);
  if (object['kind'] !== 'Application' || !String(object['apiVersion']).startsWith('argoproj.io/')) return undefined;
  const metadata = recordOf(object['metadata']);
  const atMs = Date.parse(data.timestamp ?? '');
  const at = Number.isNaN(atMs) ? now : new Date(Math.min(atMs, now.getTime()));
  const namespace = textOf(metadata['namespace']);
  const stamp = {
    kind: 'application',
    key: `${namespace}/${textOf(metadata['name'])}`,
    uid: textOf(metadata['uid']),
    epoch: 1,
    sequence: at.getTime(),
    observedAt: at.toISOString(),
  };
  const isDeleted = data.source?.['actualManifest'] === '' || data.object === '';
  if (isDeleted) return { ...stamp, hash: contentHash(null), deleted: true };
  const application = reportOf(object, data);
  return { ...stamp, hash: contentHash(application), application };
}

function objectOf(given: string | Json): Json {
  if (typeof given !== 'string') return isRecord(given['body']) && 'type' in given ? given['body'] : given;
  try {
    return recordOf(JSON.parse(Buffer.from(given, 'base64').toString('utf8')));
  } catch (cause) {
    throw new FairleadError('bad_request', 'body field data.object: must be an object, or JSON as base64', {
      cause,
      details: { in: 'body', problems: [{ field: 'data.object', reason: 'is not JSON as base64' }] },
    });
  }
}

function reportOf(object: Json, { source = {}, errors }: CompatibleEvent['data']): Json {
  const { metadata, spec, status } = {
    metadata: recordOf(object['metadata']),
    spec: recordOf(object['spec']),
    status: recordOf(object['status']),
  };
  const { [lastAppliedAnnotation]: _, ...annotations } = recordOf(metadata['annotations']);
  const sync = recordOf(status['sync']);
  const health = recordOf(status['health']);
  const revision = sync['revision'] ?? source['revision'];
  const conditions = [
    ...listOf(status['conditions']),
    ...(errors ?? []).map(({ type, level, message }) => ({
      type: `${type}${level === 'warning' ? 'Warning' : 'Error'}`,
      message,
    })),
  ];
  return {
    name: metadata['name'],
    namespace: metadata['namespace'],
    uid: metadata['uid'],
    ...(metadata['creationTimestamp'] ? { createdAt: metadata['creationTimestamp'] } : {}),
    labels: recordOf(metadata['labels']),
    annotations,
    spec: specOf(spec),
    sync: { status: sync['status'] ?? 'Unknown', ...(revision ? { revision } : {}) },
    health: { status: health['status'] ?? 'Unknown', ...(health['message'] ? { message: health['message'] } : {}) },
    ...(source['commitMessage'] ? { commit: commitOf(source) } : {}),
    ...(isRecord(status['operationState']) ? { operation: operationOf(status['operationState']) } : {}),
    history: listOf(status['history']).map(({ source: from, sources: all, ...entry }) => entry),
    conditions,
    images: recordOf(status['summary'])['images'] ?? [],
    resources: listOf(status['resources']).map(resourceOf),
    tree: [],
  };
}

const commitOf = (source: Json) => ({
  revision: textOf(source['revision']),
  message: textOf(source['commitMessage']),
  ...(source['commitAuthor'] ? { author: textOf(source['commitAuthor']) } : {}),
  ...(source['commitDate'] ? { date: textOf(source['commitDate']) } : {}),
});

function operationOf({ phase, message, startedAt, finishedAt, syncResult, operation }: Json): Json {
  const by = recordOf(recordOf(operation)['initiatedBy']);
  const result = recordOf(syncResult);
  return {
    phase,
    startedAt,
    ...(message ? { message } : {}),
    ...(finishedAt ? { finishedAt } : {}),
    ...(result['revision'] ? { revision: result['revision'] } : {}),
    ...(by['username'] ? { initiatedBy: by['username'] } : {}),
    ...(by['automated'] ? { automated: true } : {}),
    results: result['resources'] ?? [],
  };
}

const resourceOf = ({ group, version, kind, namespace, name, status, health }: Json): Json => ({
  group: textOf(group),
  version: textOf(version),
  kind,
  namespace: textOf(namespace),
  name,
  ...(status ? { sync: status } : {}),
  ...(health ? { health } : {}),
});

function specOf({ source, sources, ...spec }: Json): Json {
  return {
    ...spec,
    ...(isRecord(source) ? { source: sourceOf(source) } : {}),
    ...(Array.isArray(sources) ? { sources: listOf(sources).map(sourceOf) } : {}),
  };
}

function sourceOf({ helm, plugin: _, ...source }: Json): Json {
  const { releaseName, valueFiles } = recordOf(helm);
  const repoURL = textOf(source['repoURL']).replace(/\/\/[^@/]*@/, '//');
  return { ...source, repoURL, ...(helm ? { helm: { releaseName, valueFiles } } : {}) };
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
