// Argo CD's build environment: `$ARGOCD_APP_NAME` and the like in Helm parameters and value files, and in the variables of
// Jsonnet. What a render looked up is an input of it; what it did not look up is none, so that a new commit or another
// repository costs nothing where nobody asked for them.
import type { ApplicationSource } from '@fairlead/contracts';
import { RenderError } from './errors.ts';

/** What is known of a build beside source and target. */
export interface BuildFacts {
  readonly project?: string | undefined;
  /** The commit, or the version of a chart. */
  readonly revision?: string | undefined;
}

interface BuildTarget {
  readonly releaseName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
}

/** Variables by name; undefined where the one who renders does not know. */
export type BuildEnvironment = Readonly<Record<string, string | undefined>>;

export function buildEnvironment(
  source: ApplicationSource,
  target: BuildTarget,
  { project, revision }: BuildFacts = {},
): BuildEnvironment {
  return {
    ARGOCD_APP_NAME: target.releaseName,
    ARGOCD_APP_NAMESPACE: target.namespace,
    ARGOCD_APP_PROJECT_NAME: project,
    ARGOCD_APP_REVISION: revision,
    ARGOCD_APP_REVISION_SHORT: revision?.slice(0, 7),
    ARGOCD_APP_REVISION_SHORT_8: revision?.slice(0, 8),
    ARGOCD_APP_SOURCE_REPO_URL: source.repoURL,
    ARGOCD_APP_SOURCE_PATH: source.path ?? '',
    ARGOCD_APP_SOURCE_TARGET_REVISION: source.targetRevision ?? '',
    KUBE_VERSION: target.kubeVersion ?? '',
    KUBE_API_VERSIONS: (target.apiVersions ?? []).join(','),
  };
}

export class TracedEnvironment {
  readonly #known: BuildEnvironment;
  readonly #used = new Map<string, string>();

  constructor(known: BuildEnvironment) {
    this.#known = known;
  }

  /** As Go's os.Expand does it: `$name`, `${name}`; `$$` is `$`; a name that nobody has set is nothing. */
  readonly expand = (text: string): string =>
    text.replace(/\$(?:\{([^}]*)\}|([*#$@!?\-0-9])|([A-Za-z_][A-Za-z0-9_]*)|\{)/g, (_whole, braced, special, name) =>
      this.#valueOf(String(braced ?? special ?? name ?? '')),
    );

  used(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #valueOf(name: string): string {
    if (name === '$') return '$';
    if (!Object.hasOwn(this.#known, name)) return '';
    const value = this.#known[name];
    if (value === undefined) throw new RenderError(`the build variable ${name} is not known here`);
    this.#used.set(name, value);
    return value;
  }
}

/** Whether a render that looked up `used` would find the same now. */
export const stillMeans = (used: Readonly<Record<string, string>>, known: BuildEnvironment): boolean =>
  Object.entries(used).every(([name, value]) => known[name] === value);

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The source with its variables replaced, where Argo CD replaces them. */
export function expandedSource(
  source: ApplicationSource,
  { expand }: Pick<TracedEnvironment, 'expand'>,
): ApplicationSource {
  const given: Fields = source;
  const member = (field: string) => (value: unknown) =>
    isFields(value) && typeof value[field] === 'string' ? { ...value, [field]: expand(value[field]) } : value;
  const { helm, directory } = given;
  const jsonnet = isFields(directory) ? directory['jsonnet'] : undefined;
  const changed: Fields = {
    ...source,
    ...(isFields(helm) && {
      helm: {
        ...helm,
        ...each(helm, 'parameters', member('value')),
        ...each(helm, 'fileParameters', member('path')),
        ...each(helm, 'valueFiles', (file) => (typeof file === 'string' ? expandedFile(file, expand) : file)),
      },
    }),
    ...(isFields(directory) &&
      isFields(jsonnet) && {
        directory: {
          ...directory,
          jsonnet: {
            ...jsonnet,
            ...each(jsonnet, 'extVars', member('value')),
            ...each(jsonnet, 'tlas', member('value')),
          },
        },
      }),
  };
  return changed as ApplicationSource; // the same members, with other texts in them
}

/** `$name/…` at the beginning of a values file names a source, unless it is a variable. */
function expandedFile(file: string, expand: (text: string) => string): string {
  const [, source = '', rest = ''] = /^(\$(?!ARGOCD_|KUBE_|\{)[^/]*)(.*)$/s.exec(file) ?? [];
  return source === '' ? expand(file) : source + expand(rest);
}

function each(fields: Fields, name: string, change: (item: unknown) => unknown): Fields {
  const list = fields[name];
  return Array.isArray(list) ? { [name]: list.map(change) } : {};
}
