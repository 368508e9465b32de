import type { Migration } from 'kysely';
import { firstTables } from './0001-first-tables.ts';
import { past } from './0002-past.ts';
import { listIndexes } from './0003-lists.ts';
import { peopleAndAudit } from './0004-people.ts';
import { accessRules } from './0005-access.ts';
import { entities } from './0006-entities.ts';
import { setup } from './0007-setup.ts';
import { runtimeAccess } from './0008-runtime-access.ts';
import { accessRuleFiles } from './0009-rule-files.ts';
import { notificationTables } from './0010-notifications.ts';
import { webhookTables } from './0011-webhooks.ts';
import { fewerKeyChecks } from './0012-fewer-key-checks.ts';
import { workloads } from './0013-workloads.ts';
import { gitTokenEndsTable } from './0014-git-token-ends.ts';
import { rowsAsText } from './0015-rows-as-text.ts';
import { gitRights } from './0016-git-rights.ts';

/** In order, forward only. One that has run anywhere is never edited: add the next. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-past': past,
  '0003-lists': listIndexes,
  '0004-people': peopleAndAudit,
  '0005-access': accessRules,
  '0006-entities': entities,
  '0007-setup': setup,
  '0008-runtime-access': runtimeAccess,
  '0009-rule-files': accessRuleFiles,
  '0010-notifications': notificationTables,
  '0011-webhooks': webhookTables,
  '0012-fewer-key-checks': fewerKeyChecks,
  '0013-workloads': workloads,
  '0014-git-token-ends': gitTokenEndsTable,
  '0015-rows-as-text': rowsAsText,
  '0016-git-rights': gitRights,
};
