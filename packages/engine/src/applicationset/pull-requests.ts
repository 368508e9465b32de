// Pull requests as the generator needs them: asked of the provider, with a token from a Secret of the engine's namespace.
import { TerminalError } from '@fairlead/base';
import { createProvider, ProviderNotFoundError, type PullRequest } from '@fairlead/git';
import { type KubeClient, stringAt } from '@fairlead/kube';
import type { PullRequestQuestion, PullRequestReader } from './pull-request-generator.ts';

interface ReaderDeps {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** More open ones than this are an error: leaving some out would delete their applications. */
const maxPullRequests = 1_000;

export function pullRequestReader({ client, namespace, signal }: ReaderDeps): PullRequestReader {
  return {
    pullRequests: (question) => openPullRequests(question, signal),
    secretValue: async (name, key) => {
      const secret = await client.get({ group: '', version: 'v1', kind: 'Secret', namespace, name }, { signal });
      const value = stringAt(secret, 'data', key);
      if (value === undefined) throw new TerminalError('secret_key_missing', `Secret ${name} has no key ${key}`);
      return Buffer.from(value, 'base64').toString('utf8').trim();
    },
  };
}

async function openPullRequests(
  { account, repository, mayBeAbsent }: PullRequestQuestion,
  signal: AbortSignal,
): Promise<PullRequest[]> {
  const provider = createProvider(account);
  const found: PullRequest[] = [];
  let cursor: string | undefined;
  try {
    do {
      const page = await provider.listPullRequests(repository, { limit: 100, cursor }, { signal });
      found.push(...page.items);
      cursor = page.nextCursor;
      if (found.length > maxPullRequests)
        throw new TerminalError('too_many_pull_requests', `${repository} has more than ${maxPullRequests} open ones`);
    } while (cursor !== undefined);
  } catch (error) {
    if (!(mayBeAbsent && error instanceof ProviderNotFoundError)) throw error;
  }
  return found;
}
