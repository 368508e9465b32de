// Gerrit's REST API, as far as `GerritProvider` speaks it: JSON behind a prefix, errors as plain text.
import { type Answer, ApiEmulator, type Call, made, ok, type Route } from './api-emulator.ts';
import { type EmulatedHost, type EmulatedPull, headCommit, mergeCommit } from './emulated-host.ts';

const plain = { 'content-type': 'text/plain; charset=UTF-8' };
const refused = (status: number, text: string): Answer => ({ status, headers: plain, body: text });
const notFound = refused(404, 'Not found');

export function emulateGerrit(host: EmulatedHost, authorization: string): ApiEmulator {
  const create = (name: string): Answer => {
    if (!host.writable.some((folder) => name.startsWith(`${folder}/`)))
      return refused(403, 'create project not permitted');
    return host.create(name) ? made({ id: encodeURIComponent(name), name }) : refused(409, 'Project already exists');
  };
  const routes: Route[] = [
    ['GET /accounts/self', () => ok({ _account_id: 7, username: host.user })],
    ['GET /accounts/self/capabilities', () => ok({ createProject: true, queryLimit: { min: 0, max: 500 } })],
    ['GET /projects/', (call) => projects(host, call)],
    ['PUT /projects/*', (_, [name = '']) => create(name)],
    ['GET /projects/*/HEAD', () => ok('refs/heads/main')],
    ['GET /projects/*/branches/', (call, [name = '']) => branches(call, host.branches.get(name))],
    ['GET /projects/*/check.access', (call, [name = '']) => access(host, call, name)],
    [
      'PUT /config/server/webhooks~projects/*/remotes/fairlead',
      (call) => {
        host.addHook(call.body);
        return made({});
      },
    ],
    ...changeRoutes(host),
  ];
  return new ApiEmulator({ prefix: '/a', authorization, routes, error: (text) => text, jsonPrefix: ")]}'\n" });
}

function cut<T>({ url }: Call, all: readonly T[]): T[] {
  const skip = Number(url.searchParams.get('S') ?? 0);
  return all.slice(skip, skip + Number(url.searchParams.get('n') ?? 25));
}

function projects(host: EmulatedHost, call: Call): Answer {
  const prefix = call.url.searchParams.get('p') ?? '';
  const part = (call.url.searchParams.get('m') ?? '').toLowerCase();
  const names = host.repositoriesOf().filter((name) => name.startsWith(prefix) && name.toLowerCase().includes(part));
  return ok(Object.fromEntries(cut(call, names).map((name) => [name, { id: encodeURIComponent(name) }])));
}

function branches(call: Call, names: readonly string[] | undefined): Answer {
  if (!names) return notFound;
  const heads = names.map((name) => ({ ref: `refs/heads/${name}`, revision: headCommit }));
  return ok(cut(call, [{ ref: 'HEAD', revision: 'main' }, ...heads]));
}

function access(host: EmulatedHost, { url }: Call, project: string): Answer {
  if (!host.repositories.has(project)) return notFound;
  if (url.searchParams.get('account') !== host.user) return refused(404, 'Account not found');
  return ok({ status: url.searchParams.get('perm') === 'owner' ? 403 : 200 });
}

function changeRoutes(host: EmulatedHost): Route[] {
  const open = ({ body }: Call): Answer => {
    const { project, branch, subject, merge } = body;
    const { source = '' } = (merge ?? {}) as { source?: string }; // of a test
    const from = source.replace(/^refs\/heads\//, '');
    const wanted = { repository: String(project), title: String(subject), from, into: String(branch) };
    const pull = host.open(wanted);
    return pull ? made(changeBody(pull)) : refused(400, `ref ${source} not found`);
  };
  const submit = (number: string | undefined, revision?: string): Answer => {
    const merged = host.merge(number, revision);
    if (typeof merged !== 'string') return ok(changeBody(merged));
    if (merged === 'missing') return notFound;
    return refused(409, merged === 'stale' ? 'revision is not current revision' : 'change is merged');
  };
  const review = (call: Call, commit: string | undefined): Answer => {
    if (call.body['labels'] && host.statuses.length > 0)
      return refused(400, 'label "Verified" is not a configured label');
    host.statuses.push({ ...call.body, commit });
    return ok({});
  };
  const numberIn = (id: string | undefined) => id?.split('~')[1];
  const openChanges = (call: Call): Answer | undefined => {
    const project = /^project:(\S+) status:open$/.exec(call.url.searchParams.get('q') ?? '')?.[1];
    return project === undefined ? undefined : ok(cut(call, host.openPulls(project).map(changeBody)));
  };
  const isHead = (call: Call) => call.url.searchParams.get('q')?.includes(`commit:${headCommit}`);
  return [
    ['POST /changes/', (call) => open(call)],
    ['GET /changes/', (call) => openChanges(call) ?? ok(isHead(call) ? [{ _number: 1 }] : [])],
    [
      'GET /changes/*',
      (_, [id]) => {
        const pull = host.pull(numberIn(id));
        return pull ? ok(changeBody(pull)) : notFound;
      },
    ],
    ['POST /changes/*/submit', (_, [id]) => submit(numberIn(id))],
    ['POST /changes/*/revisions/*/submit', (_, [id, revision]) => submit(numberIn(id), revision)],
    ['POST /changes/*/revisions/*/review', (call, [, commit]) => review(call, commit)],
  ];
}

const changeBody = ({ merged, number, title, from, into, labels = [] }: EmulatedPull) => ({
  _number: number,
  subject: title,
  topic: from,
  branch: into,
  hashtags: labels,
  owner: { username: 'ana' },
  status: merged ? 'MERGED' : 'NEW',
  submittable: !merged,
  current_revision: merged ? mergeCommit : headCommit,
});
