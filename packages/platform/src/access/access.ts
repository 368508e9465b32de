// What the rest of the platform asks: what may this caller see, may they do this. Rules are kept in memory by version;
// the caller brings the version that holds (it is read together with who they are), so no older rules are ever used.
import { BoundedCache } from '@fairlead/base';
import {
  type AccessDecision,
  type AccessEntity,
  type ApplicationAction,
  type ApplicationId,
  decide,
  isSeen,
  isUnrestricted,
  type NamedEntity,
  namedObject,
  type Policy,
  type Question,
  type Visibility,
  visibilityOf,
} from '@fairlead/contracts';
import { applicationAttributes, type Caller, gitSourceRows, type Sight, type Store } from '../store/index.ts';
import type { GitSight } from './git-sight.ts';
import { readRules } from './rules.ts';

/** Accounts whose rules are kept; the ones asked for longest ago go. */
const maxAccounts = 500;
/** Sets of teams, by action, whose visibility is kept per account; the oldest go. */
const maxVisibilities = 1_000;

/** So long a list waits for what was never asked before; what comes later, the live feed brings. */
const gitWaitMs = 1_500;

interface Known {
  readonly version: number;
  readonly policy: Policy;
  /** What people see follows Git. */
  readonly followsGit: boolean;
  /** Each is the same object until the rules change: what was made of it can be kept beside it. */
  readonly visibilities: BoundedCache<string, Visibility>;
}

interface Waiting {
  /** For Git rights that are not known yet. */
  readonly waitMs?: number;
}

/** What a caller sees of applications; `checking`: repositories whose rights are being looked up, where rights follow Git. */
interface ApplicationSight {
  readonly visibility: Visibility;
  readonly checking?: number;
}

export class Access {
  readonly #store: Store;
  readonly #git: GitSight;
  readonly #policies = new BoundedCache<string, Known>(maxAccounts);
  /** By the places of one user and what rules allow; each is the same object until rules or places change. */
  readonly #narrowed = new WeakMap<readonly string[], WeakMap<Visibility, Visibility>>();

  constructor(store: Store, git: GitSight) {
    this.#store = store;
    this.#git = git;
  }

  /** Which applications the caller may view: by rules and, where rights follow Git, by their own Git token. */
  async applications(who: Caller, { waitMs = gitWaitMs }: Waiting = {}): Promise<ApplicationSight> {
    const of = await this.#byRules(who, 'application');
    if (!(await this.#followsGit(who))) return { visibility: of };
    const { manifests, checking } = await this.#git.view(who, { waitMs });
    return { visibility: this.#narrow(of, manifests), checking };
  }

  async #followsGit(who: Caller): Promise<boolean> {
    return who.user.role !== 'admin' && (await this.#known(who)).followsGit;
  }

  #narrow(of: Visibility, manifests: readonly string[]): Visibility {
    const known = this.#narrowed.get(manifests) ?? new WeakMap<Visibility, Visibility>();
    const visibility = known.get(of) ?? { ...of, manifests };
    known.set(of, visibility);
    this.#narrowed.set(manifests, known);
    return visibility;
  }

  async visibility(who: Caller): Promise<Visibility> {
    return (await this.applications(who)).visibility;
  }

  async #byRules(who: Caller, entity: AccessEntity): Promise<Visibility> {
    const { policy, visibilities } = await this.#known(who);
    const question = `${entity} ${who.user.role} ${who.user.teams.join(' ')}`;
    const known = visibilities.get(question);
    if (known) return known;
    const visibility = visibilityOf(policy, questionOf(who, 'VIEW', entity));
    visibilities.set(question, visibility);
    return visibility;
  }

  /** What the caller may view of each entity; waits for nobody, unless a list asks for it (`waits`). */
  async sight(who: Caller, { waits = false }: { readonly waits?: boolean } = {}): Promise<Sight> {
    const { visibility: application } = await this.applications(who, { waitMs: waits ? gitWaitMs : 0 });
    const { manifests } = application;
    const [runtime, cluster, gitSource] = [
      await this.#byRules(who, 'runtime'),
      await this.#byRules(who, 'cluster'),
      await this.#byRules(who, 'gitSource'),
    ];
    // A Git Source is as visible as the repository that it takes applications from.
    return { application, runtime, cluster, gitSource: manifests ? this.#narrow(gitSource, manifests) : gitSource };
  }

  /** Whether the caller may view what is named so, be it there or not. */
  async decideNamed(who: Caller, named: NamedEntity): Promise<AccessDecision> {
    const { policy } = await this.#known(who);
    const decision = decide(policy, questionOf(who, 'VIEW', named.entity), namedObject(named));
    if (!decision.allowed || named.entity !== 'gitSource' || !(await this.#followsGit(who))) return decision;
    const query = { accountId: who.account.id, sight: await this.sight(who, { waits: true }), runtime: named.runtime };
    const rows = await gitSourceRows(this.#store.db, query);
    const isReadable = rows.some(({ name }) => name === named.name);
    return isReadable ? decision : { allowed: false, because: 'your Git token cannot read its repository' };
  }

  /** Undefined: to this caller there is no such application. One that is gone is there for those who see all. */
  async decide(who: Caller, action: ApplicationAction, id: ApplicationId): Promise<AccessDecision | undefined> {
    const [{ policy }, visibility, object] = await Promise.all([
      this.#known(who),
      this.visibility(who),
      applicationAttributes(this.#store.db, { accountId: who.account.id, ...id }),
    ]);
    if (!object) {
      const seesAll = isUnrestricted(visibility);
      return seesAll && action === 'VIEW' ? { allowed: true, because: 'you may see everything' } : undefined;
    }
    return isSeen(visibility, object) ? decide(policy, questionOf(who, action), object) : undefined;
  }

  async #known({ account, accessVersion }: Caller): Promise<Known> {
    const known = this.#policies.get(account.id);
    if (known && known.version >= accessVersion) return known;
    const { version, gitRights, ...policy } = await readRules(this.#store.db, account.id);
    const read: Known = {
      version,
      policy,
      followsGit: gitRights.enforce === 'all',
      visibilities: new BoundedCache(maxVisibilities),
    };
    this.#policies.set(account.id, read);
    return read;
  }
}

const questionOf = ({ user }: Caller, action: ApplicationAction, entity: AccessEntity = 'application'): Question => ({
  subject: { isAdmin: user.role === 'admin', teams: user.teams },
  entity,
  action,
});
