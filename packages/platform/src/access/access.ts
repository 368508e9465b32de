// What the rest of the platform asks: what may this caller see, may they do this. Rules are kept in memory by version;
// the caller brings the version that holds (it is read together with who they are), so no older rules are ever used.
import type { AccessDecision, ApplicationAction, ApplicationId } from '@fairlead/contracts';
import { applicationAttributes, type Caller, isUnrestricted, type Store, type Visibility } from '../store/index.ts';
import { decide, type Policy, type Question, visibilityOf } from './evaluate.ts';
import { readRules } from './rules.ts';

/** Accounts whose rules are kept; the ones asked for longest ago go. */
const maxAccounts = 500;

type Who = Pick<Caller, 'account' | 'accessVersion'> & { readonly user: Pick<Caller['user'], 'role' | 'teams'> };

export class Access {
  readonly #store: Store;
  readonly #policies = new Map<string, { readonly version: number; readonly policy: Policy }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Which applications the caller may do this with. */
  async visibility(who: Who, action: ApplicationAction = 'VIEW'): Promise<Visibility> {
    return visibilityOf(await this.#policy(who), questionOf(who, action));
  }

  /** Undefined: to this caller there is no such application. One that is gone is there for those who see all. */
  async decide(who: Who, action: ApplicationAction, id: ApplicationId): Promise<AccessDecision | undefined> {
    const [policy, object] = await Promise.all([
      this.#policy(who),
      applicationAttributes(this.#store.db, { accountId: who.account.id, ...id }),
    ]);
    const view = questionOf(who, 'VIEW');
    if (!object) {
      const seesAll = isUnrestricted(visibilityOf(policy, view));
      return seesAll && action === 'VIEW' ? { allowed: true, because: 'you may see everything' } : undefined;
    }
    return decide(policy, view, object).allowed ? decide(policy, questionOf(who, action), object) : undefined;
  }

  async #policy({ account, accessVersion }: Who): Promise<Policy> {
    const known = this.#policies.get(account.id);
    if (known && known.version >= accessVersion) return known.policy;
    const { version, ...read } = await readRules(this.#store.db, account.id);
    this.#policies.delete(account.id);
    this.#policies.set(account.id, { version, policy: read });
    const [oldest] = this.#policies.keys();
    if (this.#policies.size > maxAccounts && oldest !== undefined) this.#policies.delete(oldest);
    return read;
  }
}

const questionOf = ({ user }: Who, action: ApplicationAction): Question => ({
  subject: { isAdmin: user.role === 'admin', teams: user.teams },
  entity: 'application',
  action,
});
