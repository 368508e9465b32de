export { Access } from './access.ts';
export { isSeen } from './evaluate.ts';
export { previewChange } from './preview.ts';
export { addRule, readRules, removeRule, replaceRule, setDefault } from './rules.ts';
