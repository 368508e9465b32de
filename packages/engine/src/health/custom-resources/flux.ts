// Flux: a Ready condition, beside it what the kind needs to count as done.
import { type KubeObject, valueAt } from '@fairlead/kube';
import { conditionsOf } from '../conditions.ts';
import { type Health, health } from '../status.ts';

/** `also`: conditions of which one must be True beside Ready. */
export function fluxHealth(also: readonly string[]): (object: KubeObject) => Health {
  return (object) => {
    if (valueAt(object, 'spec', 'suspend') === true) return health('Suspended', `${object.kind} is suspended`);
    if (object.kind === 'HelmRepository' && valueAt(object, 'spec', 'type') === 'oci')
      return health('Healthy', "Helm repositories of type 'oci' do not contain any information in the status.");
    if (valueAt(object, 'status', 'conditions') === undefined) return health('Progressing', 'Status unknown');
    const conditions = conditionsOf(object);
    const count = (isWanted: (type: string, status: string) => boolean) =>
      conditions.filter(({ type, status }) => isWanted(type, status)).length;
    const going = count(
      (type, status) => (type === 'Ready' && status === 'Unknown') || (type === 'Reconciling' && status === 'True'),
    );
    const done = count((type, status) => status === 'True' && (type === 'Ready' || also.includes(type)));
    const outdated = conditions.find(({ type, status }) => type === 'ArtifactOutdated' && status === 'True');
    const ready = conditions.find(({ type }) => type === 'Ready')?.reason ?? '';
    const message = outdated && also.includes('ArtifactInStorage') ? `${ready} ${outdated.reason}` : ready;
    if (going === 2) return health('Progressing', message);
    return health(done === (also.length > 0 ? 2 : 1) ? 'Healthy' : 'Degraded', message);
  };
}
