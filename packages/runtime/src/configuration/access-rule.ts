// An access rule as people write it into a file. Pure: text → rule, or what is wrong and in which line.
import { type AccessRuleInput, AccessRuleManifest, accessRuleKind, checker } from '@fairlead/contracts';
import { load } from 'js-yaml';
import { layout } from './layout.ts';
import { writeManifest } from './manifest-text.ts';

/** Read by runtimes, applied to no cluster: no Application includes this folder. */
export const accessRulesFolder = `${layout.resources}/configurations/access-rules`;
export const accessRuleFile = (name: string): string => `${accessRulesFolder}/${name}.yaml`;

export type ReadRule =
  | { readonly ok: true; readonly rule: AccessRuleInput; readonly teamsLine: number }
  | { readonly ok: false; readonly line: number; readonly message: string };

const checkManifest = checker(AccessRuleManifest);

export function readAccessRule(text: string): ReadRule {
  let parsed: unknown;
  try {
    parsed = load(text);
  } catch (cause) {
    const { message = '', mark } = cause as { message?: string; mark?: { line?: number } };
    return refused((mark?.line ?? 0) + 1, `is not valid YAML: ${message.split('\n')[0]}`);
  }
  const checked = checkManifest(parsed);
  if (!checked.ok) {
    const [{ field, reason } = { field: '', reason: 'is no access rule' }] = checked.problems;
    const said = reason === 'schema is false' ? 'is no field of an access rule' : reason;
    return refused(lineOfField(text, field.split('.')), `${field || 'the file'} ${said}`);
  }
  const { metadata, spec } = checked.value;
  const { effect, teams, entity, actions, attributes = {} } = spec;
  const rule = { name: metadata.name, effect, teams, entity, actions, attributes };
  return { ok: true, rule, teamsLine: lineOfField(text, ['spec', 'teams']) };
}

export function writeAccessRule({ name, ...spec }: AccessRuleInput): string {
  return writeManifest({ ...accessRuleKind, metadata: { name }, spec });
}

const refused = (line: number, message: string): ReadRule => ({ ok: false, line, message });

/** The line (from 1) of the field at this path, or of the nearest one above it that is there: in flow style that is its line. */
function lineOfField(text: string, path: readonly string[]): number {
  const lines = text.split('\n');
  let at = -1;
  for (const part of path) {
    const next = /^\d+$/.test(part) ? nthItem(lines, at, Number(part)) : fieldAfter(lines, at, part);
    if (next === undefined) break;
    at = next;
  }
  return Math.max(at, 0) + 1;
}

function fieldAfter(lines: readonly string[], after: number, key: string): number | undefined {
  const isKey = (line: string) => /^\s*(?:- )?["']?([^"':]+)["']?\s*:/.exec(line)?.[1]?.trim() === key;
  const found = lines.findIndex((line, index) => index > after && isKey(line));
  return found < 0 ? undefined : found;
}

function nthItem(lines: readonly string[], after: number, nth: number): number | undefined {
  const items = lines.flatMap((line, index) => (index > after && /^\s*-\s/.test(line) ? [index] : []));
  return items[nth];
}
