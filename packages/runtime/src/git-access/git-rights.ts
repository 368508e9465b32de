// What a user may do with a repository, by their own Git token in this runtime and by the word of the Git server. One
// question at a time to each repository for each user; answers are kept as long as git-verdict says, for the token that was asked with.
import {
  BoundedCache,
  type Clock,
  Counter,
  errorMessage,
  Gauge,
  type Logger,
  mapLimit,
  type Registry,
} from '@fairlead/base';
import {
  ProviderRateLimitError,
  ProviderUnavailableError,
  type RepositoryRight,
  redactUrl,
  repositoryRight,
} from '@fairlead/git';
import { GitAccessError } from './errors.ts';
import { type Actor, hostOf, noToken } from './git-access.ts';
import type { GitTokens, UsableToken } from './git-tokens.ts';
import { gitUsername } from './git-username.ts';
import { answerWithoutServer, type GitVerdict, grants, knownAnswer, type WantedRight } from './git-verdict.ts';

interface GitRightsDeps {
  readonly tokens: Pick<GitTokens, 'find'>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Question {
  readonly repoURL: string;
  readonly wanted: WantedRight;
  readonly maxAgeMs?: number | undefined;
}

interface ReadQuestion {
  readonly repositories: readonly string[];
  /** What was said longer ago is asked anew, also where it may still be relied on. */
  readonly maxAgeMs?: number | undefined;
}

/** Users × repositories; the ones asked for longest ago go, and are asked anew. */
const maxVerdicts = 10_000;
const askWithinMs = 8_000;
/** A server that just gave no answer is not asked by every act. */
const pauseMs = 5_000;

/** Of one batch, at the Git servers. */
const asksAtOnce = 8;

/** As the answer to `askGitRights` has it. */
interface ReadAnswer {
  readonly repository: string;
  readonly read: boolean;
  readonly ageMs: number;
  readonly silent: boolean;
}

interface Judged {
  readonly verdict: GitVerdict | undefined;
  /** The server gave no answer. */
  readonly isSilent: boolean;
}

const no = { read: false, ageMs: 0, silent: false } as const;

export class GitRights {
  readonly #deps: GitRightsDeps;
  readonly #verdicts = new BoundedCache<string, GitVerdict>(maxVerdicts);
  readonly #silentMs = new BoundedCache<string, number>(maxVerdicts);
  readonly #asking = new Map<string, Promise<GitVerdict | undefined>>();
  readonly #answers: Counter<'answer'>;

  constructor(deps: GitRightsDeps) {
    this.#deps = deps;
    this.#answers = new Counter({
      name: 'fairlead_app_proxy_git_rights_total',
      help: 'Questions about the Git rights of users: answered from what was known, by the server, or without it',
      labelNames: ['answer'],
      registers: [deps.registry],
    });
    const verdicts = this.#verdicts;
    new Gauge({
      name: 'fairlead_app_proxy_git_verdicts',
      help: 'Verdicts about Git rights that are kept, and those that were dropped at the bound',
      labelNames: ['state'],
      registers: [deps.registry],
      collect() {
        this.set({ state: 'kept' }, verdicts.count);
        this.set({ state: 'evicted' }, verdicts.evictions);
      },
    });
  }

  /** Throws `git_token_missing` for who has no token for that host. */
  async may(actor: Actor, { repoURL, wanted }: Question, { signal }: { signal: AbortSignal }): Promise<boolean> {
    const host = hostOf(repoURL);
    const token = await this.#deps.tokens.find(actor.sub, host, { signal });
    if (!token) throw noToken(host);
    if (new URL(token.url).origin !== new URL(repoURL).origin) return false; // it is never sent elsewhere
    const { verdict, isSilent } = await this.#judged(actor, { repoURL, wanted }, token);
    if (isSilent) return answerWithoutServer(verdict, wanted, this.#deps.clock.monotonic());
    return verdict !== undefined && grants(verdict.right, wanted);
  }

  /** Whether the user's token may read each of these, in their order. Who has no token for a host may not read there. */
  async readable(
    actor: Actor,
    { repositories, maxAgeMs }: ReadQuestion,
    { signal }: { signal: AbortSignal },
  ): Promise<ReadAnswer[]> {
    const tokens = new Map<string, Promise<UsableToken | undefined>>();
    const tokenFor = (host: string) => {
      const found = tokens.get(host) ?? this.#deps.tokens.find(actor.sub, host, { signal });
      tokens.set(host, found);
      return found;
    };
    return mapLimit(repositories, asksAtOnce, async (repoURL) => {
      const host = httpHostOf(repoURL);
      const token = host === undefined ? undefined : await tokenFor(host);
      if (!token || new URL(token.url).origin !== new URL(repoURL).origin) return { ...no, repository: repoURL };
      const { verdict, isSilent } = await this.#judged(actor, { repoURL, wanted: 'read', maxAgeMs }, token);
      const nowMs = this.#deps.clock.monotonic();
      const ageMs = verdict ? Math.ceil(nowMs - verdict.askedMs) : 0;
      const read = isSilent
        ? answerWithoutServer(verdict, 'read', nowMs)
        : verdict !== undefined && grants(verdict.right, 'read');
      return { repository: repoURL, read, ageMs, silent: isSilent };
    });
  }

  /** What is known of it, asked anew where that is too old. */
  async #judged(actor: Actor, question: Question, token: UsableToken): Promise<Judged> {
    const { repoURL, wanted, maxAgeMs = Number.POSITIVE_INFINITY } = question;
    const key = [actor.sub, token.addedAt, repoURL].join(' ');
    const { clock } = this.#deps;
    const before = this.#verdicts.get(key);
    const nowMs = clock.monotonic();
    if (before && nowMs - before.askedMs <= maxAgeMs && knownAnswer(before, wanted, nowMs) !== undefined) {
      this.#answers.inc({ answer: 'known' });
      return { verdict: before, isSilent: false };
    }
    const isPaused = nowMs - (this.#silentMs.get(key) ?? Number.NEGATIVE_INFINITY) < pauseMs;
    const verdict = isPaused ? undefined : await this.#asked(key, { repoURL, actor, token });
    this.#answers.inc({ answer: verdict ? 'server' : 'silent' });
    return { verdict: verdict ?? this.#verdicts.get(key), isSilent: verdict === undefined };
  }

  #asked(key: string, about: Asked): Promise<GitVerdict | undefined> {
    const underWay = this.#asking.get(key);
    if (underWay) return underWay;
    const asking = this.#ask(key, about).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Undefined when the server gives no answer. It is asked for all who wait, so nobody's leaving ends it. */
  async #ask(key: string, { repoURL, actor, token }: Asked): Promise<GitVerdict | undefined> {
    const { clock, log } = this.#deps;
    const askedMs = clock.monotonic();
    const { token: secret, authority } = token;
    const question = { repoURL, username: gitUsername(token, actor.name), token: secret, authority };
    const signal = AbortSignal.timeout(askWithinMs);
    try {
      const right: RepositoryRight = await repositoryRight(question, { signal });
      const verdict = { right, askedMs };
      this.#verdicts.set(key, verdict);
      return verdict;
    } catch (error) {
      const isSilent = error instanceof ProviderUnavailableError || error instanceof ProviderRateLimitError;
      if (!isSilent && !signal.aborted) throw error;
      this.#silentMs.set(key, clock.monotonic());
      log.warn({ repository: redactUrl(repoURL), reason: errorMessage(error) }, 'a Git server does not tell rights');
      return undefined;
    }
  }
}

interface Asked {
  readonly repoURL: string;
  readonly actor: Actor;
  readonly token: UsableToken;
}

/** Undefined for what no token can be asked about: ssh, and what is no address. */
function httpHostOf(repoURL: string): string | undefined {
  try {
    return hostOf(repoURL);
  } catch (error) {
    if (error instanceof GitAccessError) return undefined;
    throw error;
  }
}
