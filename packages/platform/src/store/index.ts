export { type AccountRecord, type Caller, findUser, type UserRecord } from './accounts.ts';
export {
  type ApplicationQuery,
  applicationRow,
  applicationRows,
  type ListedPage,
  listApplications,
  summariseApplications,
} from './applications.ts';
export { type ChangeKey, changeSpan, changesAfter, pruneChanges, recordChanges, type StoredChange } from './changes.ts';
export { BadCursorError } from './cursor.ts';
export { openStore, type Store, type StoreOptions, type Transaction } from './database.ts';
export { isDataError, isStoreUnavailable, StoreUnavailableError } from './errors.ts';
export { ChangeListener } from './listener.ts';
export { migrate } from './migrate.ts';
export {
  deleteRuntime,
  findRuntime,
  type RuntimeRecord,
  runtimeById,
  runtimeRow,
  runtimeRows,
  setHeard,
} from './runtimes.ts';
export type { Database } from './schema.ts';
