export {
  type Attachment,
  attachedHomes,
  attachmentOf,
  holdAttached,
  holderOf,
  keepAttachment,
  letGoAttached,
} from './attachment.ts';
export {
  databaseDirOf,
  type Endpoints,
  findHome,
  type Home,
  homeAt,
  prepareHome,
  readApiKey,
  readEndpoints,
  readJson,
  writeJson,
  writePrivate,
} from './home.ts';
export { endLeftBehind } from './left-behind.ts';
export {
  type RunningUp,
  readCommandLine,
  recordProcesses,
  releaseHome,
  runningUp,
  signalProcess,
  takeHome,
} from './lock.ts';
export {
  attachedHomeOf,
  prepareRuntimeHome,
  type RuntimeHome,
  type RuntimeState,
  removeRuntimeHome,
  runtimeHomeOf,
  runtimeHomes,
  stateOf,
  tellState,
  type Wanted,
  want,
  wantedOf,
} from './runtime-home.ts';
