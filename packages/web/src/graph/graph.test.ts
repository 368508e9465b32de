import { describe, expect, it } from 'vitest';
import {
  buildGraph,
  describeDrawn,
  describeNode,
  filterGraph,
  groupGraph,
  kindBadge,
  layoutGraph,
  neighbour,
  nodeHeight,
  nodeWidth,
  rootKey,
} from './index.ts';
import { detailOf, type NodeSketch, treeNode } from './testing.ts';

const none: ReadonlySet<string> = new Set();
const key = (kind: string, name: string) => `apps/${kind}/shop/${name}`;
const web: NodeSketch[] = [
  { kind: 'Service', name: 'svc' },
  { kind: 'Deployment', name: 'web', health: 'Healthy' },
  { kind: 'ReplicaSet', name: 'rs-1', parents: ['web'], health: 'Healthy' },
  { kind: 'Pod', name: 'pod-1', parents: ['rs-1'], health: 'Healthy' },
];
const graphOf = (sketches: readonly NodeSketch[]) => buildGraph(detailOf(sketches.map(treeNode)));

describe('model', () => {
  it('hangs managed resources from the application and the rest from its owners', () => {
    const { children } = graphOf(web);
    expect(children.get(rootKey)).toEqual([key('Service', 'svc'), key('Deployment', 'web')]);
    expect(children.get(key('ReplicaSet', 'rs-1'))).toEqual([key('Pod', 'pod-1')]);
  });

  it('shows what Git wants and the cluster lacks', () => {
    const lacking = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'cm' };
    const { nodes } = buildGraph(detailOf([], [{ ...lacking, sync: 'OutOfSync' }]));
    const node = nodes.get('/ConfigMap/shop/cm');
    expect(node && describeNode(node)).toBe('ConfigMap cm, missing, out of sync');
  });

  it('stays a tree when the reported parents run in a circle or are unknown', () => {
    const { children, nodes } = graphOf([
      { kind: 'A', name: 'a', parents: ['b'] },
      { kind: 'B', name: 'b', parents: ['a'] },
      { kind: 'C', name: 'c', parents: ['nobody', 'c'] },
    ]);
    expect(children.get(rootKey)).toHaveLength(3);
    expect(layoutGraph(groupGraph({ nodes, children }, none, none)).places.size).toBe(4);
  });

  it('keeps further parents as extra edges', () => {
    const graph = graphOf([
      { kind: 'A', name: 'a' },
      { kind: 'B', name: 'b' },
      { kind: 'C', name: 'c', parents: ['a', 'b'] },
    ]);
    const { edges } = layoutGraph(groupGraph(graph, none, none));
    expect(edges.filter(({ isExtra }) => isExtra)).toMatchObject([{ from: key('B', 'b'), to: key('C', 'c') }]);
  });
});

describe('filter', () => {
  it('keeps matches and the way to them', () => {
    const filtered = filterGraph(graphOf(web), 'POD');
    expect([...filtered.nodes.keys()]).toEqual([
      rootKey,
      key('Deployment', 'web'),
      key('Pod', 'pod-1'),
      key('ReplicaSet', 'rs-1'),
    ]);
    expect(filtered.matches).toEqual(new Set([key('Pod', 'pod-1')]));
  });
});

describe('group', () => {
  const replicaSets = Array.from({ length: 12 }, (_, i) => ({
    ...{ kind: 'ReplicaSet', name: `rs-${i}`, parents: ['web'], health: 'Healthy' as const },
  }));
  const many = graphOf([{ kind: 'Deployment', name: 'web' }, ...replicaSets]);
  const groupOf = (open: ReadonlySet<string>, apart: ReadonlySet<string>) =>
    [...groupGraph(many, open, apart).nodes.values()].find(({ type }) => type === 'group');

  it('makes one node of many equal siblings', () => {
    const group = groupOf(none, none);
    expect(group && describeDrawn(group)).toBe('12 ReplicaSets, all healthy');
    expect(groupGraph(many, none, none).nodes.size).toBe(3);
  });

  it('draws the members of an opened group, and never hides the selected one', () => {
    const group = groupOf(none, none);
    expect(groupGraph(many, new Set([group?.key ?? '']), none).nodes.size).toBe(14);
    const apart = groupOf(none, new Set([key('ReplicaSet', 'rs-3')]));
    expect(apart?.type === 'group' && apart.members).toHaveLength(11);
  });

  it('does not mix what differs in health', () => {
    const mixed = graphOf([...replicaSets.slice(0, 4), { kind: 'ReplicaSet', name: 'bad', health: 'Degraded' }]);
    expect([...groupGraph(mixed, none, none).nodes.values()].every(({ type }) => type === 'resource')).toBe(true);
  });
});

describe('layout', () => {
  it('puts children to the right and lets no two nodes overlap', () => {
    const pods = Array.from({ length: 40 }, (_, i) => ({
      kind: `K${i}`,
      name: `n${i}`,
      parents: [i % 3 ? 'web' : 'svc'],
    }));
    const drawn = groupGraph(graphOf([...web, ...pods]), none, none);
    const { places, edges, width, height } = layoutGraph(drawn);
    const all = [...places.values()];
    for (const { from, to } of edges) expect(places.get(from)?.x).toBeLessThan(places.get(to)?.x ?? 0);
    for (const a of all) {
      const over = all.filter((b) => Math.abs(a.x - b.x) < nodeWidth && Math.abs(a.y - b.y) < nodeHeight);
      expect(over).toHaveLength(1);
      expect(a.x + nodeWidth).toBeLessThanOrEqual(width);
      expect(a.y + nodeHeight).toBeLessThanOrEqual(height);
    }
  });
});

describe('keyboard', () => {
  it('walks along the edges and within a column', () => {
    const drawn = groupGraph(graphOf(web), none, none);
    const layout = layoutGraph(drawn);
    const go = (from: string, direction: 'left' | 'right' | 'up' | 'down') => neighbour(drawn, layout, from, direction);
    expect(go(key('Deployment', 'web'), 'right')).toBe(key('ReplicaSet', 'rs-1'));
    expect(go(key('Deployment', 'web'), 'left')).toBe(rootKey);
    expect(go(key('Deployment', 'web'), 'up')).toBe(key('Service', 'svc'));
    expect(go(key('Service', 'svc'), 'up')).toBeUndefined();
    expect(go(rootKey, 'left')).toBeUndefined();
  });
});

it('shortens kinds as kubectl does', () => {
  expect(['Deployment', 'Pod', 'VirtualService', 'Widget', 'lowercasething'].map(kindBadge)).toEqual([
    'deploy',
    'po',
    'vs',
    'widget',
    'lowerc',
  ]);
});
