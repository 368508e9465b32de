export { type EngineSettings, parseSettings } from './argocd-cm.ts';
export { type PollTimes, pollTimes } from './poll-times.ts';
export { Settings } from './settings.ts';
