// Which repositories an AppProject allows (`spec.sourceRepos`). Deny rules (`!`) win. Pure.
import { normalizeRepositoryUrl } from '@fairlead/git';

export function matchesGlob(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/\*+/g, '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
}

export function permitsRepository(rules: readonly string[], url: string): boolean {
  const matches = (rule: string) =>
    rule === '*' || matchesGlob(normalizeRepositoryUrl(rule), normalizeRepositoryUrl(url));
  if (rules.some((rule) => rule.startsWith('!') && matches(rule.slice(1)))) return false;
  return rules.some((rule) => !rule.startsWith('!') && matches(rule));
}
