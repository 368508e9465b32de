// Where an application lives in Git: the Git Source that brought it, and the file in its folder that defines it.
import { type Application, defaultEngineNamespace } from '@fairlead/contracts';
import type { Repository, TreeEntry } from '@fairlead/git';
import type { ApplicationName, ArgoCdClient } from '../argo-cd/index.ts';
import { EngineRefusedError } from '../argo-cd/index.ts';
import { type GitSource, gitSourceOf } from '../configuration/index.ts';
import { type Actor, type GitAccess, GitAccessError } from '../git-access/index.ts';
import type { SourceClient } from '../source-server/index.ts';
import { generatorOf, parentOf } from './bringer.ts';
import { isApplication, readDocuments } from './read-application.ts';

export interface HomeDeps {
  readonly engine: ArgoCdClient;
  readonly git: GitAccess;
  readonly sources: SourceClient;
}

interface Call {
  readonly signal: AbortSignal;
}

export interface Home {
  readonly source: GitSource & { readonly namespace: string; readonly prunes: boolean };
  readonly repository: Repository;
  readonly branch: string;
  /** The head of the branch. */
  readonly commit: string;
}

export interface Definition extends Home {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
  readonly documents: number;
}

const maxFiles = 5_000;
const maxFileBytes = 1024 * 1024;

/** The folder of the Git Source of that name, as the actor's own token reads it. */
export async function openGitSource(
  { engine, git }: HomeDeps,
  { actor, name, namespace = defaultEngineNamespace }: { actor: Actor; name: string; namespace?: string | undefined },
  { signal }: Call,
): Promise<Home> {
  const parent = await engine.getApplication({ namespace, name }, { signal }).catch((error: unknown) => {
    if (error instanceof EngineRefusedError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  });
  const source = parent && gitSourceOf(parent);
  if (!parent || !source) {
    const message = `there is no Git Source ${name}; fairlead git-source list shows those that are there`;
    throw new GitAccessError('git_source_missing', message, { details: { gitSource: name } });
  }
  const { automated } = parent.spec.syncPolicy ?? {};
  const prunes = automated !== undefined && automated.enabled !== false && automated.prune === true;
  const branch = await git.branchOf(actor, { repoURL: source.repoURL, revision: source.branch }, { signal });
  const { repository, commit } = await git.read(actor, { repoURL: source.repoURL, revision: branch }, { signal });
  return { source: { ...source, namespace, prunes }, repository, branch, commit };
}

/** The file that defines the application; refuses with what to do when nothing in Git does. */
export async function findDefinition(
  deps: HomeDeps,
  { actor, application }: { actor: Actor; application: Application },
  call: Call,
): Promise<Definition> {
  const { name, namespace = defaultEngineNamespace } = application.metadata;
  const parent = parentOf(application);
  if (!parent) {
    const generator = generatorOf(application);
    const reason = generator === undefined ? 'no Git Source brought it' : `ApplicationSet ${generator} generates it`;
    throw missing({ namespace, name }, reason);
  }
  const home = await openGitSource(deps, { actor, ...parent }, call).catch((error: unknown) => {
    if (!(error instanceof GitAccessError) || error.code !== 'git_source_missing') throw error;
    throw missing({ namespace, name }, `it was brought by application ${parent.name}, which is no Git Source`);
  });
  const found = await searchFile(home, name);
  if (found) return { ...home, ...found };
  const folder = home.source.path || 'the root';
  throw missing(
    { namespace, name },
    `Git Source ${parent.name} has no file for it in ${folder} of ${home.source.repoURL}`,
  );
}

function missing({ namespace, name }: ApplicationName, reason: string): GitAccessError {
  const advice =
    'commit its manifest into the folder of a Git Source; until then it can be acted on through Argo CD only';
  const message = `application ${name} cannot be changed by commit: ${reason}; ${advice}`;
  return new GitAccessError('git_source_missing', message, { details: { application: `${namespace}/${name}` } });
}

async function searchFile(
  { repository, commit, source }: Home,
  name: string,
): Promise<Pick<Definition, 'path' | 'blob' | 'text' | 'documents'> | undefined> {
  const files = await manifestFiles(repository, { commit, path: source.path });
  const likely = (path: string) => (path.split('/').at(-1)?.startsWith(`${name}.`) ? 0 : 1);
  for (const { path, id } of files.sort((a, b) => likely(a.path) - likely(b.path))) {
    const content = await repository.readBlob(id);
    if (content.length > maxFileBytes || !content.includes(name)) continue;
    const text = content.toString('utf8');
    const { documents } = readDocuments(text); // a file that cannot be read defines nothing
    if (documents.some((document) => nameOf(document) === name)) {
      return { path, blob: id, text, documents: documents.length };
    }
  }
  return undefined;
}

export const nameOf = (document: unknown): string | undefined =>
  isApplication(document) ? (document['metadata'] as { name?: string } | undefined)?.name : undefined;

async function manifestFiles(
  repository: Repository,
  { commit, path }: { commit: string; path: string },
): Promise<{ path: string; id: string }[]> {
  const files: { path: string; id: string }[] = [];
  const walk = async (entries: readonly TreeEntry[], folder: string): Promise<void> => {
    for (const { name, kind, id } of entries) {
      const at = folder ? `${folder}/${name}` : name;
      if (kind === 'tree') await walk(await repository.readTree(id), at);
      else if (/\.(ya?ml|json)$/.test(name)) files.push({ path: at, id });
      if (files.length > maxFiles) throw new GitAccessError('invalid', `${path} has more than ${maxFiles} manifests`);
    }
  };
  await walk((await repository.tree(commit, path)) ?? [], path);
  return files;
}
