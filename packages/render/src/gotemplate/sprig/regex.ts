import { RE2JS } from 're2js';
import { CallError } from '../errors.ts';
import { quoteGo } from '../quote.ts';
import { strings } from '../value.ts';
import { define, type Functions, maxText, refuseOver, text, whole } from './define.ts';

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    throw new CallError(cause instanceof Error ? cause.message : `error parsing regexp: ${quoteGo(pattern)}`);
  }
}

/** MustCompile panics; text/template hands the panic on as an error. */
function mustCompile(pattern: string): RE2JS {
  try {
    return compile(pattern);
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    const shown = /[`\p{Cc}]/u.test(pattern) ? quoteGo(pattern) : `\`${pattern}\``;
    throw new CallError(`regexp: Compile(${shown}): ${cause.message}`);
  }
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
  readonly named: (name: string) => string | undefined;
}

function* matches(pattern: RE2JS, value: string): Generator<Match> {
  const matcher = pattern.matcher(value);
  let at = 0;
  let lastEnd = -1;
  while (at <= value.length && matcher.find(at)) {
    const [start, end] = [matcher.start(), matcher.end()];
    // An empty match right behind the last one does not count.
    if (!(start === end && start === lastEnd)) {
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
      yield { start, end, groups, named: (name) => namedGroup(matcher, name) };
      lastEnd = end;
    }
    at = end > start ? end : end + ((value.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
}

function namedGroup(matcher: ReturnType<RE2JS['matcher']>, name: string): string | undefined {
  try {
    return matcher.group(name) ?? undefined;
  } catch {
    // No group of that name: it expands to nothing.
    return undefined;
  }
}

function expand(template: string, match: Match): string {
  return template.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    if (name === undefined) return whole === '$$' ? '$' : whole;
    return (/^\d+$/.test(name) ? match.groups[Number(name)] : match.named(name)) ?? '';
  });
}

function replaceAll(pattern: RE2JS, value: string, replacement: (match: Match) => string): string {
  let replaced = '';
  let from = 0;
  for (const match of matches(pattern, value)) {
    replaced += value.slice(from, match.start) + replacement(match);
    refuseOver(replaced.length, maxText, 'regexReplaceAll');
    from = match.end;
  }
  return replaced + value.slice(from);
}

function findAll(pattern: RE2JS, value: string, limit: number): string[] {
  const found: string[] = [];
  if (limit === 0) return found;
  for (const { groups } of matches(pattern, value)) {
    found.push(groups[0] ?? '');
    if (limit > 0 && found.length >= limit) break;
  }
  return found;
}

function split(pattern: RE2JS, value: string, limit: number): string[] {
  if (limit === 0) return [];
  const parts: string[] = [];
  let [from, end] = [0, 0];
  for (const match of matches(pattern, value)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(value.slice(from, end));
    from = match.end;
  }
  if (end !== value.length) parts.push(value.slice(from));
  return parts;
}

type Compile = (pattern: string) => RE2JS;

function forms(prefix: string, compiled: Compile): Functions {
  const name = (base: string) => (prefix === '' ? base : `${prefix}${base[0]?.toUpperCase()}${base.slice(1)}`);
  return {
    [name('regexFindAll')]: define('string string int', ([pattern, value, limit]) =>
      strings(findAll(compiled(text(pattern)), text(value), whole(limit))),
    ),
    [name('regexFind')]: define(
      'string string',
      ([pattern, value]) => findAll(compiled(text(pattern)), text(value), 1)[0] ?? '',
    ),
    [name('regexReplaceAll')]: define('string string string', ([pattern, value, by]) =>
      replaceAll(compiled(text(pattern)), text(value), (match) => expand(text(by), match)),
    ),
    [name('regexReplaceAllLiteral')]: define('string string string', ([pattern, value, by]) =>
      replaceAll(compiled(text(pattern)), text(value), () => text(by)),
    ),
    [name('regexSplit')]: define('string string int', ([pattern, value, limit]) =>
      strings(split(compiled(text(pattern)), text(value), whole(limit))),
    ),
  };
}

function isMatch(pattern: string, value: string): boolean {
  try {
    return compile(pattern).matcher(value).find();
  } catch (cause) {
    // regexMatch ignores a pattern that does not compile.
    if (cause instanceof CallError) return false;
    throw cause;
  }
}

export const regexFunctions: Functions = {
  regexMatch: define('string string', ([pattern, value]) => isMatch(text(pattern), text(value))),
  mustRegexMatch: define('string string', ([pattern, value]) => compile(text(pattern)).matcher(text(value)).find()),
  ...forms('', mustCompile),
  ...forms('must', compile),
  regexQuoteMeta: define('string', ([value]) => text(value).replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
};
