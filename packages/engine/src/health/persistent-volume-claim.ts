import { type KubeObject, stringAt } from '@fairlead/kube';
import { type Health, health, healthy } from './status.ts';

export function persistentVolumeClaimHealth(claim: KubeObject): Health {
  switch (stringAt(claim, 'status', 'phase')) {
    case 'Lost':
      return health('Degraded');
    case 'Pending':
      return health('Progressing');
    case 'Bound':
      return healthy;
    default:
      return health('Unknown');
  }
}
