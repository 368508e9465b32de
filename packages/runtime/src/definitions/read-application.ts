// A text that should be one Application: what it says, or what is wrong with it, by field. Pure.
import { Application, type ApplicationProblem, argoApiVersion, checker } from '@fairlead/contracts';
import { parseDocuments, RenderError } from '@fairlead/render';

type Json = Readonly<Record<string, unknown>>;

export interface ReadText {
  /** Absent while it has errors of shape. */
  readonly application?: Application;
  readonly problems: readonly ApplicationProblem[];
}

const checkApplication = checker(Application);
const dnsName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const problem = (field: string, reason: string, remedy?: string): ApplicationProblem => ({
  field,
  reason,
  ...(remedy ? { remedy } : {}),
  severity: 'error',
});
export const warning = (field: string, reason: string, remedy?: string): ApplicationProblem => ({
  ...problem(field, reason, remedy),
  severity: 'warning',
});

/** The documents of a file, or the one problem that keeps it from being read. */
export function readDocuments(text: string): {
  documents: readonly unknown[];
  problems: readonly ApplicationProblem[];
} {
  try {
    return { documents: parseDocuments(text, 'manifest'), problems: [] };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const [, line, reason] = /^manifest:(\d+): (.*)$/s.exec(error.message) ?? [];
    const found = problem('', `is not valid YAML: ${reason ?? error.message}`, 'Correct the YAML at this line');
    return { documents: [], problems: [line ? { ...found, line: Number(line) } : found] };
  }
}

export const isApplication = (document: unknown): document is Json =>
  isRecord(document) && document['kind'] === 'Application' && String(document['apiVersion']).startsWith('argoproj.io/');

/** `namespace` is filled in where the text names none. */
export function readApplication(text: string, { namespace }: { namespace: string }): ReadText {
  const { documents, problems } = readDocuments(text);
  if (problems.length > 0) return { problems };
  const [document] = documents;
  if (documents.length !== 1 || !isRecord(document)) {
    return { problems: [problem('', `holds ${documents.length} manifests`, 'Give exactly one Application')] };
  }
  return checkShape(document, namespace);
}

export function checkShape(document: Json, namespace: string): ReadText {
  if (!isApplication(document) || document['apiVersion'] !== argoApiVersion) {
    const found = `${String(document['apiVersion'])} ${String(document['kind'])}`;
    const remedy = `Set apiVersion: ${argoApiVersion} and kind: Application`;
    return { problems: [problem(document['kind'] === 'Application' ? 'apiVersion' : 'kind', `is ${found}`, remedy)] };
  }
  const metadata = isRecord(document['metadata']) ? document['metadata'] : {};
  const filled = { ...document, metadata: { ...metadata, namespace: metadata['namespace'] ?? namespace } };
  const checked = checkApplication(filled);
  if (!checked.ok) {
    const remedy = 'See the fields of an Argo CD Application';
    return { problems: checked.problems.map(({ field, reason }) => problem(field, reason, remedy)) };
  }
  const application = checked.value;
  const problems = [...nameProblems(application, namespace), ...sourceProblems(application)];
  return problems.some(({ severity }) => severity === 'error') ? { problems } : { application, problems };
}

function nameProblems({ metadata }: Application, namespace: string): ApplicationProblem[] {
  const found: ApplicationProblem[] = [];
  if (!dnsName.test(metadata.name)) {
    const remedy = 'Use lower-case letters, digits, "-" and ".", beginning and ending with a letter or digit';
    found.push(problem('metadata.name', `${JSON.stringify(metadata.name)} is not a name Kubernetes takes`, remedy));
  }
  if (metadata.namespace !== namespace) {
    const remedy = `Set metadata.namespace to ${namespace}, or leave it out`;
    found.push(problem('metadata.namespace', `is ${metadata.namespace}; Applications live in ${namespace}`, remedy));
  }
  return found;
}

function sourceProblems({ spec }: Application): ApplicationProblem[] {
  const { source, sources = [], destination } = spec;
  const found: ApplicationProblem[] = [];
  if (!source && sources.length === 0) {
    found.push(problem('spec.source', 'is missing', 'Say what to deploy: repoURL with path or chart'));
  }
  if (source && !source.chart && source.path === undefined) {
    found.push(problem('spec.source.path', 'is missing', 'Give the folder to deploy; "." is the root'));
  }
  if (!destination.server && !destination.name) {
    found.push(problem('spec.destination', 'names no cluster', 'Give server or name of the target cluster'));
  }
  if (destination.server && destination.name) {
    found.push(problem('spec.destination', 'names a server and a name', 'Give only one of them'));
  }
  if (destination.namespace && !dnsLabel.test(destination.namespace)) {
    const remedy = 'Use lower-case letters, digits and "-", at most 63, beginning and ending with a letter or digit';
    const reason = `${JSON.stringify(destination.namespace)} is not a namespace Kubernetes takes`;
    found.push(problem('spec.destination.namespace', reason, remedy));
  }
  if (!destination.namespace) {
    found.push(warning('spec.destination.namespace', 'is missing', 'Give it unless every manifest names its own'));
  }
  return found;
}
