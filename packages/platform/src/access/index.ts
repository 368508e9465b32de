export { Access } from './access.ts';
export { type GitQuestion, GitSight } from './git-sight.ts';
export { previewChange } from './preview.ts';
export { applyRuleFiles, isSameRule, reapplyRuleFiles, releaseRuleFiles } from './rule-files.ts';
export {
  type AccountRules,
  addRule,
  checkRule,
  forgetGitRights,
  readRules,
  removeRule,
  replaceRule,
  ruleById,
  setDefault,
} from './rules.ts';
export { shownSetup, withinSight } from './sight.ts';
