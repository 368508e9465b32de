import type { ApplicationCondition } from '@fairlead/contracts';
import { Notice } from '../../ui/index.ts';

/** "ComparisonError" → "Comparison error". */
export const conditionTitle = (type: string): string => {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** What the engine complains of, in its own words. */
export function Conditions({ conditions }: { readonly conditions: readonly ApplicationCondition[] }) {
  return conditions.map(({ type, message }) => (
    <Notice key={`${type} ${message}`} kind={type.endsWith('Error') ? 'error' : 'warning'} title={conditionTitle(type)}>
      <span className="font-mono text-xs whitespace-pre-wrap">{message}</span>
    </Notice>
  ));
}
