import type { ApplicationCondition, ApplicationDetail, Explanation } from '@fairlead/contracts';

/** What passes by itself within moments needs no panel that comes and goes. */
const passing: readonly string[] = ['rolling-out', 'syncing', 'sync-pending', 'not-applied-yet', 'not-created-yet'];

export const isTrouble = ({ cause }: Explanation): boolean => !passing.includes(cause);

/** `Why it is degraded`, `Why it is out of sync`. */
export function whyTitle({ row: { health, sync } }: ApplicationDetail): string {
  if (health.status !== 'Healthy') return `Why it is ${health.status.toLowerCase()}`;
  return sync.status === 'Synced' ? 'What is going on' : 'Why it is out of sync';
}

/** For a message to a colleague. */
export function explanationText({ row }: ApplicationDetail, explanation: Explanation): string {
  const { headline, since, actor, chain, remedies } = explanation;
  const facts = [since ? `since ${since}` : '', actor ? `caused by ${actor}` : ''].filter(Boolean).join(', ');
  const links = chain.map(({ title, detail, quote }) => `- ${[title, detail, quote].filter(Boolean).join(': ')}`);
  const hints = remedies.map(({ title }) => `* ${title}`);
  return [`${row.id.name}: ${headline}`, facts, ...links, ...hints].filter(Boolean).join('\n');
}

/** What the explanation quotes need not be said twice. */
export function conditionsBeside(
  conditions: readonly ApplicationCondition[],
  explanation: Explanation | undefined,
): readonly ApplicationCondition[] {
  const quoted = new Set(explanation?.chain.map(({ quote }) => quote));
  return conditions.filter(({ message }) => !quoted.has(message));
}
