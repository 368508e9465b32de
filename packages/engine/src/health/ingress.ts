import { type KubeObject, listAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function ingressHealth(ingress: KubeObject): Health {
  return listAt(ingress, 'status', 'loadBalancer', 'ingress').length > 0 ? healthy : health('Progressing');
}
