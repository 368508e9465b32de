// Label selectors in both of their forms: the query string (`a=b,c in (d,e),!f`) and the object
// ({matchLabels, matchExpressions}). An empty selector matches everything.
import { FairleadError } from '@fairlead/base';

export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values: readonly string[];
}
export type Selector = readonly Requirement[];

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

export class SelectorError extends FairleadError {
  constructor(message: string) {
    super('bad_selector', message);
  }
}

export function selectorOf(labelSelector: LabelSelector | undefined): Selector {
  const equal = Object.entries(labelSelector?.matchLabels ?? {}).map(
    ([key, value]): Requirement => ({ key, operator: 'In', values: [value] }),
  );
  const expressions = (labelSelector?.matchExpressions ?? []).map(({ key, operator, values = [] }): Requirement => {
    if (operator === 'In' || operator === 'NotIn' || operator === 'Exists' || operator === 'DoesNotExist') {
      return { key, operator, values };
    }
    throw new SelectorError(`"${operator}" is not a valid label selector operator`);
  });
  return [...equal, ...expressions];
}

export function formatSelector(selector: Selector): string {
  return selector.map(formatRequirement).join(',');
}

function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'Gt':
      return `${key}>${values[0]}`;
    case 'Lt':
      return `${key}<${values[0]}`;
  }
}

export function matchesSelector(selector: Selector, labels: Readonly<Record<string, string>> = {}): boolean {
  return selector.every((requirement) => meets(requirement, labels[requirement.key]));
}

function meets({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
  }
}
