// Every field of the specs of Applications and AppProjects, with every kind of value that it cannot have: each is told by its name.
import type { Application } from '@fairlead/contracts';
import { isRecord, type KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../clusters/index.ts';
import { defaultProject } from '../project/index.ts';
import { checkSpec } from './app-spec.ts';

const helm = {
  valueFiles: ['values.yaml'],
  values: 'a: 1',
  valuesObject: { a: { b: 1 } },
  parameters: [{ name: 'a', value: '1', forceString: true }],
  fileParameters: [{ name: 'f', path: 'f.txt' }],
  releaseName: 'r',
  version: 'v3',
  namespace: 'n',
  kubeVersion: '1.33',
  apiVersions: ['v1'],
  skipCrds: true,
  skipTests: true,
  skipSchemaValidation: true,
  ignoreMissingValueFiles: true,
  passCredentials: true,
};
const kustomize = {
  namePrefix: 'p-',
  nameSuffix: '-s',
  namespace: 'n',
  version: 'v5',
  kubeVersion: '1.33',
  apiVersions: ['v1'],
  images: ['web=web:2'],
  components: ['../c'],
  replicas: [{ name: 'web', count: 2 }],
  patches: [{ path: 'p.yaml', patch: '[]', target: { kind: 'Deployment' }, options: { allowNameChange: true } }],
  commonLabels: { a: 'b' },
  commonAnnotations: { a: 'b' },
  forceCommonLabels: true,
  forceCommonAnnotations: true,
  commonAnnotationsEnvsubst: true,
  labelWithoutSelector: true,
  labelIncludeTemplates: true,
  ignoreMissingComponents: true,
};
const variables = [{ name: 'a', value: 'b', code: true }];
const full = {
  project: 'default',
  sources: [
    { repoURL: 'https://h/r', path: 'a', targetRevision: 'main', tagPrefix: 'v', name: 'one', ref: 'one', helm },
    { repoURL: 'https://h/r', path: 'b', kustomize },
    {
      repoURL: 'https://h/r',
      path: 'c',
      directory: {
        recurse: true,
        include: '*',
        exclude: 'x',
        jsonnet: { extVars: variables, tlas: variables, libs: ['l'] },
      },
      plugin: {
        name: 'p',
        env: [{ name: 'A', value: 'b' }],
        parameters: [{ name: 'a', string: 's', map: { a: 'b' }, array: ['x'] }],
      },
    },
  ],
  destination: { server: 'https://kubernetes.default.svc', namespace: 'n' },
  syncPolicy: {
    automated: { enabled: true, prune: true, selfHeal: true, allowEmpty: true },
    syncOptions: ['CreateNamespace=true'],
    managedNamespaceMetadata: { labels: { a: 'b' }, annotations: { a: 'b' } },
    retry: { limit: 3, refresh: true, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
  },
  ignoreDifferences: [
    {
      group: 'apps',
      kind: 'Deployment',
      name: 'web',
      namespace: 'n',
      jsonPointers: ['/spec'],
      jqPathExpressions: ['.spec'],
      managedFieldsManagers: ['hpa'],
    },
  ],
  info: [{ name: 'docs', value: 'https://docs.example' }],
  revisionHistoryLimit: 10,
};

type Path = readonly (string | number)[];

/** What may hold anything. */
const isOpen = (path: Path) => ['valuesObject', 'target', 'options'].includes(String(path.at(-1)));

function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = Array.isArray(value) ? [...value.entries()] : isRecord(value) ? Object.entries(value) : [];
  const below = isOpen(path) ? [] : inner.flatMap(([key, one]) => pathsIn(one, [...path, key]));
  return path.length === 0 ? below : [path, ...below];
}

function replaced(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong;
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? replaced(one, rest, wrong) : one));
  return isRecord(value) ? { ...value, [key]: replaced(value[key], rest, wrong) } : value;
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((sofar, key) => (sofar as Record<string | number, unknown>)[key], value); // paths of the value itself

const kindOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
const samples = ['text', 7.5, true, { a: 'b' }, ['a']];
/** A number of copies may be a text, too. */
const isAllowed = (path: Path, wrong: unknown) => path.at(-1) === 'count' && typeof wrong === 'string';

const own = { entry: { server: 'https://kubernetes.default.svc', name: 'in-cluster' } } as Cluster;
const check = (spec: unknown, project: KubeObject = defaultProject('argocd')) =>
  checkSpec(
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'app', namespace: 'argocd' },
      spec,
    } as Application, // that it is none is the point
    { projectOf: () => project, clusters: { find: () => ({ ok: true, cluster: own }) } },
  );
const problemsOf = (spec: unknown, project?: KubeObject) => {
  const checked = check(spec, project);
  return checked.ok ? [] : checked.problems.map(({ message }) => message);
};
/** `spec.sources[0].helm` and `spec.sources.0.helm` are both told. */
const plain = (text: string) => text.replaceAll(/\[(\d+)\]/g, '.$1');

describe('a spec', () => {
  it('with every field that there is is taken', () => {
    expect(problemsOf(full)).toEqual([]);
    expect(pathsIn(full).length).toBeGreaterThan(120);
  });

  it('with a value of another type is refused by the name of the field, whichever it is', () => {
    const missed = pathsIn(full).flatMap((path) => {
      const wrongs = samples.filter((sample) => kindOf(sample) !== kindOf(at(full, path)) && !isAllowed(path, sample));
      return wrongs.flatMap((wrong) => {
        const field = `spec.${path.join('.')}`;
        const told = problemsOf(replaced(full, path, wrong)).some((message) => plain(message).startsWith(field));
        return told ? [] : [`${field} = ${JSON.stringify(wrong)}`];
      });
    });
    expect(missed).toEqual([]);
  });

  it.each<[object, RegExp]>([
    [
      { syncPolicy: { retry: { backoff: { duration: 'soon' } } } },
      /backoff\.duration: "soon" is no duration; allowed: e\.g\. 5s/,
    ],
    [{ syncPolicy: { retry: { backoff: { maxDuration: '-5s' } } } }, /backoff\.maxDuration: "-5s" is no duration/],
    [{ syncPolicy: { retry: { backoff: { factor: 0 } } } }, /backoff\.factor: must be 1 or more/],
    [{ revisionHistoryLimit: -1 }, /spec\.revisionHistoryLimit: must be 0 \(keep none\) or more/],
    [{ revisionHistoryLimit: 1.5 }, /spec\.revisionHistoryLimit: must be integer/],
    [{ sources: [], source: null }, /spec\.source/],
    [{ project: null }, /spec\.project/],
  ])('with a value that means nothing is refused: %j', (wrong, words) => {
    expect(problemsOf({ ...full, ...wrong }).join('\n')).toMatch(words);
  });

  it('with a JSON pointer that is none goes on, and is told of it', () => {
    const checked = check({
      ...full,
      ignoreDifferences: [{ kind: 'X', jsonPointers: ['/spec', '', 'spec/replicas'] }],
    });
    const message =
      'spec.ignoreDifferences[0].jsonPointers[2]: "spec/replicas" is no JSON pointer; allowed: e.g. /spec/replicas';
    expect(checked).toMatchObject({ ok: true, warnings: [{ type: 'InvalidSpecWarning', message }] });
    expect(check(full)).toMatchObject({ ok: true, warnings: [] });
  });

  it('may hold null where nothing is meant', () => {
    const [first] = full.sources;
    expect(
      problemsOf({ ...full, sources: [{ ...first, helm: { ...helm, parameters: null, valuesObject: null } }] }),
    ).toEqual([]);
  });
});

const kinds = [{ group: 'apps', kind: 'Deployment' }];
const limits = {
  description: 'd',
  sourceRepos: ['*'],
  sourceNamespaces: ['n'],
  destinations: [{ server: '*', name: 'in-cluster', namespace: '*' }],
  clusterResourceWhitelist: [{ group: '*', kind: '*', name: '*' }],
  clusterResourceBlacklist: kinds,
  namespaceResourceWhitelist: kinds,
  namespaceResourceBlacklist: kinds,
  roles: [{ name: 'ci', description: 'd', policies: [''], groups: ['g'], jwtTokens: [{ iat: 1, exp: 2, id: 'a' }] }],
  syncWindows: [
    {
      kind: 'allow',
      schedule: '* * * * *',
      duration: '1h',
      timeZone: 'UTC',
      description: 'd',
      applications: ['*'],
      namespaces: ['*'],
      clusters: ['*'],
      manualSync: true,
      andOperator: true,
      syncOverrun: true,
    },
  ],
  orphanedResources: { warn: true, ignore: [{ group: 'apps', kind: 'Deployment', name: 'x' }] },
  permitOnlyProjectScopedClusters: false,
};
const projectOf = (spec: unknown): KubeObject => ({ ...defaultProject('argocd'), spec });

describe('a project', () => {
  it('with every field that there is is taken', () => {
    expect(problemsOf(full, projectOf(limits))).toEqual([]);
  });

  it('with a value of another type is named to its applications, and keeps them from being synced past it', () => {
    const missed = pathsIn(limits).flatMap((path) =>
      samples
        .filter((sample) => kindOf(sample) !== kindOf(at(limits, path)))
        .filter((wrong) => {
          const told = problemsOf(full, projectOf(replaced(limits, path, wrong)));
          return !told.some((message) => plain(message).startsWith(`project 'default': spec.${path.join('.')}`));
        })
        .map((wrong) => `${path.join('.')} = ${JSON.stringify(wrong)}`),
    );
    expect(missed).toEqual([]);
  });

  it('that permits its own clusters only permits no other', () => {
    expect(problemsOf(full, projectOf({ ...limits, permitOnlyProjectScopedClusters: true }))).toEqual([
      expect.stringContaining('do not match any of the allowed destinations'),
    ]);
  });
});
