// Where rights follow Git: in which places (repositories of a runtime) manifests lie that a user's own Git token can read.
// Runtimes are asked, with the platform's word on who the user is; a question is never waited for longer than the caller says,
// and what is not known is not seen. Verdicts live in memory: a platform that starts anew asks anew.
// Bounds: 2,000 users (the ones heard of longest ago go, and are asked for anew), 5,000 places of an account (applications of
// further ones are for administrators; counted).
import {
  BoundedCache,
  type Clock,
  Counter,
  errorMessage,
  Gauge,
  type Logger,
  type Registry,
  sleep,
} from '@fairlead/base';
import { type GitReadAnswer, maxGitRightsAsked, repositoriesIn } from '@fairlead/contracts';
import { type Caller, manifestPlaces, type Store } from '../store/index.ts';
import { isDue, isOpen, type KnownRight, mayRead, renewedWithinMs } from './git-verdict.ts';

export interface GitQuestion {
  readonly caller: Caller;
  readonly runtimeId: string;
  readonly repositories: readonly string[];
  /** What was said longer ago is to be asked anew. */
  readonly maxAgeMs: number;
}

interface GitSightDeps {
  readonly store: Store;
  readonly ask: (question: GitQuestion, options: { signal: AbortSignal }) => Promise<readonly GitReadAnswer[]>;
  readonly registry: Registry;
  readonly log: Logger;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

export interface GitView {
  /** Places that may be seen into; the same array until they are others. */
  readonly manifests: readonly string[];
  /** Repositories that are being asked about and of which nothing is known. */
  readonly checking: number;
}

interface Place {
  readonly place: string;
  /** All are needed; each is a runtime and a repository. */
  readonly rights: readonly string[];
}

interface Places {
  readonly generation: number;
  readonly atMs: number;
  readonly all: readonly Place[];
  /** Of all places. */
  readonly rights: ReadonlySet<string>;
  readonly isOverBound: boolean;
}

interface UserRights {
  /** By runtime and repository. */
  readonly known: Map<string, KnownRight>;
  /** Questions under way, by runtime. */
  readonly asking: Map<string, Promise<void>>;
  manifests: readonly string[];
}

const maxUsers = 2_000;
const maxPlaces = 5_000;
const maxAccounts = 500;
/** Repositories that are new are noticed within this, by who looks all the time. */
const placesKeptMs = 1_000;

export class GitSight {
  readonly #deps: GitSightDeps;
  readonly #clock: Clock;
  readonly #users = new BoundedCache<string, UserRights>(maxUsers);
  readonly #places = new BoundedCache<string, Places>(maxAccounts);
  readonly #asked: Counter<'answer'>;
  #onChange: (userId: string) => void = () => undefined;

  constructor(deps: GitSightDeps) {
    this.#deps = deps;
    this.#clock = deps.store.clock;
    this.#asked = new Counter({
      name: 'fairlead_git_rights_asked_total',
      help: 'Repositories that runtimes were asked about for their users: yes, no, or no answer',
      labelNames: ['answer'],
      registers: [deps.registry],
    });
    const users = this.#users;
    const places = this.#places;
    new Gauge({
      name: 'fairlead_git_rights_kept',
      help: 'Users whose Git rights are kept, and accounts with more places of manifests than are asked about',
      labelNames: ['what'],
      registers: [deps.registry],
      collect() {
        this.set({ what: 'users' }, users.count);
        const isOver = ({ isOverBound }: Places) => isOverBound;
        this.set({ what: 'accounts_over_bound' }, places.values().filter(isOver).length);
      },
    });
  }

  /** Told of who may see other places than before. */
  onChange(told: (userId: string) => void): void {
    this.#onChange = told;
  }

  async view(caller: Caller, { waitMs }: { readonly waitMs: number }): Promise<GitView> {
    const places = await this.#placesOf(caller.account.id);
    const user = this.#rightsOf(caller.user.id);
    this.#askWhatIsDue(caller, user, places);
    if (waitMs > 0 && this.#checking(user, places) > 0) {
      const answered = new AbortController();
      const all = Promise.all(user.asking.values()).finally(() => answered.abort());
      await Promise.race([all, sleep(waitMs, { clock: this.#clock, signal: answered.signal }).catch(() => undefined)]);
    }
    return { manifests: this.#seen(user, places), checking: this.#checking(user, places) };
  }

  /** The user's token in that runtime is another one now. */
  forget(userId: string, { runtimeId, host }: { readonly runtimeId: string; readonly host: string }): void {
    const known = this.#users.get(userId)?.known;
    if (!known) return;
    for (const right of known.keys()) {
      if (right.startsWith(`${runtimeId} `) && hostOf(right.slice(runtimeId.length + 1)) === host.toLowerCase()) {
        known.delete(right);
      }
    }
    this.#onChange(userId);
  }

  async #placesOf(accountId: string): Promise<Places> {
    const { store } = this.#deps;
    const { generation } = store;
    const known = this.#places.get(accountId);
    const nowMs = this.#clock.monotonic();
    if (known && (known.generation === generation || nowMs - known.atMs < placesKeptMs)) return known;
    const found = await manifestPlaces(store.db, { accountId, limit: maxPlaces + 1 });
    const all = found.slice(0, maxPlaces).map((place): Place => {
      const { runtimeId, repositories } = repositoriesIn(place);
      return { place, rights: repositories.map((repository) => `${runtimeId} ${repository}`) };
    });
    const rights = new Set(all.flatMap((place) => place.rights));
    const places: Places = { generation, atMs: nowMs, all, rights, isOverBound: found.length > maxPlaces };
    this.#places.set(accountId, places);
    return places;
  }

  #rightsOf(userId: string): UserRights {
    const user = this.#users.get(userId) ?? { known: new Map(), asking: new Map(), manifests: [] };
    this.#users.set(userId, user);
    return user;
  }

  #seen(user: UserRights, { all }: Places): readonly string[] {
    const nowMs = this.#clock.monotonic();
    const isReadable = (right: string) => mayRead(user.known.get(right) ?? {}, nowMs);
    const now = all.filter(({ rights }) => rights.every(isReadable)).map(({ place }) => place);
    const before = user.manifests;
    if (now.length !== before.length || now.some((place, index) => place !== before[index])) user.manifests = now;
    return user.manifests;
  }

  #checking(user: UserRights, { rights }: Places): number {
    if (user.asking.size === 0) return 0;
    const nowMs = this.#clock.monotonic();
    const isChecked = (right: string) =>
      user.asking.has(runtimeOf(right)) && isOpen(user.known.get(right) ?? {}, nowMs);
    return [...rights].filter(isChecked).length;
  }

  #askWhatIsDue(caller: Caller, user: UserRights, { rights: wanted }: Places): void {
    const nowMs = this.#clock.monotonic();
    const due = new Map<string, string[]>();
    for (const right of wanted) {
      const runtimeId = runtimeOf(right);
      if (user.asking.has(runtimeId) || !isDue(user.known.get(right) ?? {}, nowMs)) continue;
      due.set(runtimeId, [...(due.get(runtimeId) ?? []), right]);
    }
    if (user.known.size > wanted.size) {
      for (const right of user.known.keys()) if (!wanted.has(right)) user.known.delete(right);
    }
    for (const [runtimeId, rights] of due) {
      const asking = this.#askAll(caller, user, rights).finally(() => user.asking.delete(runtimeId));
      user.asking.set(runtimeId, asking);
    }
  }

  /** Never rejects: without an answer, what was known is known. All rights are of one runtime. */
  async #askAll(caller: Caller, user: UserRights, rights: readonly string[]): Promise<void> {
    for (let first = 0; first < rights.length; first += maxGitRightsAsked) {
      const before = user.manifests;
      await this.#ask(caller, user, rights.slice(first, first + maxGitRightsAsked));
      if (this.#deps.signal.aborted) return;
      const places = this.#places.get(caller.account.id);
      if (places && this.#seen(user, places) !== before) this.#onChange(caller.user.id);
    }
  }

  async #ask(caller: Caller, user: UserRights, rights: readonly string[]): Promise<void> {
    const { ask, signal, log } = this.#deps;
    const triedMs = this.#clock.monotonic();
    const runtimeId = runtimeOf(rights[0] ?? '');
    const repositories = rights.map((right) => right.slice(runtimeId.length + 1));
    let answers: readonly GitReadAnswer[] = [];
    try {
      answers = await ask({ caller, runtimeId, repositories, maxAgeMs: renewedWithinMs }, { signal });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ runtimeId, user: caller.user.id, error: errorMessage(error) }, 'a runtime does not tell Git rights');
    }
    const byRepository = new Map(answers.map((answer) => [answer.repository, answer]));
    for (const [index, right] of rights.entries()) {
      const answer = byRepository.get(repositories[index] ?? '');
      user.known.set(right, this.#learnt(user.known.get(right), answer, triedMs));
      this.#asked.inc({ answer: !answer || answer.silent ? 'silent' : answer.read ? 'yes' : 'no' });
    }
  }

  #learnt(before: KnownRight | undefined, answer: GitReadAnswer | undefined, triedMs: number): KnownRight {
    const verdict = answer && { read: answer.read, askedMs: triedMs - answer.ageMs };
    if (verdict && !answer.silent) return { verdict, triedMs };
    // What a silent server said last counts where the runtime still relies on it, or where nothing is known here.
    const last = verdict?.read ? verdict : before?.verdict;
    return { verdict: last, triedMs, silentMs: this.#clock.monotonic() };
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : '');
const runtimeOf = (right: string) => right.slice(0, right.indexOf(' '));
