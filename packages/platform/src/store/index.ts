export { type Caller, callerOfKey, callerOfSession, findUser } from './accounts.ts';
export { type ApplicationFilter, filterNames, isUnfiltered } from './application-filter.ts';
export {
  applicationAttributes,
  applicationRow,
  applicationRows,
  countApplications,
  listApplications,
  type Seen,
  summariseApplications,
} from './applications.ts';
export {
  type ChangeKey,
  changesAfter,
  newestChange,
  oldestChange,
  pruneChanges,
  recordAccessChange,
  recordChanges,
  type StoredChange,
} from './changes.ts';
export { BadCursorError } from './cursor.ts';
export { openStore, type Store, type Transaction } from './database.ts';
export { clusterRows, gitSourceRows } from './entities.ts';
export { isDataError, isStoreUnavailable } from './errors.ts';
export { countFacets } from './facets.ts';
export { forgetGitTokenEnd, gitTokensInNeed, keepGitTokenEnds } from './git-token-ends.ts';
export { insertRows, takenFromExcluded } from './insert-rows.ts';
export { ChangeListener } from './listener.ts';
export { manifestPlaces } from './manifest-places.ts';
export { migrate } from './migrate.ts';
export { decodePlace, encodePlace } from './place.ts';
export { Remembered } from './remembered.ts';
export {
  deleteRuntime,
  directRuntimes,
  findRuntime,
  forgetOldAccess,
  type RuntimeRecord,
  runtimeById,
  runtimeRow,
  runtimeRows,
  setHeard,
  setRuntimeAccess,
} from './runtimes.ts';
export type { AttributesBefore, Database } from './schema.ts';
export { searchEverything } from './search.ts';
export { isVisible, type Sight, seesEverything } from './visibility.ts';
export { forgetDeletedWorkloads, workloadDetails, workloadRows } from './workloads.ts';
