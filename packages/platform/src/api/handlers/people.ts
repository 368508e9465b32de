// Users, teams, keys and sessions. Each change is written together with its audit entry.
import { reapplyRuleFiles } from '../../access/index.ts';
import { type AuditNote, appendAudit } from '../../audit/index.ts';
import { createSignInLink, invitationLivesMs } from '../../auth/index.ts';
import {
  addKey,
  addTeam,
  addUser,
  changeUser,
  listKeys,
  listSessions,
  listTeams,
  listUsers,
  removeSession,
  removeTeam,
  revokeKey,
  setMembers,
  userNamed,
} from '../../people/index.ts';
import { type Caller, recordAccessChange, type Transaction } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type UserNames = 'listUsers' | 'inviteUser' | 'updateUser' | 'createUserLink';
type TeamNames = 'listTeams' | 'createTeam' | 'updateTeam' | 'deleteTeam';
type KeyNames = 'listApiKeys' | 'createApiKey' | 'revokeApiKey' | 'listSessions' | 'revokeSession';

interface Asked {
  readonly caller: Caller;
  readonly requestId: string;
}

/** Roles and teams decide what people see. */
const changesAccess: ReadonlySet<string> = new Set(['user.update', 'team.create', 'team.update', 'team.delete']);

/** One transaction: the change, then the entry that tells of it. */
function changes({ store }: HandlerDeps) {
  return <T>(
    { caller, requestId }: Asked,
    change: (trx: Transaction, now: Date) => Promise<readonly [result: T, note: AuditNote]>,
  ): Promise<T> =>
    store.transaction(async (trx) => {
      const now = new Date(store.clock.now());
      const [result, note] = await change(trx, now);
      await appendAudit(trx, { caller, requestId, now }, note);
      if (changesAccess.has(note.action)) await recordAccessChange(trx, caller.account.id, now);
      return result;
    });
}

export const peopleHandlers = (deps: HandlerDeps): HandlersOf<UserNames | TeamNames | KeyNames> => ({
  ...userHandlers(deps),
  ...teamHandlers(deps),
  ...keyHandlers(deps),
});

function userHandlers(deps: HandlerDeps): HandlersOf<UserNames> {
  const { store, publicUrl } = deps;
  const change = changes(deps);
  const link = async (trx: Transaction, userId: string, now: Date) => {
    const { code, expiresAt } = await createSignInLink(trx, { userId, now, livesMs: invitationLivesMs });
    return { url: `${publicUrl()}/sign-in?code=${code}`, expiresAt };
  };
  return {
    async listUsers({ caller }) {
      return { items: await listUsers(store.db, caller.account.id) };
    },
    inviteUser: (input) =>
      change(input, async (trx, now) => {
        const { name, email, kind = 'person', role = 'user', teams = [] } = input.body;
        const accountId = input.caller.account.id;
        const user = await addUser(trx, { accountId, name, email, kind, role, teams, now });
        const given = kind === 'person' ? await link(trx, user.id, now) : {};
        return [
          { user, ...given },
          { action: 'user.invite', entity: { kind: 'user', name }, details: { kind, role, teams } },
        ];
      }),
    updateUser: (input) =>
      change(input, async (trx) => {
        const name = input.params.user;
        const user = await changeUser(trx, { accountId: input.caller.account.id, name }, input.body);
        return [user, { action: 'user.update', entity: { kind: 'user', name }, details: { ...input.body } }];
      }),
    createUserLink: (input) =>
      change(input, async (trx, now) => {
        const { id, name, kind, status } = await userNamed(trx, input.caller.account.id, input.params.user);
        if (kind !== 'person' || status === 'deactivated') throw new ApiFailure('conflict', `${name} cannot sign in`);
        return [await link(trx, id, now), { action: 'sign-in-link.create', entity: { kind: 'user', name } }];
      }),
  };
}

function teamHandlers(deps: HandlerDeps): HandlersOf<TeamNames> {
  const { store } = deps;
  const change = changes(deps);
  return {
    async listTeams({ caller }) {
      return { items: await listTeams(store.db, caller.account.id) };
    },
    createTeam: (input) =>
      change(input, async (trx, now) => {
        const { name, members = [] } = input.body;
        const accountId = input.caller.account.id;
        const team = await addTeam(trx, { accountId, name, members, now });
        await reapplyRuleFiles(trx, accountId, now);
        return [team, { action: 'team.create', entity: { kind: 'team', name }, details: { members } }];
      }),
    updateTeam: (input) =>
      change(input, async (trx) => {
        const name = input.params.team;
        const { members } = input.body;
        const team = await setMembers(trx, { accountId: input.caller.account.id, name }, members);
        return [team, { action: 'team.update', entity: { kind: 'team', name }, details: { members } }];
      }),
    deleteTeam: (input) =>
      change(input, async (trx) => {
        const name = input.params.team;
        await removeTeam(trx, { accountId: input.caller.account.id, name });
        return [null, { action: 'team.delete', entity: { kind: 'team', name } }];
      }),
  };
}

const dayMs = 24 * 3_600_000;
const isAdmin = ({ user, scopes }: Caller) => user.role === 'admin' && (!scopes || scopes.includes('admin'));
/** Administrators reach everybody's, others their own. */
const reach = (caller: Caller) => ({
  accountId: caller.account.id,
  userId: isAdmin(caller) ? undefined : caller.user.id,
});
const own = (caller: Caller) => ({ accountId: caller.account.id, userId: caller.user.id });

function keyHandlers(deps: HandlerDeps): HandlersOf<KeyNames> {
  const { store } = deps;
  const change = changes(deps);
  return {
    async listApiKeys({ caller, query }) {
      return { items: await listKeys(store.db, query.all ? reach(caller) : own(caller)) };
    },
    createApiKey: (input) =>
      change(input, async (trx, now) => {
        const { caller, body } = input;
        const { name, scopes = caller.scopes ?? ['read', 'act', 'admin'], expiresInDays } = body;
        const owner = await keyOwner(trx, caller, body.user);
        if (caller.scopes && scopes.some((scope) => !caller.scopes?.includes(scope))) {
          throw new ApiFailure('forbidden', 'a key cannot make another that may do more', { field: 'scopes' });
        }
        const expiresAt = expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * dayMs);
        const accountId = caller.account.id;
        const made = await addKey(trx, { accountId, userId: owner.id, name, scopes, expiresAt, now });
        const details = { user: owner.name, scopes, ...(expiresAt ? { expiresAt } : {}) };
        return [made, { action: 'api-key.create', entity: { kind: 'api-key', name }, details }];
      }),
    revokeApiKey: (input) =>
      change(input, async (trx, now) => {
        const { name, user } = await revokeKey(trx, { ...reach(input.caller), id: input.params.key, now });
        return [null, { action: 'api-key.revoke', entity: { kind: 'api-key', name }, details: { user } }];
      }),
    async listSessions({ caller, query, sessionToken }) {
      const whose = query.all ? reach(caller) : own(caller);
      const now = new Date(store.clock.now());
      return { items: await listSessions(store.db, { ...whose, now, currentToken: sessionToken }) };
    },
    revokeSession: (input) =>
      change(input, async (trx) => {
        const user = await removeSession(trx, { ...reach(input.caller), id: input.params.session });
        return [null, { action: 'session.revoke', entity: { kind: 'user', name: user } }];
      }),
  };
}

/** For oneself, or, as an administrator, for a service account; nobody makes a key of another person. */
async function keyOwner(trx: Transaction, caller: Caller, name: string | undefined) {
  if (name === undefined || name === caller.user.name) return caller.user;
  const user = isAdmin(caller) ? await userNamed(trx, caller.account.id, name) : undefined;
  if (user?.kind !== 'service') {
    throw new ApiFailure('forbidden', 'a key is made by its user, or by an administrator for a service account');
  }
  return user;
}
