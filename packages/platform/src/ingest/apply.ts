// Writes accepted reports, in one transaction: the only writer of reported state. An object is taken only when its
// (epoch, sequence) is newer than what is stored, so that delivering it again, late or in another order changes nothing.
import { type SqlBool, sql } from 'kysely';
import { applyRuleFiles, releaseRuleFiles } from '../access/index.ts';
import { type News, notify, syncNews } from '../notifications/index.ts';
import {
  type FailedDeployment,
  keepContents,
  type NewVersion,
  recordDeployments,
  recordVersions,
  type SeenApplication,
  type SeenReport,
} from '../past/index.ts';
import { recordChanges, setHeard, type Transaction } from '../store/index.ts';
import type { AcceptedObject } from './accept.ts';
import { projectObjects } from './application-rows.ts';
import {
  type DeploymentHashes,
  deploymentHashes,
  idOf,
  isNewer,
  type Known,
  type Reports,
  type StampedObject,
  stampRows,
  storedBefore,
  storeObjects,
} from './stored-objects.ts';

export interface Applied {
  readonly applied: number;
  readonly ignored: number;
  readonly missingContents: string[];
}

export async function applyReports(trx: Transaction, reports: Reports): Promise<Applied> {
  const { runtime, objects, named, now } = reports;
  const before = await storedBefore(trx, reports);
  const hashes = deploymentHashes(reports);
  const stored = stampRows(reports, before, hashes);
  const taken = await storeObjects(trx, stored);
  const { changes, news } = await projectObjects(trx, taken, reports);
  const contents = new Map(reports.contents);
  await recordVersions(trx, newVersions(stored, taken, before), { runtime, contents });
  await keepContents(trx, { accountId: runtime.accountId, contents, named, now });
  const failed = await recordDeployments(trx, runtime, seenApplications(reports, { taken, before, hashes }));
  news.push(...failed.flatMap((each) => failureNews(each, reports)));
  const missingContents = await missingAmong(trx, runtime.accountId, unsent(named, contents));
  await setHeard(trx, runtime.id, now);
  changes.push(...(await applyRules(trx, taken, reports)));
  changes.push(...(await notify(trx, news, now)));
  await recordChanges(trx, changes, now);
  return { applied: taken.length, ignored: objects.length - taken.length, missingContents };
}

/** What failed long ago is no news: the engine's history tells of it when a runtime is first seen. */
const newsForMs = 15 * 60_000;

function failureNews({ key, startedAt, finishedAt, message }: FailedDeployment, { runtime, now }: Reports): News[] {
  if (now.getTime() - Date.parse(finishedAt ?? startedAt) > newsForMs) return [];
  const [namespace = '', name = ''] = key.split('/');
  const seen = { accountId: runtime.accountId, runtimeId: runtime.id, runtime: runtime.name, namespace, name };
  return [syncNews(seen, { startedAt, message })];
}

/** Late in the transaction: it locks the account and its audit chain. */
async function applyRules(trx: Transaction, taken: readonly AcceptedObject[], { runtime, now }: Reports) {
  const object = taken.find(({ kind }) => kind === 'access-rules');
  if (!object) return [];
  if ('accessRules' in object) return applyRuleFiles(trx, object.accessRules, { runtime, now });
  await releaseRuleFiles(trx, runtime);
  return [];
}

function newVersions(stamped: readonly StampedObject[], taken: readonly AcceptedObject[], before: Known): NewVersion[] {
  const isTaken = new Set(taken);
  return stamped.flatMap(({ object, versionAt }) => {
    const isKnown = before.get(idOf(object))?.version_hash === object.hash;
    if (object.kind !== 'application' || !isTaken.has(object) || isKnown) return [];
    const { key, uid, epoch, sequence } = object;
    return [
      { key, uid, epoch, sequence, at: versionAt, report: 'application' in object ? object.application : undefined },
    ];
  });
}

interface Judged {
  readonly taken: readonly AcceptedObject[];
  readonly before: Known;
  readonly hashes: DeploymentHashes;
}

/** Of every object of the batch, also of those that a newer one in it overtook: each may tell of an operation's end. */
function seenApplications({ objects }: Reports, { taken, before, hashes }: Judged): SeenApplication[] {
  const takenIds = new Set(taken.map(idOf));
  const inOrder = [...objects].sort((a, b) => (isNewer(a, b) ? 1 : -1));
  const seen = new Map<string, { key: string; uid: string; reports: SeenReport[] }>();
  for (const object of inOrder) {
    if (!('application' in object)) continue;
    const known = before.get(idOf(object));
    const isLate = !takenIds.has(idOf(object)) || (known !== undefined && !isNewer(object, known));
    if (known?.deployments_hash === hashes.get(object)) continue;
    const id = `${object.key} ${object.uid}`;
    const one = seen.get(id) ?? { key: object.key, uid: object.uid, reports: [] };
    one.reports.push({ report: object.application, isLate });
    seen.set(id, one);
  }
  return [...seen.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const unsent = (named: ReadonlySet<string>, contents: ReadonlyMap<string, string>) =>
  [...named].filter((hash) => !contents.has(hash));

async function missingAmong(trx: Transaction, accountId: string, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const stored = await trx
    .selectFrom('contents')
    .select('hash')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`hash = any(${hashes})`)
    .execute();
  const present = new Set(stored.map(({ hash }) => hash));
  return hashes.filter((hash) => !present.has(hash));
}
