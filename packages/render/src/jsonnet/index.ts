export { evaluateFile, type JsonnetSettings, jsonnetSettingsOf } from './evaluate-file.ts';
