// The log subresource of pods: plain text of one container.
import { anySignal, sleep } from '@fairlead/base';
import { isRecord, type KubeObject, listAt, stringAt } from '@fairlead/kube/object';
import { logLine, logLines } from '../node/index.ts';
import { badRequest } from '../objects/index.ts';
import { type Answer, type Call, type ServerDeps, targetOf } from './call.ts';

/** A container that is followed says something this often. */
const followEveryMs = 5000;

export async function readLog(call: Call, deps: ServerDeps): Promise<Answer> {
  const { query, response } = call;
  const { object: pod } = deps.objects.get(targetOf(call));
  const container = containerOf(pod, query.get('container') ?? '');
  const status = listAt(pod, 'status', 'containerStatuses')
    .filter(isRecord)
    .find(({ name }) => name === container);
  const waiting = stringAt(status, 'state', 'waiting', 'reason') ?? (status ? undefined : 'ContainerCreating');
  // As the kubelet: a container that waits to run again shows what it said before it ended.
  const hasEnded = stringAt(status, 'lastState', 'terminated', 'startedAt') !== undefined;
  if (query.get('previous') === 'true' && !hasEnded) {
    throw badRequest(`previous terminated container "${container}" in pod "${pod.metadata.name}" not found`);
  }
  if (waiting && !hasEnded) {
    throw badRequest(`container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${waiting}`);
  }
  const withTime = query.get('timestamps') === 'true';
  const sinceSeconds = Number(query.get('sinceSeconds') ?? 0) || undefined;
  const lines = logLines(pod, container, { nowMs: deps.clock.now(), sinceSeconds });
  const tail = query.get('tailLines');
  const shown = tail === null ? lines : lines.slice(Math.max(0, lines.length - Number(tail)));
  const text = shown.map((line) => (withTime ? `${line.time} ${line.text}\n` : `${line.text}\n`)).join('');
  if (query.get('follow') !== 'true') return { status: 200, body: text, contentType: 'text/plain' };
  response.writeHead(200, { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' });
  response.write(text);
  response.flushHeaders();
  await follow({ call, deps, pod, container });
  return 'streamed';
}

/** Until the reader goes, the pod goes or the server stops. */
async function follow({
  call,
  deps,
  pod,
  container,
}: {
  call: Call;
  deps: ServerDeps;
  pod: KubeObject;
  container: string;
}): Promise<void> {
  const { response, query } = call;
  const closed = new AbortController();
  response.on('close', () => closed.abort());
  const signal = anySignal([closed.signal, deps.signal]);
  const withTime = query.get('timestamps') === 'true';
  while (!signal.aborted && deps.objects.find(targetOf(call))?.object.metadata.uid === pod.metadata.uid) {
    await sleep(followEveryMs, { signal, clock: deps.clock }).catch(() => undefined); // only the abort rejects
    if (signal.aborted) break;
    const { time, text } = logLine(pod, container, deps.clock.now());
    response.write(withTime ? `${time} ${text}\n` : `${text}\n`);
  }
  response.end();
}

function containerOf(pod: KubeObject, wanted: string): string {
  const names = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')].map(
    (container) => stringAt(container, 'name') ?? '',
  );
  if (wanted !== '') {
    if (names.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${pod.metadata.name}`);
  }
  const count = listAt(pod, 'spec', 'containers').length;
  if (count === 1) return names[0] ?? '';
  const choices = names.slice(0, count).join(' ');
  throw badRequest(`a container name must be specified for pod ${pod.metadata.name}, choose one of: [${choices}]`);
}
