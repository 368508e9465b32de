// What a simulated container says: lines that follow from the pod alone, so that reading twice gives the same text.
import { fnv1a } from '@fairlead/base';
import { isRecord, type KubeObject, listAt, stringAt } from '@fairlead/kube/object';

export interface LogLine {
  readonly time: string;
  readonly text: string;
}

interface LogQuery {
  readonly nowMs: number;
  readonly sinceSeconds?: number | undefined;
}

/** A line each ten seconds since the start, at most this many. */
const maxLines = 1000;
const lineEveryMs = 10_000;

const paths = ['/', '/healthz', '/api/items', '/api/items/42', '/static/app.js', '/favicon.ico'];

export function logLines(pod: KubeObject, container: string, { nowMs, sinceSeconds }: LogQuery): readonly LogLine[] {
  const startedMs = startOf(pod, container) ?? nowMs;
  const image = imageOf(pod, container);
  const lines: LogLine[] = [
    at(startedMs, `starting ${container} from image ${image}`),
    at(startedMs + 40, `listening on ${listAt(pod, 'spec', 'containers').length > 0 ? portOf(pod, container) : 8080}`),
    at(startedMs + 60, `${container} is ready`),
  ];
  const count = Math.min(maxLines, Math.floor((nowMs - startedMs) / lineEveryMs));
  for (let index = 1; index <= count; index++) lines.push(logLine(pod, container, startedMs + index * lineEveryMs));
  const sinceMs = sinceSeconds === undefined ? 0 : nowMs - sinceSeconds * 1000;
  return lines.filter(({ time }) => Date.parse(time) >= sinceMs);
}

export function logLine(pod: KubeObject, container: string, atMs: number): LogLine {
  const seed = fnv1a(`${pod.metadata.uid}/${container}/${atMs}`);
  const path = paths[seed % paths.length] ?? '/';
  return at(atMs, `GET ${path} 200 ${1 + (seed % 37)}ms`);
}

const at = (ms: number, text: string): LogLine => ({
  time: new Date(ms).toISOString(),
  text: `${new Date(ms).toISOString()} ${text}`,
});

const find = (list: readonly unknown[], name: string) => list.filter(isRecord).find((entry) => entry['name'] === name);

function startOf(pod: KubeObject, container: string): number | undefined {
  const status = find(listAt(pod, 'status', 'containerStatuses'), container);
  const startedAt =
    stringAt(status, 'state', 'running', 'startedAt') ??
    stringAt(status, 'state', 'terminated', 'startedAt') ??
    stringAt(status, 'lastState', 'terminated', 'startedAt');
  return startedAt === undefined ? undefined : Date.parse(startedAt);
}

const imageOf = (pod: KubeObject, container: string) =>
  stringAt(find(listAt(pod, 'spec', 'containers'), container), 'image') ?? '';

function portOf(pod: KubeObject, container: string): unknown {
  const [port] = listAt(find(listAt(pod, 'spec', 'containers'), container), 'ports');
  return isRecord(port) ? port['containerPort'] : 8080;
}
