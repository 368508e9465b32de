export { type Answer, configMap, json, type ScriptedApi, scriptedApi, statusBody } from './scripted-api.ts';
