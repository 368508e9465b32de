import type { KubeObject } from '@fairlead/kube';
import { conditionsOf } from './conditions.ts';
import { type Health, health } from './status.ts';

export function customResourceDefinitionHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object);
  if (conditions.length === 0) return health('Progressing', 'Status conditions not found');
  for (const { type, status, reason, message } of conditions) {
    if (type === 'Terminating' && status === 'True') return health('Progressing', `CRD is terminating: ${message}`);
    if (type === 'NamesAccepted' && status === 'False')
      return health('Degraded', `CRD names have not been accepted: ${message}`);
    if (type === 'NonStructuralSchema' && status === 'True')
      return health('Degraded', `Schema violations found: ${message}`);
    if (type === 'Established' && status !== 'True' && reason === 'Installing')
      return health('Progressing', 'CRD is being installed');
  }
  const isEstablished = conditions.some(({ type, status }) => type === 'Established' && status === 'True');
  return isEstablished ? health('Healthy', 'CRD is healthy') : health('Degraded', 'CRD is not established');
}
