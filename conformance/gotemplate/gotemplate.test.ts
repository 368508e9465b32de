// What Go's text/template with sprig made of each case, and what ours makes of it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fromJson, sprigFunctions, TemplateError, TemplateSet } from '@fairlead/render';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly template: string;
  readonly output?: string;
  readonly error?: string;
}

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const recorded = JSON.parse(file('recorded.json')) as { tool: string; entries: readonly Entry[] }; // written by recorder/main.go
const functions = sprigFunctions({ clock: { now: () => 0 }, randomBytes, onUnreproducible: () => undefined });

function render(line: string): Entry {
  const [, option, rest] = /^#(zero|error)#(.*)$/su.exec(line) ?? [];
  const missingKey = option === 'zero' || option === 'error' ? option : 'default';
  const set = new TemplateSet({ functions, missingKey });
  try {
    set.add('case', (rest ?? line).replaceAll('⏎', '\n'));
    return { template: line, output: set.execute('case', fromJson(JSON.parse(file('data.json')))) };
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    return { template: line, error: cause.message };
  }
}

describe(`Go templates as ${recorded.tool} renders them`, () => {
  it('gives the same output or the same error for every recorded case', () => {
    const different = recorded.entries.filter(({ template, output = '', error = '' }) => {
      const ours = render(template);
      return (ours.output ?? '') !== output || (ours.error ?? '') !== error;
    });
    const equal = recorded.entries.length - different.length;
    console.log(`gotemplate: ${equal} of ${recorded.entries.length} recorded cases equal`);
    expect(different.slice(0, 20).map((entry) => ({ recorded: entry, ours: render(entry.template) }))).toEqual([]);
  });
});
