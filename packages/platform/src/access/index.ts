export { Access } from './access.ts';
export { previewChange } from './preview.ts';
export { applyRuleFiles, isSameRule, reapplyRuleFiles, releaseRuleFiles } from './rule-files.ts';
export { addRule, checkRule, readRules, removeRule, replaceRule, ruleById, setDefault } from './rules.ts';
export { shownSetup, withinSight } from './sight.ts';
