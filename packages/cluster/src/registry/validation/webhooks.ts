// Webhook configurations: what a call needs.
import { type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube/object';
import type { FieldError } from '../resource-type.ts';
import { isSubdomain, required, subdomainMessage } from './rules.ts';

export function validateWebhooks(object: KubeObject): readonly FieldError[] {
  return listAt(object, 'webhooks').flatMap((webhook, index) => {
    const at = `webhooks[${index}]`;
    const client = recordAt(webhook, 'clientConfig');
    const ways = [client['url'], client['service']].filter((way) => way !== undefined).length;
    return [
      ...nameErrors(stringAt(webhook, 'name') ?? '', `${at}.name`),
      ...(ways === 1 ? [] : [required(`${at}.clientConfig`, 'exactly one of url or service is required')]),
      ...(valueAt(webhook, 'sideEffects') === undefined
        ? [required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun')]
        : []),
      ...(listAt(webhook, 'admissionReviewVersions').length === 0
        ? [required(`${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1')]
        : []),
    ];
  });
}

function nameErrors(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const invalid = (message: string): FieldError[] => [{ type: 'Invalid', field, message, value: name }];
  if (!isSubdomain(name)) return invalid(subdomainMessage);
  if (name.split('.').length < 3) return invalid('should be a domain with at least three segments separated by dots');
  return [];
}
