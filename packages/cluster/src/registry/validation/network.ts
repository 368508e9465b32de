// Service and Ingress.
import { type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import type { FieldError } from '../resource-type.ts';
import { portNumber } from './pod-spec.ts';
import { required, unsupported } from './rules.ts';

export function validateService(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const spec = recordAt(object, 'spec');
  const errors: FieldError[] = [];
  const isHeadless = spec['clusterIP'] === 'None';
  if (listAt(spec, 'ports').length === 0 && spec['type'] !== 'ExternalName' && !isHeadless)
    errors.push(required('spec.ports'));
  errors.push(...servicePortErrors(listAt(spec, 'ports')), ...nodePortErrors(spec, previous));
  const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
  if (typeof spec['type'] === 'string' && !types.includes(spec['type']))
    errors.push(unsupported('spec.type', spec['type'], types));
  const before = previous && stringAt(previous, 'spec', 'clusterIP');
  if (before && spec['type'] !== 'ExternalName' && spec['clusterIP'] !== before) {
    errors.push({
      type: 'Invalid',
      field: 'spec.clusterIPs[0]',
      message: 'may not change once set',
      value: [spec['clusterIP']],
    });
  }
  return errors;
}

function servicePortErrors(ports: readonly unknown[]): FieldError[] {
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`;
    return [
      ...(ports.length > 1 && !stringAt(port, 'name') ? [required(`${at}.name`)] : []),
      ...portNumber(recordAt(port)['port'], `${at}.port`),
      ...portNumber(recordAt(port)['targetPort'], `${at}.targetPort`),
    ];
  });
}

/** A service that just became one of the cluster alone gives its ports back itself. */
function nodePortErrors(spec: Record<string, unknown>, previous: KubeObject | undefined): FieldError[] {
  const before = previous && stringAt(previous, 'spec', 'type');
  if (spec['type'] !== 'ClusterIP' || (before !== undefined && before !== 'ClusterIP')) return [];
  const message = "may not be used when `type` is 'ClusterIP'";
  return listAt(spec, 'ports').flatMap((port, index) =>
    recordAt(port)['nodePort'] ? [{ type: 'Forbidden' as const, field: `spec.ports[${index}].nodePort`, message }] : [],
  );
}

export function validateIngress(object: KubeObject): readonly FieldError[] {
  return listAt(object, 'spec', 'rules').flatMap((rule, index) =>
    listAt(rule, 'http', 'paths').flatMap((path, position) =>
      stringAt(path, 'pathType')
        ? []
        : [required(`spec.rules[${index}].http.paths[${position}].pathType`, 'pathType must be specified')],
    ),
  );
}
