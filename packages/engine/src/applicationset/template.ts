// Filling an Application template with parameters: `{{name}}` by name, or Go templates with sprig. Pure.
//
// The older form leaves unknown names as they stand; Go templates follow `goTemplateOptions` (missingkey=error).
import { randomBytes } from 'node:crypto';
import { systemClock, TerminalError } from '@fairlead/base';
import { isRecord } from '@fairlead/kube';
import { fromJson, sprigFunctions, TemplateSet } from '@fairlead/render';
import { flatten, normalizeName, type Parameters } from './parameters.ts';

export interface TemplateOptions {
  readonly isGo: boolean;
  readonly goOptions: readonly string[];
}

const hidden = ['env', 'expandenv', 'getHostByName'];

export function fillText(text: string, parameters: Parameters, options: TemplateOptions): string {
  if (!text.includes('{{')) return text;
  if (options.isGo) return fillGo(text, parameters, options);
  const flat = flatten(parameters);
  return text.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, name: string) => flat[name] ?? whole);
}

function fillGo(text: string, parameters: Parameters, { goOptions }: TemplateOptions): string {
  const isStrict = goOptions.some((option) => option.replaceAll(' ', '') === 'missingkey=error');
  const normalize = { params: ['string'], call: ([value]: unknown[]) => normalizeName(String(value)) };
  const sprig = sprigFunctions({ clock: systemClock, randomBytes, onUnreproducible: () => undefined });
  const functions = [...sprig].filter(([name]) => !hidden.includes(name));
  const set = new TemplateSet({
    functions: [...functions, ['normalize', normalize]],
    missingKey: isStrict ? 'error' : 'default',
  });
  try {
    set.add('template', text);
    return set.execute('template', fromJson(parameters));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TerminalError('applicationset_template', `failed to execute go template ${text}: ${reason}`, { cause });
  }
}

/** Every text of a value, keys too. */
export function fill(value: unknown, parameters: Parameters, options: TemplateOptions): unknown {
  if (typeof value === 'string') return fillText(value, parameters, options);
  if (Array.isArray(value)) return value.map((item) => fill(item, parameters, options));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    fillText(key, parameters, options),
    fill(inner, parameters, options),
  ]);
  return Object.fromEntries(entries);
}
