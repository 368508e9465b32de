// The access rules of a Shared Configuration Repository at one commit. The answer follows from the repository alone: of a
// file that is broken now, the last version in its history that was a rule still holds, so that who reads the repository
// for the first time finds the same as who followed it all along.
import { type AccessRulesReport, maxAccessRules } from '@fairlead/contracts';
import { type Repository, redactUrl, type TreeEntry } from '@fairlead/git';
import {
  accessRulesFolder,
  gitRightsFile,
  placed,
  type ReadRule,
  readAccessRule,
  readGitRights,
  type SharedConfigAddress,
} from '../configuration/index.ts';

const maxFileBytes = 64 * 1024;
/** Versions of a broken file that are looked at. */
const maxVersions = 50;

type RuleFile = AccessRulesReport['rules'][number];
type RuleProblem = AccessRulesReport['problems'][number];
type RuleCommit = RuleFile['commit'];
type Good = Extract<ReadRule, { ok: true }>;

interface Place {
  readonly address: SharedConfigAddress;
  /** Of the branch, in the repository. */
  readonly commit: string;
}

interface Call {
  readonly signal: AbortSignal;
}

/** Remembers what each version of a file meant, of the last read only: a commit costs what it changed. */
export class AccessRuleFiles {
  #known: ReadonlyMap<string, ReadFile> = new Map();

  async read(repository: Repository, { address, commit }: Place, call: Call): Promise<AccessRulesReport> {
    const folder = placed(address.path, accessRulesFolder);
    const [newest] = await repository.log(commit, { paths: [folder], limit: 1, signal: call.signal });
    const entries = (await repository.tree(commit, folder)) ?? [];
    const seen = new Map<string, ReadFile>();
    const files: (ReadFile & { readonly file: string })[] = [];
    for (const entry of entries.filter(({ name, kind }) => kind === 'blob' && /\.ya?ml$/.test(name))) {
      const file = `${folder}/${entry.name}`;
      const key = `${repository.gitDir} ${file} ${entry.id}`;
      const read = this.#known.get(key) ?? (await readFileAt(repository, { file, entry, commit }, call));
      if (!read.problem) seen.set(key, read); // what a broken file held last, its history says
      files.push({ file, ...read });
    }
    this.#known = seen;
    const last = newest === undefined ? {} : { commit: await commitOf(repository, newest) };
    const { gitRights, broken } = await gitRightsAt(repository, { address, commit }, call);
    const { rules, problems } = accepted(files);
    return {
      repository: redactUrl(address.repoURL),
      branch: address.branch,
      ...last,
      rules,
      problems: [...broken, ...problems].slice(0, maxAccessRules),
      ...(gitRights ? { gitRights } : {}),
    };
  }
}

/** A name belongs to the first file that has it. */
function accepted(
  files: readonly (ReadFile & { readonly file: string })[],
): Pick<AccessRulesReport, 'rules' | 'problems'> {
  const rules = new Map<string, RuleFile>();
  const problems: RuleProblem[] = [];
  for (const { file, good, problem } of files) {
    const name = good?.rule.name ?? '';
    const owner = rules.get(name);
    if (owner) problems.push({ file, line: 1, message: `metadata.name ${name} is taken by ${owner.file}` });
    else if (good && rules.size >= maxAccessRules) {
      problems.push({
        file,
        line: 1,
        message: `there are ${maxAccessRules} access rules already, the most there can be`,
      });
    } else {
      if (good) rules.set(name, { file, ...good });
      if (problem) problems.push({ file, ...problem, ...(good ? { holds: name } : {}) });
    }
  }
  return { rules: [...rules.values()], problems };
}

async function gitRightsAt(
  repository: Repository,
  { address, commit }: Place,
  { signal }: Call,
): Promise<{ gitRights?: NonNullable<AccessRulesReport['gitRights']>; broken: RuleProblem[] }> {
  const file = placed(address.path, gitRightsFile);
  const entry = await entryAt(repository, commit, file);
  if (!entry) return { broken: [] };
  const [version = commit] = await repository.log(commit, { paths: [file], limit: 1, signal });
  const { enforce, problem } = readGitRights((await repository.readBlob(entry.id)).toString('utf8'));
  const message = `${problem}; until it is mended it counts as enforce: ${enforce}`;
  const broken = problem === undefined ? [] : [{ file, line: 1, message }];
  return { gitRights: { enforce, commit: await commitOf(repository, version) }, broken };
}

interface FileAt {
  readonly file: string;
  readonly entry: TreeEntry;
  readonly commit: string;
}

interface ReadFile {
  readonly good?: Omit<RuleFile, 'file'>;
  readonly problem?: { readonly line: number; readonly message: string };
}

async function readFileAt(
  repository: Repository,
  { file, entry, commit }: FileAt,
  { signal }: Call,
): Promise<ReadFile> {
  const read = await readVersion(repository, entry);
  const versions = await repository.log(commit, { paths: [file], limit: read.ok ? 1 : maxVersions, signal });
  if (read.ok) return { good: goodOf(read, await commitOf(repository, versions[0] ?? commit)) };
  const { line, message } = read;
  for (const version of versions.slice(1)) {
    const before = await entryAt(repository, version, file);
    if (!before) break; // it was removed meanwhile: what it held before that, was taken back
    const earlier = await readVersion(repository, before);
    if (earlier.ok) {
      return { good: goodOf(earlier, await commitOf(repository, version)), problem: { line, message } };
    }
  }
  return { problem: { line, message } };
}

const goodOf = ({ rule, teamsLine }: Good, commit: RuleCommit) => ({ rule, teamsLine, commit });

async function readVersion(repository: Repository, { id }: TreeEntry): Promise<ReadRule> {
  const content = await repository.readBlob(id);
  if (content.length > maxFileBytes) {
    return { ok: false, line: 1, message: `the file is longer than ${maxFileBytes} bytes` };
  }
  return readAccessRule(content.toString('utf8'));
}

async function entryAt(repository: Repository, commit: string, file: string): Promise<TreeEntry | undefined> {
  const slash = file.lastIndexOf('/');
  const entries = await repository.tree(commit, file.slice(0, slash));
  return entries?.find(({ name, kind }) => name === file.slice(slash + 1) && kind === 'blob');
}

async function commitOf(repository: Repository, id: string): Promise<RuleCommit> {
  const { authorName, authorEmail, date } = await repository.commitMetadata(id);
  return { revision: id, author: authorName, email: authorEmail, date };
}
