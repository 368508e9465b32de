// Access rules as administrators manage them, and the question that everybody may ask about themselves.
import { addRule, previewChange, readRules, removeRule, replaceRule, setDefault } from '../../access/index.ts';
import { type AuditNote, appendAudit } from '../../audit/index.ts';
import { type Caller, recordAccessChange, type Transaction } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names =
  | 'listAccessRules'
  | 'createAccessRule'
  | 'updateAccessRule'
  | 'deleteAccessRule'
  | 'setAccessDefault'
  | 'previewAccessRules'
  | 'canI';

interface Asked {
  readonly caller: Caller;
  readonly requestId: string;
}

export function accessHandlers({ store, access }: HandlerDeps): HandlersOf<Names> {
  const change = <T>(
    { caller, requestId }: Asked,
    work: (trx: Transaction, now: Date) => Promise<readonly [result: T, note: AuditNote]>,
  ): Promise<T> =>
    store.transaction(async (trx) => {
      const now = new Date(store.clock.now());
      const [result, note] = await work(trx, now);
      await appendAudit(trx, { caller, requestId, now }, note);
      await recordAccessChange(trx, caller.account.id, now);
      return result;
    });
  const entity = (name: string) => ({ kind: 'access-rule', name });
  return {
    async listAccessRules({ caller }) {
      const { default: fallback, rules } = await readRules(store.db, caller.account.id);
      return { default: fallback, items: rules };
    },
    createAccessRule: (input) =>
      change(input, async (trx, now) => {
        const rule = await addRule(trx, { accountId: input.caller.account.id, rule: input.body, now });
        return [rule, { action: 'access-rule.create', entity: entity(rule.name), details: { ...input.body } }];
      }),
    updateAccessRule: (input) =>
      change(input, async (trx, now) => {
        const { caller, params, body } = input;
        const rule = await replaceRule(trx, { accountId: caller.account.id, id: params.rule, rule: body, now });
        return [rule, { action: 'access-rule.update', entity: entity(rule.name), details: { ...body } }];
      }),
    deleteAccessRule: (input) =>
      change(input, async (trx) => {
        const { name } = await removeRule(trx, { accountId: input.caller.account.id, id: input.params.rule });
        return [null, { action: 'access-rule.delete', entity: entity(name) }];
      }),
    setAccessDefault: (input) =>
      change(input, async (trx) => {
        const { account } = input.caller;
        await setDefault(trx, account.id, input.body.default);
        const details = { ...input.body };
        return [null, { action: 'access-default.set', entity: { kind: 'account', name: account.name }, details }];
      }),
    previewAccessRules: ({ caller, body }) => previewChange(store.db, caller.account.id, body),
    async canI({ caller, query }) {
      const { entity: kind, action, runtime, namespace, name } = query;
      if (kind !== 'application') throw new ApiFailure('invalid', `there are no access rules on ${kind} yet`);
      const decision = await access.decide(caller, action, { runtime, namespace, name });
      return (
        decision ?? { allowed: false, because: `there is no application ${namespace}/${name} in runtime ${runtime}` }
      );
    },
  };
}
