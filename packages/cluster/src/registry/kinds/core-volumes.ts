// The core group: volumes and the claims on them.
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import { ageColumn, at, column, nameColumn, textAt, wide } from '../columns.ts';
import { fill, mapMember } from '../defaults/fill.ts';
import type { ResourceType } from '../resource-type.ts';
import { claimWarnings } from '../warnings.ts';
import { core } from './core-row.ts';

const claimProtection = 'kubernetes.io/pvc-protection';
const volumeProtection = 'kubernetes.io/pv-protection';

const statusText = (object: KubeObject) =>
  object.metadata.deletionTimestamp ? 'Terminating' : stringAt(object, 'status', 'phase');

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const accessModes = (given: readonly unknown[]) => given.map((mode) => modes[String(mode)] ?? '').join(',');

export const volumeKinds: readonly ResourceType[] = [
  core({
    kind: 'PersistentVolumeClaim',
    warnings: claimWarnings,
    answersDeleted: true,
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    hasStatus: true,
    defaults: (object) => ({ ...object, spec: fill(object['spec'], { volumeMode: 'Filesystem' }) }),
    prepareCreate: (object) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), claimProtection] },
      status: { phase: 'Pending' },
    }),
    columns: [
      nameColumn,
      column('Status', statusText),
      column('Volume', (object) => stringAt(object, 'spec', 'volumeName') ?? ''),
      column('Capacity', (object) => stringAt(object, 'status', 'capacity', 'storage') ?? ''),
      column('Access Modes', (object) => accessModes(listAt(object, 'status', 'accessModes'))),
      column('StorageClass', (object) => stringAt(object, 'spec', 'storageClassName') ?? ''),
      column('VolumeAttributesClass', () => '<unset>'),
      ageColumn,
      wide('VolumeMode', textAt('spec', 'volumeMode')),
    ],
  }),
  core({
    kind: 'PersistentVolume',
    answersDeleted: true,
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    hasStatus: true,
    defaults: (object) => ({
      ...object,
      spec: mapMember(
        fill(object['spec'], { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
        'hostPath',
        (path) => fill(path, { type: '' }),
      ),
    }),
    prepareCreate: (object, { now }) => ({
      ...object,
      metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), volumeProtection] },
      status: { phase: 'Pending', lastPhaseTransitionTime: now },
    }),
    columns: [
      nameColumn,
      column('Capacity', (object) => stringAt(object, 'spec', 'capacity', 'storage') ?? ''),
      column('Access Modes', (object) => accessModes(listAt(object, 'spec', 'accessModes'))),
      column('Reclaim Policy', at('spec', 'persistentVolumeReclaimPolicy')),
      column('Status', statusText),
      column('Claim', (object) => {
        const claim = recordAt(object, 'spec', 'claimRef');
        return claim['name'] ? `${String(claim['namespace'])}/${String(claim['name'])}` : '';
      }),
      column('StorageClass', (object) => stringAt(object, 'spec', 'storageClassName') ?? ''),
      column('VolumeAttributesClass', () => '<unset>'),
      column('Reason', (object) => stringAt(object, 'status', 'reason') ?? ''),
      ageColumn,
      wide('VolumeMode', textAt('spec', 'volumeMode')),
    ],
  }),
];
