// Go's text/template in TypeScript: a set of named templates that can call each other.
//
// Promises: output and error texts are those recorded from Go 1.26 (conformance/gotemplate) for the values modelled in value.ts; no host object, file or
// network is reachable; steps, output, nesting and time are bounded. Not here: complex numbers (refused), channels,
// range over functions, other delimiters than {{ and }}.

import type { Budget, MissingKey } from './environment.ts';
import { TemplateError, TemplateLimitError } from './errors.ts';
import { execute } from './exec.ts';
import { builtins } from './funcs/builtins.ts';
import { isEmptyTemplate, type ParsedTemplate, parse } from './parse.ts';
import type { ParsedTemplates } from './parsed-templates.ts';
import type { GoFunction, Value } from './value.ts';

export interface TemplateSetOptions {
  readonly functions?: Iterable<readonly [string, GoFunction]>;
  readonly missingKey?: MissingKey;
  readonly budget?: Budget;
  /** Where parsed templates are kept; `functionSet` stands for the names of the functions given. */
  readonly parsed?: { readonly templates: ParsedTemplates; readonly functionSet: string };
}

/**
 * Enough for a loop over a million lines with ten actions each. Helm lets a template include itself 1,000 times; the
 * stack of a render worker holds that, a smaller one ends with an error of its own.
 */
export const defaultBudget = (): Budget => ({ steps: 20_000_000, outputChars: 64 * 1024 * 1024, nesting: 2_500 });

// Go stops nested {{template}} calls at 100,000; the host's stack ends before that.
const maxTemplateDepth = 1_000;

export class TemplateSet {
  readonly #templates: Map<string, ParsedTemplate>;
  readonly #functions: Map<string, GoFunction>;
  readonly #options: TemplateSetOptions;
  readonly #budget: Budget;

  constructor(options: TemplateSetOptions = {}, templates: ReadonlyMap<string, ParsedTemplate> = new Map()) {
    this.#options = options;
    this.#templates = new Map(templates);
    this.#functions = new Map(Object.entries(builtins));
    for (const [name, called] of options.functions ?? []) this.#functions.set(name, called);
    this.#budget = options.budget ?? defaultBudget();
  }

  /** Adds a source; a definition that is only space does not replace one with content. */
  add(name: string, source: string): void {
    for (const template of this.#parse(name, source)) {
      const known = this.#templates.get(template.name);
      if (!known || !isEmptyTemplate(template.root) || template.name === name)
        this.#templates.set(template.name, template);
    }
  }

  #parse(name: string, source: string): readonly ParsedTemplate[] {
    const parseNow = () => parse({ name, source, hasFunction: (word) => this.#functions.has(word) });
    const { parsed } = this.#options;
    return parsed ? parsed.templates.get({ name, source, functions: parsed.functionSet }, parseNow) : parseNow();
  }

  has(name: string): boolean {
    return this.#templates.has(name);
  }

  /** A set of its own with the same templates: what is added there does not show here. */
  copy(functions: Iterable<readonly [string, GoFunction]> = []): TemplateSet {
    const merged = new Map(this.#functions);
    for (const [name, called] of functions) merged.set(name, called);
    return new TemplateSet({ ...this.#options, functions: merged, budget: this.#budget }, this.#templates);
  }

  execute(name: string, data: Value): string {
    const template = this.#templates.get(name);
    if (!template) throw new TemplateError(`template: no template "${name}" associated with template "gotpl"`);
    try {
      return execute(template, data, {
        templates: this.#templates,
        functions: this.#functions,
        missingKey: this.#options.missingKey ?? 'default',
        budget: this.#budget,
        maxDepth: maxTemplateDepth,
      });
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new TemplateLimitError(`template: ${name}: nesting exceeds what this renderer can hold`);
    }
  }
}
