// The places where repositories live, as the acting user's own token may use them: which organisations there are, and
// new repositories in them.
import { ProviderNotFoundError, redactUrl } from '@fairlead/git';
import { GitAccessError } from './errors.ts';
import type { GitTokens } from './git-tokens.ts';
import { fullNameOf, gitUsername } from './git-username.ts';
import { providerOf } from './probe-token.ts';
import { providerFailure } from './provider-failure.ts';

interface Call {
  readonly signal: AbortSignal;
}

interface Organisation {
  readonly name: string;
  readonly avatarUrl?: string;
}

export class GitHosting {
  readonly #tokens: GitTokens;

  constructor(tokens: GitTokens) {
    this.#tokens = tokens;
  }

  async organisations(userId: string, host: string, call: Call): Promise<readonly Organisation[]> {
    const provider = providerOf(await this.#token(userId, host, call));
    if (!provider) return []; // a plain git server has no notion of them
    return explained(host, () => provider.listOrganisations(call));
  }

  /** True when it was made now. */
  async ensureRepository(userId: string, repoURL: string, call: Call): Promise<boolean> {
    const { host } = new URL(repoURL);
    const token = await this.#token(userId, host, call);
    const provider = providerOf(token);
    if (!provider) return false; // it must be there; the first read says so if not
    const fullName = fullNameOf(token, repoURL);
    const slash = fullName.lastIndexOf('/');
    if (slash <= 0) {
      throw new GitAccessError(
        'invalid',
        `repoURL: ${redactUrl(repoURL)} names no organisation; write https://${host}/<organisation>/<repository>.git`,
      );
    }
    return explained(host, async () => {
      try {
        await provider.listBranches(fullName, { limit: 1 }, call);
        return false;
      } catch (error) {
        if (!(error instanceof ProviderNotFoundError)) throw error;
      }
      const wanted = { organisation: fullName.slice(0, slash), name: fullName.slice(slash + 1) };
      await provider.createRepository(wanted, call);
      return true;
    });
  }

  /** Whoever has the token may read with it: the engine is given it as the runtime's own. */
  async credentials(userId: string, host: string, call: Call) {
    const stored = await this.#token(userId, host, call);
    return { username: gitUsername(stored, 'fairlead'), password: stored.token, url: stored.url };
  }

  async #token(userId: string, host: string, call: Call) {
    const token = await this.#tokens.find(userId, host, call);
    if (token) return token;
    const advice = `add one with: fairlead git-token add ${host}`;
    throw new GitAccessError('git_token_missing', `you have no Git token for ${host} in this runtime; ${advice}`, {
      details: { host },
    });
  }
}

async function explained<T>(host: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw providerFailure(error, host);
  }
}
