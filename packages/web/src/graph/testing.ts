import type { ApplicationDetail, HealthCode, TreeNodeReport } from '@fairlead/contracts';

export interface NodeSketch {
  readonly kind: string;
  readonly name: string;
  readonly parents?: readonly string[];
  readonly health?: HealthCode;
}

/** A tree node whose uid is its name. */
export const treeNode = ({ kind, name, parents = [], health }: NodeSketch): TreeNodeReport => ({
  ...{ uid: name, group: 'apps', version: 'v1', kind, namespace: 'shop', name, parents: [...parents] },
  ...(health && { health: { status: health } }),
});

/** An application in which everything but the tree is plain. */
export function detailOf(tree: TreeNodeReport[], resources: ApplicationDetail['report']['resources'] = []) {
  const detail: ApplicationDetail = {
    row: {
      id: { runtime: 'eu', namespace: 'argocd', name: 'shop' },
      project: 'default',
      health: { status: 'Healthy' },
      sync: { status: 'Synced' },
      destination: { cluster: 'in-cluster', namespace: 'shop' },
      ...{ repoUrl: '', path: '', images: [], autoSync: true, note: '' },
      ...{ changedAt: '2026-01-01T00:00:00Z', lastHeardAt: '2026-01-01T00:00:00Z' },
    },
    report: {
      ...{ name: 'shop', namespace: 'argocd', uid: 'u', labels: {}, annotations: {} },
      spec: { project: 'default', destination: {} },
      ...{ sync: { status: 'Synced' }, health: { status: 'Healthy' } },
      ...{ history: [], conditions: [], images: [], resources, tree },
    },
  };
  return detail;
}
