import type { ApplicationSource } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { TracedEnvironment } from './build-environment.ts';
import { Renderer, render } from './renderer.ts';
import { MemoryTree } from './testing.ts';

const braced = (name: string): string => `\${${name}}`;

describe('build variables', () => {
  it.each([
    [`$A-${braced('B')}`, 'a-b'],
    ['$A$B', 'ab'],
    [`$AB ${braced('AB')}`, ' '],
    ['$$A $$$A', '$A $a'],
    ['100$', '100$'],
    ['no variable', 'no variable'],
  ])('are replaced as os.Expand does it: %s', (text, expanded) => {
    expect(new TracedEnvironment({ A: 'a', B: 'b' }).expand(text)).toBe(expanded);
  });

  const tree = new MemoryTree({
    'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'c/templates/x.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {v: "{{ .Values.v }} {{ .Values.f }}"}\n',
    'c/values-team.yaml': 'f: "$ARGOCD_APP_NAME"\n',
    'j/x.jsonnet':
      '{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: std.extVar("name") }, data: { p: std.extVar("path") } }',
  });
  const target = { releaseName: 'web', namespace: 'team' };

  it('stand in Helm parameters and the names of value files, not in values themselves', async () => {
    const parameters = [{ name: 'v', value: `${braced('ARGOCD_APP_NAME')}/$ARGOCD_APP_SOURCE_PATH` }];
    const helm = { parameters, valueFiles: ['values-$ARGOCD_APP_NAMESPACE.yaml'] };
    const { manifests, environment } = await render({
      tree,
      target,
      source: { repoURL: 'u', path: 'c', helm } as ApplicationSource,
    });
    expect(manifests).toMatchObject([{ data: { v: 'web/c $ARGOCD_APP_NAME' } }]);
    expect(environment).toEqual({ ARGOCD_APP_NAME: 'web', ARGOCD_APP_NAMESPACE: 'team', ARGOCD_APP_SOURCE_PATH: 'c' });
  });

  it('stand in variables of Jsonnet', async () => {
    const extVars = [
      { name: 'name', value: '$ARGOCD_APP_NAME' },
      { name: 'path', value: `"${braced('ARGOCD_APP_SOURCE_PATH')}!"`, code: true },
    ];
    const source = { repoURL: 'u', path: 'j', directory: { jsonnet: { extVars } } };
    const { manifests } = await render({ tree, target, source: source as ApplicationSource });
    expect(manifests).toMatchObject([{ metadata: { name: 'web' }, data: { p: 'j!' } }]);
  });

  it('are inputs: only where the commit is named does another one mean another render', async () => {
    const renderer = new Renderer();
    const at = (revision: string, value: string) => {
      const source = {
        repoURL: 'u',
        path: 'c',
        helm: {
          parameters: [
            { name: 'v', value },
            { name: 'f', value: '-' },
          ],
        },
      };
      return renderer.render({ tree, target, facts: { revision }, source: source as ApplicationSource });
    };
    await at('1111111111', '$ARGOCD_APP_NAME');
    await at('2222222222', '$ARGOCD_APP_NAME');
    expect(renderer.counts).toMatchObject({ hits: 1, misses: 1 });
    await at('1111111111', '$ARGOCD_APP_REVISION_SHORT');
    const { manifests } = await at('2222222222', '$ARGOCD_APP_REVISION_SHORT');
    expect(manifests).toMatchObject([{ data: { v: '2222222 -' } }]);
  });

  it('that nobody can tell are refused by name', async () => {
    const source = { repoURL: 'u', path: 'c', helm: { parameters: [{ name: 'v', value: '$ARGOCD_APP_REVISION' }] } };
    await expect(render({ tree, target, source: source as ApplicationSource })).rejects.toThrow(
      'ARGOCD_APP_REVISION is not known here',
    );
  });
});
