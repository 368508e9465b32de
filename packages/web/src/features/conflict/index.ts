export { type Conflict, conflictOf } from './conflict.ts';
export { Changes, ConflictNotice } from './conflict-notice.tsx';
