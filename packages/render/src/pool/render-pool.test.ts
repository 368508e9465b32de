import { afterEach, describe, expect, it } from 'vitest';
import { Renderer } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';
import { RenderPool, type RenderPoolOptions } from './index.ts';

const configMap = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: "${value}"}\n`;
const chart = (template: string) =>
  new MemoryTree({
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'templates/x.yaml': configMap(template),
  });
const source = { repoURL: 'u', path: '' };
/** Minutes of work inside the budget of steps. */
const slow = '{{ $t := repeat 1000000 "x" }}{{ range until 200000 }}{{ $x := sha256sum $t }}{{ end }}';

describe('RenderPool', () => {
  const pools: RenderPool[] = [];
  const poolOf = (options: RenderPoolOptions = {}) => {
    const pool = new RenderPool(options);
    pools.push(pool);
    return pool;
  };
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

  it('gives what a render here would give, read set included', async () => {
    const request = { tree: chart('{{ .Release.Name }}'), source, target: { releaseName: 'rel' } };
    const [pooled, here] = await Promise.all([
      new Renderer({ pool: poolOf() }).render(request),
      new Renderer().render(request),
    ]);
    expect(pooled).toEqual(here);
    expect(pooled.inputs.blobs.length).toBe(2);
  });

  it('hands on a refusal with its code', async () => {
    const tree = new MemoryTree({ 'a.yaml': '' });
    const asPlugin = { ...source, plugin: {} };
    await expect(poolOf().render({ tree, source: asPlugin })).rejects.toMatchObject({ code: 'render_unsupported' });
  });

  it('lets templates include themselves as deep as Helm does', async () => {
    const deep = (times: number) =>
      `{{ define "r" }}{{ if gt (int .) 0 }}{{ include "r" (sub (int .) 1) }}{{ else }}end{{ end }}{{ end }}{{ include "r" ${times} }}`;
    const pool = poolOf({ size: 1 });
    const { manifests } = await pool.render({ tree: chart(deep(998)), source });
    expect(manifests[0]?.['data']).toEqual({ a: 'end' });
    await expect(pool.render({ tree: chart(deep(1_500)), source })).rejects.toThrow('nested reference name');
  });

  it('ends a render at its deadline, and serves a neighbour meanwhile and after', { timeout: 60_000 }, async () => {
    const pool = poolOf({ size: 2, deadlineMs: 5_000 });
    await Promise.all([1, 2].map(() => pool.render({ tree: chart('ok'), source })));
    const hostile = pool.render({ tree: chart(slow), source });
    const refused = expect(hostile).rejects.toThrow('longer than 5 s');
    expect((await pool.render({ tree: chart('ok'), source })).manifests).toHaveLength(1);
    await refused;
    expect((await pool.render({ tree: chart('ok'), source })).manifests).toHaveLength(1);
    expect(pool.counts.ended).toBe(1);
  });

  it('ends a render that wants too much memory, and only that', { timeout: 60_000 }, async () => {
    const pool = poolOf({ size: 1, maxHeapMb: 64 });
    const greedy =
      '{{ $l := until 400000 }}{{ $d := dict }}{{ range $l }}{{ $_ := set $d (toString .) (until 200) }}{{ end }}';
    await expect(pool.render({ tree: chart(greedy), source })).rejects.toThrow('more than 64 MiB');
    expect((await pool.render({ tree: chart('ok'), source })).manifests).toHaveLength(1);
  });

  it('stops with the one who asked', { timeout: 60_000 }, async () => {
    const asking = new AbortController();
    const pool = poolOf({ size: 1 });
    const render = pool.render({ tree: chart(slow), source }, { signal: asking.signal });
    asking.abort(new Error('asked to stop'));
    await expect(render).rejects.toThrow('asked to stop');
  });
});
