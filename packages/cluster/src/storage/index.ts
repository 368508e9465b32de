export { type Committed, Store, type Stored, type StoreEvent, type StoreListener, type StoreOptions } from './store.ts';
