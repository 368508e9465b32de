// .helmignore: one pattern a line, `!` negates, a trailing slash means folders, no `**`.
import picomatch from 'picomatch';

interface Rule {
  readonly negate: boolean;
  readonly foldersOnly: boolean;
  readonly matches: (path: string) => boolean;
}

export function ignoreRules(content: string): (path: string, isFolder: boolean) => boolean {
  const rules = [...content.split('\n'), 'templates/.?*'].flatMap(parseRule);
  return (path, isFolder) => {
    for (const { negate, foldersOnly, matches } of rules) {
      if (negate) {
        if (foldersOnly && !isFolder) return true;
        if (!matches(path)) return true;
      } else if ((!foldersOnly || isFolder) && matches(path)) return true;
    }
    return false;
  };
}

function parseRule(line: string): Rule[] {
  let pattern = line.trim();
  if (pattern === '' || pattern.startsWith('#')) return [];
  const negate = pattern.startsWith('!');
  if (negate) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const options = { dot: true, nobrace: true, noextglob: true, noglobstar: true } as const;
  if (pattern.startsWith('/')) {
    const isMatch = picomatch(pattern.slice(1), options);
    return [{ negate, foldersOnly, matches: (path) => isMatch(path) }];
  }
  const isMatch = picomatch(pattern, options);
  if (pattern.includes('/')) return [{ negate, foldersOnly, matches: (path) => isMatch(path) }];
  return [{ negate, foldersOnly, matches: (path) => isMatch(path.split('/').at(-1) ?? '') }];
}
