import { type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { type Health, health } from './status.ts';

export function apiServiceHealth(service: KubeObject): Health {
  const available = listAt(service, 'status', 'conditions').find((entry) => stringAt(entry, 'type') === 'Available');
  if (!available) return health('Progressing', 'Waiting to be processed');
  const text = `${stringAt(available, 'reason')}: ${stringAt(available, 'message')}`;
  return health(stringAt(available, 'status') === 'True' ? 'Healthy' : 'Progressing', text);
}
