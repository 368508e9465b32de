// A chart with its values → the text of each template. Templates of all charts share one space of names; a parent's
// definition wins over a subchart's.
import { RenderError } from '../errors.ts';
import {
  type Budget,
  type GoFunction,
  GoMap,
  type GoStruct,
  type ParsedTemplates,
  TemplateError,
  TemplateSet,
  type Value,
} from '../gotemplate/index.ts';
import { type Chart, chartPath } from './chart.ts';
import { chartObject } from './chart-object.ts';
import { filesObject } from './files-object.ts';
import { templateFunctions } from './functions.ts';

export interface EngineInput {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly release: GoMap;
  readonly capabilities: GoStruct;
  readonly functions: Iterable<readonly [string, GoFunction]>;
  readonly budget: Budget;
  readonly parsed?: ParsedTemplates | undefined;
}

export interface RenderedFile {
  readonly name: string;
  readonly text: string;
}

interface Renderable {
  readonly source: string;
  readonly data: GoMap;
  readonly basePath: string;
}

const valuesType = 'chartutil.Values';

export function renderTemplates(input: EngineInput): RenderedFile[] {
  const templates = new Map<string, Renderable>();
  gather(input, input.chart, { parentPath: '', values: input.values, isRoot: true, templates });
  const current = { name: '' };
  const holder: { set?: TemplateSet } = {};
  const set: TemplateSet = new TemplateSet({
    functions: [
      ...input.functions,
      ...templateFunctions(
        () => holder.set ?? set,
        new Map(),
        () => current.name,
      ),
    ],
    missingKey: 'zero',
    budget: input.budget,
    ...(input.parsed && { parsed: { templates: input.parsed, functionSet: 'helm' } }),
  });
  holder.set = set;
  const names = [...templates.keys()].sort(deepestFirst);
  for (const name of names) attempt(() => set.add(name, templates.get(name)?.source ?? ''), name);
  return names.filter(isManifest).map((name) => {
    current.name = name;
    const renderable = templates.get(name);
    const data = new GoMap(renderable?.data.entries ?? [], valuesType);
    data.entries.set('Template', templateObject(name, renderable?.basePath ?? ''));
    return { name, text: attempt(() => set.execute(name, data), name).replaceAll('<no value>', '') };
  });
}

const isManifest = (name: string): boolean => !(name.split('/').at(-1) ?? '').startsWith('_');

const templateObject = (name: string, basePath: string): GoMap =>
  new GoMap(
    [
      ['Name', name],
      ['BasePath', basePath],
    ],
    valuesType,
  );

/** Helm parses deep paths first, each level in reverse order, so that what is parsed later replaces it. */
function deepestFirst(a: string, b: string): number {
  const [left, right] = [a.split('/').length, b.split('/').length];
  if (left !== right) return right - left;
  return a < b ? 1 : -1;
}

interface Level {
  readonly parentPath: string;
  readonly values: Value;
  readonly isRoot: boolean;
  readonly templates: Map<string, Renderable>;
}

function gather(input: EngineInput, chart: Chart, level: Level): GoMap {
  const path = chartPath(level.parentPath, chart.metadata.name);
  const values = level.values instanceof GoMap ? level.values : new GoMap();
  const subcharts = new GoMap();
  const named = new GoMap([], valuesType);
  for (const [key, value] of values.entries) named.entries.set(key, value);
  const data = new GoMap([
    ['Chart', chartObject(chart, level.isRoot)],
    ['Files', filesObject(chart.files)],
    ['Release', input.release],
    ['Capabilities', input.capabilities],
    ['Values', named],
    ['Subcharts', subcharts],
  ]);
  for (const subchart of chart.dependencies) {
    const { name } = subchart.metadata;
    const inner = gather(input, subchart, {
      ...level,
      parentPath: path,
      values: values.entries.get(name),
      isRoot: false,
    });
    subcharts.entries.set(name, inner);
  }
  for (const { name, content } of chart.templates) {
    if (chart.metadata.type === 'library' && isManifest(name)) continue;
    level.templates.set(`${path}/${name}`, { source: content.toString('utf8'), data, basePath: `${path}/templates` });
  }
  return data;
}

function attempt<T>(work: () => T, name: string): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    throw new RenderError(readable(cause.message, name), { cause });
  }
}

/** What a chart's author wrote (`fail`, `required`) is shown alone, with the place where it was said. */
function readable(message: string, name: string): string {
  const [, location, rest] = /^template: (.*?): (.*)$/s.exec(message) ?? [];
  if (location === undefined || rest === undefined) return `${name}: ${message}`;
  const said = /HELM_ERR_START(.*)HELM_ERR_END/s.exec(rest)?.[1];
  if (said !== undefined) return `execution error at (${location}): ${said}`;
  return rest.startsWith('executing ') ? message : `parse error at (${location}): ${rest}`;
}
