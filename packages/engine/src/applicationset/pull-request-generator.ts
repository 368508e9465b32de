// The pullRequest generator: one set of parameters per open pull (merge) request, as Argo CD names them. What it asks a
// provider, and with which token, is given; this file is the spec's words and nothing else.
import { errorMessage } from '@fairlead/base';
import type { ProviderAccount, PullRequest } from '@fairlead/git';
import { listAt, recordAt, stringAt, valueAt } from '@fairlead/kube';
import { RE2JS } from 're2js';
import { type Parameters, slug } from './parameters.ts';

type Spec = Readonly<Record<string, unknown>>;

export interface PullRequestQuestion {
  readonly account: ProviderAccount;
  /** `org/name`. */
  readonly repository: string;
  /** An absent repository has no pull requests, instead of being an error. */
  readonly mayBeAbsent: boolean;
}

export interface PullRequestReader {
  /** Those that are open. */
  readonly pullRequests: (question: PullRequestQuestion) => Promise<readonly PullRequest[]>;
  /** Of a Secret beside the ApplicationSet. */
  readonly secretValue: (name: string, key: string) => Promise<string>;
}

/** What is wrong with the spec; the caller knows where it stands. */
export class PullRequestSpecError extends Error {}

export async function pullRequestParameters(spec: Spec, reader: PullRequestReader): Promise<Parameters[]> {
  const { kind, place } = chosen(spec);
  const isWanted = filterOf(listAt(spec, 'filters'));
  const labels = listAt(place, 'labels');
  const account = await accountOf(kind, place, reader);
  const repository = kind === 'gitlab' ? text(place, 'project') : `${text(place, 'owner')}/${text(place, 'repo')}`;
  const mayBeAbsent = valueAt(spec, 'continueOnRepoNotFoundError') === true;
  const open = await reader.pullRequests({ account, repository, mayBeAbsent });
  return open
    .filter((pull) => labels.every((label) => pull.labels.some((own) => own === label)) && isWanted(pull))
    .map(parametersOf);
}

const kinds = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
type Kind = (typeof kinds)[number];

function chosen(spec: Spec): { kind: Kind; place: Spec } {
  const kind = kinds.find((name) => spec[name] !== undefined && spec[name] !== null);
  if (kind) return { kind, place: recordAt(spec, kind) };
  const other = Object.keys(spec).find((name) => /^(azure|bitbucketServer|aws)/.test(name));
  throw new PullRequestSpecError(
    `${other ? `${other} is not supported` : 'no provider'}; allowed: ${kinds.join(', ')}`,
  );
}

function text(place: Spec, field: string): string {
  const value = stringAt(place, field);
  if (!value) throw new PullRequestSpecError(`${field} is required`);
  return value;
}

const publicUrls = { github: 'https://github.com', gitlab: 'https://gitlab.com', bitbucket: 'https://bitbucket.org' };

async function accountOf(kind: Kind, place: Spec, reader: PullRequestReader): Promise<ProviderAccount> {
  const api = stringAt(place, 'api')?.replace(/\/+$/, '');
  if (valueAt(place, 'appSecretName') !== undefined)
    throw new PullRequestSpecError('appSecretName is not supported; give a tokenRef');
  const secret = async (reference: Spec) => {
    const [name, key] = [stringAt(reference, 'secretName'), stringAt(reference, 'key')];
    return name && key ? reader.secretValue(name, key) : '';
  };
  const username = stringAt(place, 'basicAuth', 'username');
  const password = await secret(recordAt(place, 'basicAuth', 'passwordRef'));
  const token =
    password ||
    (await secret(recordAt(place, 'bearerToken', 'tokenRef'))) ||
    (await secret(recordAt(place, 'tokenRef')));
  const user = username ? { username } : {};
  if (kind === 'gitea' && !api) throw new PullRequestSpecError('api is required');
  if (kind === 'gitlab' || kind === 'gitea') {
    return { kind, token, url: api ?? publicUrls.gitlab, ...user };
  }
  return { kind, token, url: publicUrls[kind], ...(api ? { apiUrl: api } : {}), ...user };
}

/** A pull request is wanted when one of the filters holds whole; without filters all are. */
function filterOf(filters: readonly unknown[]): (pull: PullRequest) => boolean {
  if (filters.length === 0) return () => true;
  const compiled = filters.map((filter) => ({
    from: pattern(filter, 'branchMatch'),
    into: pattern(filter, 'targetBranchMatch'),
    title: pattern(filter, 'titleMatch'),
  }));
  return (pull) => compiled.some(({ from, into, title }) => from(pull.from) && into(pull.into) && title(pull.title));
}

function pattern(filter: unknown, field: string): (value: string) => boolean {
  const written = stringAt(filter, field);
  if (written === undefined) return () => true;
  try {
    const compiled = RE2JS.compile(written); // linear in the text, whatever the pattern
    return (value) => compiled.matcher(value).find();
  } catch (error) {
    throw new PullRequestSpecError(`filters: ${field} ${JSON.stringify(written)}: ${errorMessage(error)}`);
  }
}

function parametersOf({ number, title, from, into, headCommit, labels, author }: PullRequest): Parameters {
  return {
    number: String(number),
    title,
    branch: from,
    branch_slug: slug(from),
    target_branch: into,
    target_branch_slug: slug(into),
    head_sha: headCommit,
    head_short_sha: headCommit.slice(0, 8),
    head_short_sha_7: headCommit.slice(0, 7),
    author,
    labels: [...labels],
  };
}
