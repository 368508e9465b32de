// The access rules that this runtime judges by, and whether acts need Git rights too: those of the repository that it follows, read with what its engine reads with
// and never taken from the platform. The remote is asked when somebody acts, at most as often as the caller's `maxAgeMs` says.
// While it cannot be asked the rules that were read last hold, in memory or in the mirror; when there are none, nobody whom
// rules are about acts.
import { type Clock, Counter, errorMessage, type Logger, type Registry, withDeadline } from '@fairlead/base';
import type { AccessRuleInput } from '@fairlead/contracts';
import { type GitCredentials, type GitMirrors, redactUrl } from '@fairlead/git';
import { formatSharedConfigUrl, type SharedConfigAddress } from '../configuration/index.ts';
import { ConfigurationError } from './errors.ts';
import { AccessRuleFiles } from './read-access-rules.ts';
import type { SharedConfig } from './shared-config.ts';

interface FollowedRulesDeps {
  readonly sharedConfig: SharedConfig;
  readonly mirrors: GitMirrors;
  /** What the engine reads this repository with. */
  readonly credentials: (repoURL: string, call: Call) => Promise<GitCredentials | undefined>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Call {
  readonly signal: AbortSignal;
}

interface Freshness extends Call {
  readonly maxAgeMs: number;
}

export interface FollowedAccess {
  readonly rules: readonly AccessRuleInput[];
  /** Acts need the Git rights of who acts, too. */
  readonly needsGitRights: boolean;
}

const nothing: FollowedAccess = { rules: [], needsGitRights: false };

/** An act must not wait for a remote that hangs. */
const remoteWithinMs = 8_000;
/** A remote that just failed is not asked by every act. */
const pauseMs = 3_000;

export class FollowedAccessRules {
  readonly #deps: FollowedRulesDeps;
  readonly #files = new AccessRuleFiles();
  readonly #stale: Counter;
  #last: { readonly at: string; readonly commit: string; readonly access: FollowedAccess } | undefined;
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: FollowedRulesDeps) {
    this.#deps = deps;
    this.#stale = new Counter({
      name: 'fairlead_app_proxy_stale_rules_total',
      help: 'Judgements by access rules that could not be read anew',
      registers: [deps.registry],
    });
  }

  /** No rules while the runtime follows no repository. Throws `unavailable` while there is one that was never read. */
  async read(runtime: string, { signal, maxAgeMs }: Freshness): Promise<FollowedAccess> {
    const address = (await this.#deps.sharedConfig.find(runtime, { signal }))?.sharedConfig;
    if (!address) return nothing;
    const { clock, log } = this.#deps;
    const at = formatSharedConfigUrl(address);
    let reason: unknown = 'it did not answer a moment ago';
    if (clock.monotonic() - this.#failedMs >= pauseMs) {
      try {
        return await this.#fromRemote(address, { at, signal, maxAgeMs });
      } catch (error) {
        signal.throwIfAborted();
        this.#failedMs = clock.monotonic();
        reason = error;
        log.warn({ repository: redactUrl(at), reason: errorMessage(error) }, 'access rules cannot be read anew');
      }
    }
    const known = this.#last?.at === at ? this.#last.access : await this.#fromMirror(address, { at, signal });
    if (!known) throw unreadable(runtime, at, reason);
    this.#stale.inc();
    return known;
  }

  async #fromRemote(address: SharedConfigAddress, call: Freshness & { readonly at: string }): Promise<FollowedAccess> {
    const { mirrors, credentials, clock } = this.#deps;
    const { repoURL, branch } = address;
    const signal = withDeadline(call.signal, remoteWithinMs);
    const asOfMs = clock.monotonic() - call.maxAgeMs;
    const known = { credentials: await credentials(repoURL, { signal }), signal, asOfMs };
    return this.#at(address, await mirrors.resolve(repoURL, branch, known), { ...call, signal });
  }

  /** What a process before this one fetched. */
  async #fromMirror(
    address: SharedConfigAddress,
    call: Call & { readonly at: string },
  ): Promise<FollowedAccess | undefined> {
    const repository = await this.#deps.mirrors.repository(address.repoURL);
    const commit = await repository.commitOfBranch(address.branch);
    return commit === undefined ? undefined : this.#at(address, commit, call);
  }

  async #at(
    address: SharedConfigAddress,
    commit: string,
    { at, signal }: Call & { readonly at: string },
  ): Promise<FollowedAccess> {
    if (this.#last?.at === at && this.#last.commit === commit) return this.#last.access;
    const repository = await this.#deps.mirrors.repository(address.repoURL);
    const report = await this.#files.read(repository, { address, commit }, { signal });
    for (const { file, message } of report.problems) {
      this.#deps.log.warn({ file, problem: message }, 'a file of access rules or Git rights is broken');
    }
    const needsGitRights = report.gitRights !== undefined;
    const access = { rules: report.rules.map(({ rule }) => rule), needsGitRights };
    this.#last = { at, commit, access };
    return access;
  }
}

function unreadable(runtime: string, at: string, reason: unknown): ConfigurationError {
  const why = typeof reason === 'string' ? reason : errorMessage(reason);
  const message = `runtime ${runtime} cannot read its access rules from ${redactUrl(at)}: ${why}; until it can, only administrators act`;
  return new ConfigurationError('unavailable', message, { cause: reason });
}
