import { type KubeObject, listAt, stringAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function serviceHealth(service: KubeObject): Health {
  const isWaiting =
    stringAt(service, 'spec', 'type') === 'LoadBalancer' &&
    listAt(service, 'status', 'loadBalancer', 'ingress').length === 0;
  return isWaiting ? health('Progressing') : healthy;
}
