// The core group: services and where they lead.
import { isRecord, type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube/object';
import { ageColumn, at, column, labelsText, nameColumn, textAt, wide } from '../columns.ts';
import { fill, mapItems } from '../defaults/fill.ts';
import { allocateService, defaultService, retainAllocations, withoutFormerType } from '../defaults/service.ts';
import type { ResourceType } from '../resource-type.ts';
import { validateService } from '../validation/index.ts';
import { core } from './core-row.ts';

function servicePorts(object: KubeObject): string {
  const ports = listAt(object, 'spec', 'ports').filter(isRecord);
  const text = ports.map(({ port, nodePort, protocol }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`);
  return text.length === 0 ? '<none>' : text.join(',');
}

function externalIp(object: KubeObject): string {
  const type = stringAt(object, 'spec', 'type');
  if (type === 'ExternalName') return stringAt(object, 'spec', 'externalName') ?? '<none>';
  const balanced = type === 'LoadBalancer' ? listAt(object, 'status', 'loadBalancer', 'ingress') : [];
  const addresses = balanced.map((entry) => stringAt(entry, 'ip') || stringAt(entry, 'hostname'));
  const given = [...addresses, ...listAt(object, 'spec', 'externalIPs')].join(',');
  return given || (type === 'LoadBalancer' ? '<pending>' : '<none>');
}

function endpointsText(object: KubeObject): string {
  const texts = listAt(object, 'subsets').flatMap((subset) =>
    listAt(subset, 'addresses').flatMap((address) =>
      listAt(subset, 'ports').map((port) => `${stringAt(address, 'ip')}:${valueAt(port, 'port')}`),
    ),
  );
  if (texts.length === 0) return '<none>';
  return texts.length > 3 ? `${texts.slice(0, 3).join(',')} + ${texts.length - 3} more...` : texts.join(',');
}

export const serviceKinds: readonly ResourceType[] = [
  core({
    kind: 'Service',
    answersDeleted: true,
    names: 'service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    hasStatus: true,
    selectableFields: ['spec.clusterIP', 'spec.type'],
    defaults: defaultService,
    prepareCreate: (object, context) => ({ ...allocateService(object, context), status: { loadBalancer: {} } }),
    prepareUpdate: retainAllocations,
    allocate: (next, previous, context) => allocateService(withoutFormerType(next, previous), context),
    validate: validateService,
    columns: [
      nameColumn,
      column('Type', at('spec', 'type')),
      column('Cluster-IP', textAt('spec', 'clusterIP')),
      column('External-IP', externalIp),
      column('Port(s)', servicePorts),
      ageColumn,
      wide('Selector', labelsText('spec', 'selector')),
    ],
  }),
  core({
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    defaults: (object) =>
      mapItems(object, 'subsets', (subset) =>
        mapItems(subset, 'ports', (port) => fill(port, { protocol: 'TCP' })),
      ) as KubeObject, // members were only added
    columns: [nameColumn, column('Endpoints', endpointsText), ageColumn],
  }),
];
