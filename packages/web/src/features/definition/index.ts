export { Configuration } from './configuration.tsx';
export { CreatePage } from './create-page.tsx';
export { DeleteDialog } from './delete-dialog.tsx';
export { RollbackDialog } from './rollback-dialog.tsx';
export { RollbackToLast } from './rollback-to-last.tsx';
