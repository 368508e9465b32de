export { type EngineSettings, parseSettings } from './argocd-cm.ts';
export { Settings } from './settings.ts';
