import { exportAudit, listAudit } from '../../audit/index.ts';
import { type HandlersOf, TextAnswer } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'listAudit' | 'exportAudit';

const defaultLimit = 100;

export function auditHandlers({ store: { db } }: HandlerDeps): HandlersOf<Names> {
  return {
    listAudit: ({ caller, query }) => listAudit(db, { accountId: caller.account.id, limit: defaultLimit, ...query }),
    async exportAudit({ caller, query }) {
      const { format = 'json', ...filter } = query;
      const text = await exportAudit(db, { accountId: caller.account.id, format, ...filter });
      return new TextAnswer(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson', text);
    },
  };
}
