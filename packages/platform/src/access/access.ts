// What the rest of the platform asks: what may this caller see, may they do this. Rules are kept in memory by version;
// the caller brings the version that holds (it is read together with who they are), so no older rules are ever used.
import {
  type AccessDecision,
  type AccessEntity,
  type ApplicationAction,
  type ApplicationId,
  decide,
  isUnrestricted,
  type NamedEntity,
  namedObject,
  type Policy,
  type Question,
  type Visibility,
  visibilityOf,
} from '@fairlead/contracts';
import { applicationAttributes, type Caller, type Sight, type Store } from '../store/index.ts';
import { readRules } from './rules.ts';

/** Accounts whose rules are kept; the ones asked for longest ago go. */
const maxAccounts = 500;
/** Sets of teams, by action, whose visibility is kept per account; the oldest go. */
const maxVisibilities = 1_000;

interface Known {
  readonly version: number;
  readonly policy: Policy;
  /** Each is the same object until the rules change: what was made of it can be kept beside it. */
  readonly visibilities: Map<string, Visibility>;
}

type Who = Pick<Caller, 'account' | 'accessVersion'> & { readonly user: Pick<Caller['user'], 'role' | 'teams'> };

export class Access {
  readonly #store: Store;
  readonly #policies = new Map<string, Known>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Which of these the caller may view. */
  async visibility(who: Who, entity: AccessEntity = 'application'): Promise<Visibility> {
    const { policy, visibilities } = await this.#known(who);
    const question = `${entity} ${who.user.role} ${who.user.teams.join(' ')}`;
    const known = visibilities.get(question);
    if (known) return known;
    const visibility = visibilityOf(policy, questionOf(who, 'VIEW', entity));
    const [oldest] = visibilities.keys();
    if (visibilities.size >= maxVisibilities && oldest !== undefined) visibilities.delete(oldest);
    visibilities.set(question, visibility);
    return visibility;
  }

  /** What the caller may view of each entity. */
  async sight(who: Who): Promise<Sight> {
    const application = await this.visibility(who);
    const [runtime, cluster, gitSource] = [
      await this.visibility(who, 'runtime'),
      await this.visibility(who, 'cluster'),
      await this.visibility(who, 'gitSource'),
    ];
    return { application, runtime, cluster, gitSource };
  }

  /** Whether the caller may view what is named so, be it there or not. */
  async decideNamed(who: Who, named: NamedEntity): Promise<AccessDecision> {
    const { policy } = await this.#known(who);
    return decide(policy, questionOf(who, 'VIEW', named.entity), namedObject(named));
  }

  /** Undefined: to this caller there is no such application. One that is gone is there for those who see all. */
  async decide(who: Who, action: ApplicationAction, id: ApplicationId): Promise<AccessDecision | undefined> {
    const [{ policy }, object] = await Promise.all([
      this.#known(who),
      applicationAttributes(this.#store.db, { accountId: who.account.id, ...id }),
    ]);
    const view = questionOf(who, 'VIEW');
    if (!object) {
      const seesAll = isUnrestricted(visibilityOf(policy, view));
      return seesAll && action === 'VIEW' ? { allowed: true, because: 'you may see everything' } : undefined;
    }
    return decide(policy, view, object).allowed ? decide(policy, questionOf(who, action), object) : undefined;
  }

  async #known({ account, accessVersion }: Who): Promise<Known> {
    const known = this.#policies.get(account.id);
    if (known && known.version >= accessVersion) return known;
    const { version, ...policy } = await readRules(this.#store.db, account.id);
    const read: Known = { version, policy, visibilities: new Map() };
    this.#policies.delete(account.id);
    this.#policies.set(account.id, read);
    const [oldest] = this.#policies.keys();
    if (this.#policies.size > maxAccounts && oldest !== undefined) this.#policies.delete(oldest);
    return read;
  }
}

const questionOf = ({ user }: Who, action: ApplicationAction, entity: AccessEntity = 'application'): Question => ({
  subject: { isAdmin: user.role === 'admin', teams: user.teams },
  entity,
  action,
});
