// Applications by commit. Everything is checked before a commit is made; the commit is the user's, by their own token.
import type { ApplicationDefinition, ApplicationProblem, DeletionImpact } from '@fairlead/contracts';
import { defaultEngineNamespace, resourcesFinalizer } from '@fairlead/contracts';
import {
  checkShape,
  type Definition,
  examine,
  findDefinition,
  gitSourceProblems,
  type Home,
  nameOf,
  openGitSource,
  readApplication,
  readDocuments,
  withoutApplication,
} from '../../definitions/index.ts';
import type { Actor } from '../../git-access/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { redactorOf } from './redaction.ts';

type Names =
  | 'previewApplication'
  | 'createApplication'
  | 'getApplicationDefinition'
  | 'editApplicationDefinition'
  | 'getDeletionImpact'
  | 'deleteApplication';

interface Wish {
  readonly params: { readonly namespace: string; readonly name: string };
  readonly user: Actor;
  readonly signal: AbortSignal;
}

export function definitionHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const definitionOf = async ({ params, user, signal }: Wish) => {
    const application = await deps.engine.getApplication(params, { signal });
    const definition = await findDefinition(deps, { actor: user, application }, { signal });
    return { application, definition };
  };
  const impactOf = async (wish: Wish) => {
    const { application, definition } = await definitionOf(wish);
    return { definition, impact: deletionImpact(application, definition) };
  };
  return {
    previewApplication: ({ body, user, signal }) => preview(deps, { ...body, actor: user, signal }),
    async createApplication({ body, user, signal }) {
      const { manifest, gitSource, fileName, message } = body;
      const namespace = gitSource.namespace ?? defaultEngineNamespace;
      const { application, problems } = readApplication(manifest, { namespace });
      if (!application) throw invalid(problems);
      const home = await openGitSource(deps, { actor: user, ...gitSource }, { signal });
      const { name } = application.metadata;
      const path = placeOf(home, fileName ?? `${name}.yaml`);
      const looked = await examine(deps, { actor: user, application, isNew: true, signal });
      const kept = gitSourceProblems(home.source, application);
      const found = [...problems, ...kept, ...looked.problems, ...(await takenPlace(home, path))];
      if (found.some(({ severity }) => severity === 'error')) throw invalid(found);
      const { source, branch, commit: base } = home;
      const changes = [{ path, content: manifest.endsWith('\n') ? manifest : `${manifest}\n` }];
      const said = message ?? `Add application ${name}`;
      const wish = { repoURL: source.repoURL, branch, changes, message: said, base };
      const commit = await deps.git.commit(user, wish, { signal });
      compareSoon(deps, source);
      return { application: { namespace, name }, commit };
    },
    async getApplicationDefinition(input) {
      return shown((await definitionOf(input)).definition);
    },
    async editApplicationDefinition(input) {
      const { definition } = await definitionOf(input);
      const { params, body, user, signal } = input;
      const problems = await checkEdit(deps, { ...input, text: body.text, source: definition.source });
      if (problems.some(({ severity }) => severity === 'error')) throw invalid(problems);
      const { source, branch, path } = definition;
      const message = body.message ?? `Change application ${params.name}`;
      const changes = [{ path, content: body.text.endsWith('\n') ? body.text : `${body.text}\n` }];
      const wish = { repoURL: source.repoURL, branch, changes, message, base: body.base };
      const commit = await deps.git.commit(user, wish, { signal });
      compareSoon(deps, source);
      return { commit };
    },
    async getDeletionImpact(input) {
      return (await impactOf(input)).impact;
    },
    async deleteApplication(input) {
      const { definition, impact } = await impactOf(input);
      const { params, query, user, signal } = input;
      const { source, branch, path, text } = definition;
      const message = query.message ?? `Delete application ${params.name}`;
      const changes = [{ path, content: withoutApplication(text, params.name) }];
      const wish = { repoURL: source.repoURL, branch, changes, message, base: query.base ?? definition.commit };
      const commit = await deps.git.commit(user, wish, { signal });
      compareSoon(deps, source);
      return { commit, impact };
    },
  };
}

function invalid(problems: readonly ApplicationProblem[]): ProxyError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const remedy = first?.remedy ? `; ${first.remedy.charAt(0).toLowerCase()}${first.remedy.slice(1)}` : '';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const message = `${first?.field || 'manifest'}: ${first?.reason ?? 'is not valid'}${remedy}${more}`;
  return new ProxyError('invalid', message, { details: { problems } });
}

const placeOf = ({ source }: Home, fileName: string) => (source.path ? `${source.path}/${fileName}` : fileName);

async function takenPlace({ repository, commit }: Home, path: string): Promise<ApplicationProblem[]> {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const entries = (await repository.tree(commit, folder)) ?? [];
  if (!entries.some(({ name }) => name === path.slice(folder ? folder.length + 1 : 0))) return [];
  const remedy = 'Choose another file name, or edit that file';
  return [{ field: 'fileName', reason: `${path} is there already`, remedy, severity: 'error' }];
}

interface PreviewInput {
  readonly manifest: string;
  readonly gitSource: { readonly name: string; readonly namespace?: string };
  readonly fileName?: string;
  readonly existing?: boolean;
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

async function preview(deps: HandlerDeps, input: PreviewInput) {
  const { manifest, gitSource, actor, signal } = input;
  const namespace = gitSource.namespace ?? defaultEngineNamespace;
  const { application, problems } = readApplication(manifest, { namespace });
  if (!application) return { problems: [...problems] };
  const { name } = application.metadata;
  const isNew = !input.existing;
  const [home, looked] = await Promise.all([
    openGitSource(deps, { actor, ...gitSource }, { signal }),
    examine(deps, { actor, application, isNew, signal }),
  ]);
  const path = placeOf(home, input.fileName ?? `${name}.yaml`);
  const taken = await takenPlace(home, path);
  const redactor = redactorOf(deps.identity);
  const manifests = looked.manifests?.map((each) => redactor.manifest(each) as Record<string, unknown>); // objects stay objects
  return {
    problems: [
      ...problems,
      ...gitSourceProblems(home.source, application),
      ...looked.problems,
      ...(isNew ? taken : []),
    ],
    application: { namespace, name, project: application.spec.project },
    file: { repoURL: home.source.repoURL, branch: home.branch, path, exists: taken.length > 0 },
    ...(manifests ? { manifests } : {}),
    ...(looked.revision ? { revision: looked.revision } : {}),
  };
}

/** The file must still define this application, and define it well. */
async function checkEdit(
  deps: HandlerDeps,
  input: Wish & { readonly text: string; readonly source: Home['source'] },
): Promise<ApplicationProblem[]> {
  const { params, user, text, signal } = input;
  const { documents, problems } = readDocuments(text);
  if (problems.length > 0) return [...problems];
  const document = documents.find((each) => nameOf(each) === params.name);
  if (!document) {
    const reason = `the file no longer defines application ${params.name}`;
    const remedy = 'The name cannot be changed here; create another application and delete this one';
    return [{ field: 'metadata.name', reason, remedy, severity: 'error' }];
  }
  const read = checkShape(document as Record<string, unknown>, params.namespace); // nameOf has seen that it is one
  if (!read.application) return [...read.problems];
  const looked = await examine(deps, { actor: user, application: read.application, isNew: false, signal });
  return [...read.problems, ...gitSourceProblems(input.source, read.application), ...looked.problems];
}

function shown({ source, branch, path, commit, blob, text, documents }: Definition): ApplicationDefinition {
  const { namespace, name, repoURL } = source;
  return { gitSource: { namespace, name }, repoURL, branch, path, commit, blob, text, documents };
}

function deletionImpact(
  { metadata, status }: Awaited<ReturnType<HandlerDeps['engine']['getApplication']>>,
  definition: Definition,
): DeletionImpact {
  const { finalizers = [] } = metadata as { finalizers?: readonly string[] };
  const resourcesGo = finalizers.some((entry) => entry.startsWith(resourcesFinalizer));
  const applicationGoes = definition.source.prunes;
  const resources = (status?.resources ?? []).map(({ group = '', kind, namespace = '', name }) => ({
    group,
    kind,
    namespace,
    name,
  }));
  const isOne = resources.length === 1;
  const count = `${resources.length} ${isOne ? 'resource' : 'resources'}`;
  const after = resourcesGo
    ? `its ${count} ${isOne ? 'is' : 'are'} deleted with it`
    : `its ${count} ${isOne ? 'stays' : 'stay'} in the cluster, without an owner`;
  const summary = applicationGoes
    ? `${metadata.name} goes from Git and from the cluster; ${after}`
    : `${metadata.name} goes from Git; Git Source ${definition.source.name} does not prune by itself, so it stays in the cluster until that is synced with prune, and then ${after}`;
  return { definition: shown(definition), applicationGoes, resourcesGo, resources, summary };
}

/** So that nobody waits for the next poll; where a webhook tells the engine too, this is one comparison more. */
export function compareSoon({ engine, log }: HandlerDeps, app: { namespace: string; name: string }): void {
  engine.refresh(app, 'normal', { signal: AbortSignal.timeout(25_000) }).catch((error: unknown) => {
    log.debug({ application: app.name, error: String(error) }, 'the engine will see the commit with its next poll');
  });
}
