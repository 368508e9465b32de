// Generators: from an ApplicationSet's spec to lists of parameters. What they read (clusters, repositories) is given, so
// that everything else is a function of values. A generator that fails makes the whole ApplicationSet fail: deleting
// applications because a repository could not be read must be impossible.
import { TerminalError } from '@fairlead/base';
import { checker, GeneratorShape } from '@fairlead/contracts';
import {
  isRecord,
  type LabelSelector,
  listAt,
  matchesSelector,
  recordAt,
  selectorOf,
  stringAt,
  valueAt,
} from '@fairlead/kube';
import { parseDocuments } from '@fairlead/render';
import type { ClusterEntry } from '../clusters/index.ts';
import { gitDirectories, gitFiles, type RepositoryReader } from './git-generator.ts';
import { flatten, normalizeName, type Parameters } from './parameters.ts';
import { type PullRequestReader, PullRequestSpecError, pullRequestParameters } from './pull-request-generator.ts';
import { fill, type TemplateOptions } from './template.ts';

export interface GeneratorContext extends RepositoryReader, PullRequestReader {
  readonly clusters: () => readonly ClusterEntry[];
  readonly template: TemplateOptions;
}

const known = ['list', 'clusters', 'git', 'pullRequest', 'matrix', 'merge'];
/** Applications one set may make. */
const maxParameters = 10_000;

const checkGenerator = checker(GeneratorShape);

/** A field that is null is one that is not there. */
export const withoutNulls = (spec: object): unknown =>
  JSON.parse(JSON.stringify(spec), (_key, value: unknown) => (value === null ? undefined : value));

export class GeneratorError extends TerminalError {
  constructor(at: string, reason: string) {
    super('applicationset_generator', `${at}: ${reason}`);
  }
}

export async function generate(generator: unknown, at: string, context: GeneratorContext): Promise<Parameters[]> {
  if (!isRecord(generator)) throw new GeneratorError(at, 'must be an object');
  const shape = checkGenerator(withoutNulls(generator));
  const [problem] = shape.ok ? [] : shape.problems;
  if (problem) throw new GeneratorError(`${at}.${problem.field}`, problem.reason);
  const kinds = Object.keys(generator).filter(
    (key) => !['selector', 'template'].includes(key) && generator[key] !== null,
  );
  const kind = kinds[0];
  if (kinds.length !== 1 || !kind || !known.includes(kind)) {
    const found = kinds.length > 0 ? kinds.join(', ') : 'none';
    throw new GeneratorError(at, `exactly one generator is needed, found ${found}; allowed: ${known.join(', ')}`);
  }
  const made = await byKind(kind, recordAt(generator, kind), { at: `${at}.${kind}`, context });
  if (made.length > maxParameters)
    throw new GeneratorError(at, `makes ${made.length} sets of parameters; at most ${maxParameters}`);
  return selected(made, generator['selector']);
}

function byKind(
  kind: string,
  spec: Readonly<Record<string, unknown>>,
  { at, context }: { at: string; context: GeneratorContext },
): Promise<Parameters[]> | Parameters[] {
  switch (kind) {
    case 'list':
      return listElements(spec, at);
    case 'clusters':
      return clusterParameters(spec, context);
    case 'git':
      return gitParameters(spec, at, context);
    case 'pullRequest':
      return pullRequests(spec, at, context);
    case 'matrix':
      return matrix(spec, at, context);
    default:
      return merge(spec, at, context);
  }
}

function selected(made: readonly Parameters[], selector: unknown): Parameters[] {
  if (!isRecord(selector)) return [...made];
  const requirements = selectorOf(selector as LabelSelector); // the API server has checked its form
  return made.filter((parameters) => matchesSelector(requirements, flatten(parameters)));
}

function listElements(spec: Readonly<Record<string, unknown>>, at: string): Parameters[] {
  const text = stringAt(spec, 'elementsYaml');
  const written = text ? parseDocuments(text, `${at}.elementsYaml`).flat() : [];
  return [...listAt(spec, 'elements'), ...written].map((element, index) => {
    if (!isRecord(element)) throw new GeneratorError(`${at}.elements[${index}]`, 'must be an object');
    return element;
  });
}

function withValues(
  parameters: Parameters,
  spec: Readonly<Record<string, unknown>>,
  { template }: GeneratorContext,
): Parameters {
  const values = spec['values'];
  return isRecord(values) ? { ...parameters, values: fill(values, parameters, template) } : parameters;
}

function clusterParameters(spec: Readonly<Record<string, unknown>>, context: GeneratorContext): Parameters[] {
  const selector = recordAt(spec, 'selector');
  const hasSelector = Object.keys(selector).length > 0;
  const requirements = selectorOf(selector as LabelSelector); // the API server has checked its form
  return context
    .clusters()
    .filter((entry) => !hasSelector || (entry.secretName !== undefined && matchesSelector(requirements, entry.labels)))
    .map(({ name, server, labels, annotations, project = '' }) => {
      const metadata = { labels, annotations };
      return withValues({ name, nameNormalized: normalizeName(name), server, project, metadata }, spec, context);
    });
}

async function gitParameters(
  spec: Readonly<Record<string, unknown>>,
  at: string,
  context: GeneratorContext,
): Promise<Parameters[]> {
  const isFiles = listAt(spec, 'files').length > 0;
  if (!isFiles && listAt(spec, 'directories').length === 0) throw new GeneratorError(at, 'needs directories or files');
  const made = await (isFiles ? gitFiles : gitDirectories)(spec, context);
  return made.map((parameters) => withValues(parameters, spec, context));
}

async function pullRequests(
  spec: Readonly<Record<string, unknown>>,
  at: string,
  context: GeneratorContext,
): Promise<Parameters[]> {
  try {
    const made = await pullRequestParameters(spec, context);
    return made.map((parameters) => withValues(parameters, spec, context));
  } catch (error) {
    if (error instanceof PullRequestSpecError) throw new GeneratorError(at, error.message);
    throw error;
  }
}

/** The second generator may use the parameters of the first. */
async function matrix(
  spec: Readonly<Record<string, unknown>>,
  at: string,
  context: GeneratorContext,
): Promise<Parameters[]> {
  const [first, second, ...more] = listAt(spec, 'generators');
  if (!first || !second || more.length > 0) throw new GeneratorError(`${at}.generators`, 'exactly two are needed');
  const found: Parameters[] = [];
  for (const outer of await generate(first, `${at}.generators[0]`, context)) {
    const filled = fill(second, outer, context.template);
    for (const inner of await generate(filled, `${at}.generators[1]`, context)) found.push({ ...outer, ...inner });
  }
  return found;
}

/** The first generator's sets, each overlaid by those of the others that have the same merge keys. */
async function merge(
  spec: Readonly<Record<string, unknown>>,
  at: string,
  context: GeneratorContext,
): Promise<Parameters[]> {
  const keys = listAt(spec, 'mergeKeys').filter((key) => typeof key === 'string');
  const children = listAt(spec, 'generators');
  if (keys.length === 0) throw new GeneratorError(`${at}.mergeKeys`, 'at least one is needed');
  if (children.length < 2) throw new GeneratorError(`${at}.generators`, 'at least two are needed');
  const keyOf = (parameters: Parameters) => {
    const flat = flatten(parameters);
    return JSON.stringify(keys.map((key) => flat[key] ?? null));
  };
  let base: Parameters[] = [];
  for (const [index, child] of children.entries()) {
    const made = await generate(child, `${at}.generators[${index}]`, context);
    const overlay = new Map(made.map((parameters) => [keyOf(parameters), parameters]));
    if (overlay.size < made.length)
      throw new GeneratorError(`${at}.generators[${index}]`, 'two sets have the same merge keys');
    base = index === 0 ? made : base.map((parameters) => ({ ...parameters, ...overlay.get(keyOf(parameters)) }));
  }
  return base;
}

/** Every generator of these, also within others. */
export function flatGenerators(generators: readonly unknown[]): unknown[] {
  return generators.flatMap((generator) => [
    generator,
    ...['matrix', 'merge'].flatMap((kind) => flatGenerators(listAt(valueAt(generator, kind), 'generators'))),
  ]);
}

/** Repositories whose pushes concern the generators. */
export function repositoriesOf(generators: readonly unknown[]): { url: string; revision: string }[] {
  return flatGenerators(generators).flatMap((generator) => {
    const url = stringAt(generator, 'git', 'repoURL');
    return url ? [{ url, revision: stringAt(generator, 'git', 'revision') ?? '' }] : [];
  });
}
