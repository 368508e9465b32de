// Plays a sequence to a server and writes down its answers so that two servers' answers can be compared: times, uids,
// versions, generated names, addresses and tokens, which differ by nature, become placeholders.
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Sequence, Step } from './sequence.ts';

export interface Server {
  readonly url: string;
  readonly token: string;
}

const userAgent = 'conformance/1.0';

export const namespaceOf = ({ name }: Sequence): string =>
  `s-${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`
    .slice(0, 60)
    .replace(/-$/, '');

/** The answers as the server gave them are passed between steps; what is returned is comparable. */
export async function play(sequence: Sequence, server: Server): Promise<readonly Answer[]> {
  const namespace = namespaceOf(sequence);
  const created = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await send(server, { method: 'POST', path: '/api/v1/namespaces', body: created });
  const answers: Answer[] = [];
  for (const planned of sequence.steps) {
    const step = typeof planned === 'function' ? planned(answers) : planned;
    const answer = await send(server, inNamespace(step, namespace));
    answers.push(answer);
    if (step.method === 'POST' && step.path === definitions && answer.status === 201) await untilServed(server, answer);
  }
  return answers.map(({ status, body, warnings }) => ({ status, body: comparable(body), warnings }));
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const servedWithinMs = 10_000;

/** A definition is accepted first and served a moment later; how much later is not compared. */
async function untilServed(server: Server, { body }: Answer): Promise<void> {
  const { spec } = body as {
    spec: { group: string; names: { plural: string }; versions: { name: string; served: boolean }[] };
  }; // accepted as one
  const version = spec.versions.find(({ served }) => served)?.name;
  const root = `/apis/${spec.group}/${version}`;
  const isServed = async (path: string) => (await send(server, { method: 'GET', path })).status === 200;
  for (let waitedMs = 0; waitedMs < servedWithinMs; waitedMs += 50) {
    if ((await isServed(`${root}/${spec.names.plural}`)) && (await isServed(root))) return;
    await sleep(50);
  }
  throw new Error(`${root} is not served after ${servedWithinMs} ms`);
}

const inNamespace = (step: Step, namespace: string): Step =>
  JSON.parse(JSON.stringify(step).replaceAll('{ns}', namespace)) as Step; // a step is plain JSON

async function send({ url, token }: Server, step: Step): Promise<Answer> {
  const body = step.body === undefined || typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': userAgent,
    accept: step.accept ?? 'application/json',
    ...(body === undefined
      ? {}
      : { 'content-type': step.type ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...step.headers,
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // The certificate is of a server this very test has started.
    const options = { method: step.method, headers, rejectUnauthorized: false };
    const request = httpsRequest(new URL(`${url}${step.path}`), options, resolve);
    request.on('error', reject);
    request.end(body);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, body: parse(text, step.isWatch ?? false), warnings: warningsOf(response) };
}

function warningsOf(response: IncomingMessage): string[] {
  const { rawHeaders } = response;
  return rawHeaders.filter((_value, index) => rawHeaders[index - 1]?.toLowerCase() === 'warning' && index % 2 === 1);
}

function parse(text: string, isWatch: boolean): unknown {
  try {
    if (!isWatch) return JSON.parse(text);
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return text;
  }
}

const placeholders: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<version>',
  continue: '<token>',
  clusterIP: '<address>',
  token: '<token>',
};

/** The same for two answers that mean the same. */
export function comparable(value: unknown, key = ''): unknown {
  if ((key === 'managedFields' || key === 'causes') && Array.isArray(value))
    return value.map((entry) => comparable(entry)).sort(byText);
  if (key === 'clusterIPs' && Array.isArray(value))
    return value.map((address) => (address === 'None' ? address : '<address>'));
  // Prose of others is not ours to repeat.
  if (key === 'description') return '<text>';
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value === 'object' && value !== null) return comparableRecord(value as Record<string, unknown>); // just checked
  if (typeof value !== 'string') return key === 'nodePort' ? '<port>' : value;
  const placeholder = Object.hasOwn(placeholders, key) ? placeholders[key] : undefined;
  return placeholder !== undefined && value !== '' && value !== 'None' ? placeholder : comparableText(value);
}

function comparableRecord(record: Record<string, unknown>): Record<string, unknown> {
  const { generateName, name } = record;
  const sorted = Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = sorted.map(([member, inner]) => [member, comparable(inner, member)]);
  const result: Record<string, unknown> = Object.fromEntries(entries);
  const { causes } = (record['details'] ?? {}) as { causes?: unknown[] }; // of a Status, if anything
  // Go walks maps in any order: which of several complaints comes first means nothing.
  if (causes && causes.length > 1) result['message'] = String(result['message']).replace(/: \[.*\]$/s, ': [<causes>]');
  if (typeof generateName === 'string' && typeof name === 'string') result['name'] = `${generateName}<random>`;
  return result;
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const comparableText = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>')
    .replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, '<time>')
    .replace(/(ResourceVersion in (?:precondition|object meta): )\d+/g, '$1<version>')
    .replace(/(too old resource version: )\d+ \(\d+\)/g, '$1<version>')
    .replace(
      /(the ResourceVersion in the precondition \()\d+(\) does not match the ResourceVersion in record \()\d+/,
      '$1<version>$2<version>',
    )
    .replace(/("Made_)[a-z0-9]{5}"/g, '$1<random>"')
    .replace(/^(Made_)[a-z0-9]{5}$/, '$1<random>')
    // How Go tells two structs apart, or prints a whole object, is nobody's contract.
    .replace(/\s+core\.PodSpec\{[\s\S]*\n\s*\}\n/, '')
    .replace(/(Invalid value: )"\{.*\}"(?=: )/s, '$1<value>')
    .replace(/resourceVersion":"\d+"/g, 'resourceVersion":"<version>"')
    // How Go prints a struct is nobody's contract.
    .replace(/((?:Invalid|Unsupported) value: )(?:\{|\[|map\[|[a-z0-9]+\.[A-Z]).*(?:\}|\]|\(nil\))(?=: )/s, '$1<value>')
    .replace(/\b10\.96\.\d+\.\d+\b/g, '<address>')
    .replace(/^\d+s$/, '<age>');
