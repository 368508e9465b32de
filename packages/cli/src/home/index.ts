export {
  type Endpoints,
  findHome,
  type Home,
  homeAt,
  prepareHome,
  readApiKey,
  readEndpoints,
  readJson,
  writeJson,
} from './home.ts';
export { type RunningUp, recordProcesses, releaseHome, runningUp, takeHome } from './lock.ts';
