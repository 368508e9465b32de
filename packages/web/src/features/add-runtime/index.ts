export { AddRuntime } from './add-runtime.tsx';
export { ForgetRuntime, PendingRuntime } from './pending-runtime.tsx';
