// Names, by the rule of the kind.
import type { KubeObject } from '@fairlead/kube/object';
import type { FieldError, ResourceType } from '../resource-type.ts';
import { isLabel, isSubdomain, labelMessage, subdomainMessage } from './rules.ts';

const dns1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const dns1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** A name that the server completes is checked as it was given, too. */
export function validateNewName(
  { name, generateName = '' }: KubeObject['metadata'],
  rule: ResourceType['names'],
): readonly FieldError[] {
  const prefix = generateName === '' ? [] : validateName(generateName.replace(/-$/, 'a'), rule);
  return [
    ...prefix.map((error) => ({ ...error, field: 'metadata.generateName', value: generateName })),
    ...validateName(name, rule),
  ];
}

function validateName(name: string, rule: ResourceType['names']): readonly FieldError[] {
  const invalid = (message: string): FieldError => ({ type: 'Invalid', field: 'metadata.name', message, value: name });
  if (rule === 'path') {
    const isBad = name === '.' || name === '..' || /[/%]/.test(name);
    return isBad ? [invalid("may not be '.' or '..', nor contain '/' or '%'")] : [];
  }
  if (rule === 'service')
    return dns1035.test(name) && name.length <= 63
      ? []
      : [invalid(name.length > 63 ? 'must be no more than 63 characters' : dns1035Message)];
  const limit = rule === 'label' ? 63 : 253;
  if (rule === 'label' && name.includes('.')) return [invalid('must not contain dots')];
  if (name.length > limit) return [invalid(`must be no more than ${limit} characters`)];
  if (!(rule === 'label' ? isLabel : isSubdomain)(name))
    return [invalid(rule === 'label' ? labelMessage : subdomainMessage)];
  return [];
}
