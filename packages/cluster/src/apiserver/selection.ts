// Which objects a list, watch or deletecollection is about.
import {
  type KubeObject,
  matchesSelector,
  parseSelector,
  type Selector,
  SelectorError,
  valueAt,
} from '@fairlead/kube/object';
import { badRequest } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';

export interface Selection {
  readonly namespace: string | undefined;
  readonly matches: (object: KubeObject) => boolean;
  /** True when everything of the namespace matches: then nothing need be looked at. */
  readonly isAll: boolean;
}

interface FieldRequirement {
  readonly path: readonly string[];
  readonly value: string;
  readonly isEqual: boolean;
}

export function selectionOf(type: ResourceType, namespace: string, query: URLSearchParams): Selection {
  const labels = readLabels(query.get('labelSelector') ?? '');
  const fields = readFields(type, query.get('fieldSelector') ?? '');
  return {
    namespace: type.namespaced && namespace !== '' ? namespace : undefined,
    isAll: labels.length === 0 && fields.length === 0,
    matches: (object) =>
      (labels.length === 0 || matchesSelector(labels, object.metadata.labels)) &&
      fields.every(({ path, value, isEqual }) => (String(valueAt(object, ...path) ?? '') === value) === isEqual),
  };
}

function readLabels(text: string): Selector {
  try {
    return parseSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

const unknownField = ({ isBuiltIn, selectableFields }: ResourceType, label: string) =>
  isBuiltIn && selectableFields.length > 0
    ? `field label not supported: ${label}`
    : `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

const fieldForm = /^([^=!]+)(==|=|!=)(.*)$/;

function readFields(type: ResourceType, text: string): readonly FieldRequirement[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, label = '', sign = '', value = ''] = fieldForm.exec(part) ?? [];
      if (label === '') throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
      const known = ['metadata.name', 'metadata.namespace', ...type.selectableFields];
      if (!known.includes(label)) throw badRequest(unknownField(type, label));
      return { path: label.split('.'), value, isEqual: sign !== '!=' };
    });
}
