import type { PullRequest } from '@fairlead/git';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import type { ClusterEntry } from '../clusters/index.ts';
import { desiredApplications } from './desired.ts';
import { changesFor } from './policy.ts';
import type { PullRequestQuestion } from './pull-request-generator.ts';

const cluster = (name: string, labels: Record<string, string>): ClusterEntry => ({
  server: `https://${name}`,
  name,
  labels,
  annotations: {},
  isInsecure: false,
  secretName: name,
});
const pull = (number: number, from: string, labels: string[] = []): PullRequest => ({
  number,
  state: 'open',
  title: `Change ${number}`,
  webUrl: '',
  from,
  into: 'main',
  headCommit: '0123456789'.repeat(4),
  labels,
  author: 'dana',
});
const asked: PullRequestQuestion[] = [];
const reader = {
  pullRequests: async (question: PullRequestQuestion) => {
    asked.push(question);
    return [pull(1, 'feature/Grün', ['preview']), pull(2, 'fix/x')];
  },
  secretValue: async (name: string, key: string) => `${name}/${key}`,

  clusters: () => [cluster('east', { env: 'prod' }), cluster('west_1', { env: 'dev' })],
  openTree: () => Promise.reject(new Error('no repository here')),
};
const set = (spec: object): KubeObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 's', namespace: 'argocd', uid: 'set-uid' },
  spec: { template: { metadata: { name: '{{name}}' }, spec: { project: 'default' } }, ...spec },
});
const namesOf = async (spec: object) =>
  (await desiredApplications(set(spec), 'argocd', reader)).map(({ metadata }) => metadata.name);
const list = (...elements: object[]) => ({ list: { elements } });

describe('generators', () => {
  it.each<[string, object, string[]]>([
    ['list', { generators: [list({ name: 'a' }, { name: 'b' })] }, ['a', 'b']],
    [
      'list with a selector',
      {
        generators: [{ ...list({ name: 'a', x: '1' }, { name: 'b', x: '2' }), selector: { matchLabels: { x: '2' } } }],
      },
      ['b'],
    ],
    ['all clusters', { generators: [{ clusters: {} }] }, ['east', 'west_1']],
    ['clusters by label', { generators: [{ clusters: { selector: { matchLabels: { env: 'dev' } } } }] }, ['west_1']],
    [
      'matrix, the second using the first',
      {
        generators: [
          { matrix: { generators: [list({ a: 'x' }, { a: 'y' }), list({ name: '{{a}}-1' }, { name: '{{a}}-2' })] } },
        ],
      },
      ['x-1', 'x-2', 'y-1', 'y-2'],
    ],
    [
      'merge by key',
      {
        template: { metadata: { name: '{{id}}-{{v}}' }, spec: {} },
        generators: [
          {
            merge: {
              mergeKeys: ['id'],
              generators: [list({ id: 'a', v: '1' }, { id: 'b', v: '1' }), list({ id: 'b', v: '2' })],
            },
          },
        ],
      },
      ['a-1', 'b-2'],
    ],
    [
      'Go templates with sprig',
      {
        goTemplate: true,
        template: {
          metadata: { name: '{{ .name | normalize }}-{{ .metadata.labels.env | upper | lower }}' },
          spec: {},
        },
        generators: [{ clusters: {} }],
      },
      ['east-prod', 'west-1-dev'],
    ],
  ])('%s', async (_, spec, names) => {
    expect(await namesOf(spec)).toEqual(names);
  });

  it.each<[object, string]>([
    [{ generators: [{}] }, 'spec.generators[0]: exactly one generator is needed, found none; allowed: list'],
    [{ generators: [{ plugin: {} }] }, 'found plugin'],
    [{ generators: [{ pullRequest: {} }] }, 'spec.generators[0].pullRequest: no provider; allowed: github, gitlab'],
    [{ generators: [{ pullRequest: { azuredevops: {} } }] }, 'azuredevops is not supported'],
    [
      { generators: [{ pullRequest: { github: { owner: 'a' } } }] },
      'spec.generators[0].pullRequest.github.repo: is required',
    ],
    [
      { generators: [{ pullRequest: { gitlab: { project: 'a' }, filters: [{ branchMatch: '(' }] } }] },
      'filters: branchMatch "("',
    ],
    [{ generators: [list({ name: 'a' }, { name: 'a' })] }, 'contains applications with duplicate name: a'],
    [{ generators: [{ merge: { generators: [] } }] }, 'spec.generators[0].merge.mergeKeys'],
    [
      {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        template: { metadata: { name: '{{ .nope }}' } },
        generators: [list({})],
      },
      'nope',
    ],
  ])('say what is wrong: %j', async (spec, message) => {
    await expect(namesOf(spec)).rejects.toThrow(message);
  });

  it('makes one application of each pull request that is wanted', async () => {
    const github = { owner: 'demo', repo: 'shop', labels: ['preview'], tokenRef: { secretName: 's', key: 'k' } };
    const template = { metadata: { name: '{{branch_slug}}-{{number}}-{{head_short_sha_7}}' }, spec: {} };
    expect(await namesOf({ template, generators: [{ pullRequest: { github } }] })).toEqual(['feature-grun-1-0123456']);
    expect(asked.at(-1)).toMatchObject({ account: { kind: 'github', token: 's/k' }, repository: 'demo/shop' });
    const filters = [{ branchMatch: '^fix/', targetBranchMatch: 'main' }, { titleMatch: 'never' }];
    const gitlab = { project: 'group/sub/shop', api: 'https://gitlab.example/' };
    expect(await namesOf({ template, generators: [{ pullRequest: { gitlab, filters } }] })).toEqual([
      'fix-x-2-0123456',
    ]);
    expect(asked.at(-1)).toMatchObject({
      account: { kind: 'gitlab', url: 'https://gitlab.example', token: '' },
      repository: 'group/sub/shop',
    });
    const go = { metadata: { name: '{{ .branch_slug }}-{{ index .labels 0 | default "none" }}' }, spec: {} };
    const spec = { goTemplate: true, template: go, generators: [{ pullRequest: { github } }] };
    expect(await namesOf(spec)).toEqual(['feature-grun-preview']);
  });

  it('patch the template per set of parameters', async () => {
    const templatePatch = 'spec:\n  syncPolicy:\n    automated: {prune: {{prune}}}\n';
    const [made] = await desiredApplications(
      set({ templatePatch, generators: [list({ name: 'a', prune: true })] }),
      'argocd',
      reader,
    );
    expect(made?.['spec']).toEqual({ project: 'default', syncPolicy: { automated: { prune: true } } });
    expect(made?.metadata.finalizers).toEqual(['resources-finalizer.argocd.argoproj.io']);
  });
});

describe('policies', () => {
  const made = (name: string, fields: object = {}): KubeObject => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'argocd',
      ownerReferences: [{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name: 's', uid: 'set-uid' }],
    },
    spec: {},
    ...fields,
  });
  it.each<[string, string[], string[]]>([
    ['sync', ['changed'], ['old']],
    ['create-only', [], []],
    ['create-update', ['changed'], []],
    ['create-delete', [], ['old']],
  ])('%s', (applicationsSync, updates, deletes) => {
    const changes = changesFor(
      set({ syncPolicy: { applicationsSync } }),
      [made('new'), made('changed', { spec: { a: 1 } }), made('same')],
      [made('changed'), made('same'), made('old'), { ...made('foreign'), metadata: { name: 'foreign' } }],
    );
    expect(changes.create.map(({ metadata }) => metadata.name)).toEqual(['new']);
    expect(changes.update.map(({ ref }) => ref.name)).toEqual(updates);
    expect(changes.remove.map(({ name }) => name)).toEqual(deletes);
  });
});

describe('a spec with a value of another type', () => {
  const generators = [list({ name: 'a' })];
  // Passed over, most of these would mean fewer applications than were asked for, and the others would be deleted.
  it.each<[string, object]>([
    ['spec.generators', { generators: 'all' }],
    ['spec.generators', { generators: { list: { elements: [] } } }],
    ['spec.generators', {}],
    ['spec.generators.0', { generators: ['all'] }],
    ['spec.generators[0].list.elements', { generators: [{ list: { elements: { name: 'a' } } }] }],
    ['spec.generators[0].list.elements.0', { generators: [{ list: { elements: ['a'] } }] }],
    ['spec.generators[0].selector', { generators: [{ ...list({ name: 'a' }), selector: 'x=1' }] }],
    ['spec.generators[0].selector.matchLabels', { generators: [{ ...list({}), selector: { matchLabels: ['x'] } }] }],
    ['spec.generators[0].clusters.selector', { generators: [{ clusters: { selector: ['prod'] } }] }],
    ['spec.generators[0].clusters.values', { generators: [{ clusters: { values: 'a' } }] }],
    [
      'spec.generators[0].git.directories',
      { generators: [{ git: { repoURL: 'https://h/r', directories: 'apps/*' } }] },
    ],
    [
      'spec.generators[0].git.directories.0.path',
      { generators: [{ git: { repoURL: 'https://h/r', directories: [{}] } }] },
    ],
    ['spec.generators[0].git.repoURL', { generators: [{ git: { files: [{ path: 'a' }] } }] }],
    ['spec.generators[0].matrix.generators', { generators: [{ matrix: { generators: 'both' } }] }],
    ['spec.generators[0].merge.mergeKeys', { generators: [{ merge: { mergeKeys: 'name', generators: [] } }] }],
    ...(
      [
        ['github', 'x'],
        ['github.owner', { github: { repo: 'r' } }],
        ['github.repo', { github: { owner: 'o', repo: 7 } }],
        ['github.tokenRef.key', { github: { owner: 'o', repo: 'r', tokenRef: { secretName: 's' } } }],
        ['github.labels', { github: { owner: 'o', repo: 'r', labels: 'preview' } }],
        ['gitlab.project', { gitlab: { project: 42 } }],
        ['gitea.api', { gitea: { owner: 'o', repo: 'r', api: true } }],
        ['bitbucket.basicAuth.username', { bitbucket: { owner: 'o', repo: 'r', basicAuth: {} } }],
        ['filters', { filters: { branchMatch: 'x' } }],
        ['filters.0.branchMatch', { filters: [{ branchMatch: ['x'] }] }],
        ['continueOnRepoNotFoundError', { continueOnRepoNotFoundError: 'yes' }],
        ['requeueAfterSeconds', { requeueAfterSeconds: '60' }],
      ] as const
    ).map(([field, pullRequest]): [string, object] => [
      `spec.generators[0].pullRequest.${field}`,
      { generators: [{ pullRequest: field === 'github' ? { github: pullRequest } : pullRequest }] },
    ]),
    ['spec.goTemplate', { generators, goTemplate: 'yes' }],
    ['spec.goTemplateOptions', { generators, goTemplateOptions: 'missingkey=error' }],
    ['spec.template', { generators, template: 'a' }],
    ['spec.templatePatch', { generators, templatePatch: { spec: {} } }],
    [
      'spec.syncPolicy.preserveResourcesOnDeletion',
      { generators, syncPolicy: { preserveResourcesOnDeletion: 'true' } },
    ],
    ['spec.syncPolicy.applicationsSync', { generators, syncPolicy: { applicationsSync: true } }],
    ['spec.strategy', { generators, strategy: 'RollingSync' }],
    ['spec.strategy.rollingSync.steps', { generators, strategy: { type: 'RollingSync', rollingSync: { steps: {} } } }],
    ['spec.preservedFields.labels', { generators, preservedFields: { labels: 'team' } }],
  ])('is refused by its name: %s in %j', async (field, spec) => {
    await expect(namesOf(spec)).rejects.toThrow(`${field}: `);
  });

  it('inside a matrix is refused by its place there', async () => {
    const matrix = { generators: [list({ name: 'a' }), { list: { elements: 'b' } }] };
    await expect(namesOf({ generators: [{ matrix }] })).rejects.toThrow(
      /spec\.generators\[0\]\.matrix\..*list\.elements: /,
    );
  });
});
