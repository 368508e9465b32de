import { counted, healthWord, syncWord } from '../words/index.ts';
import type { DrawnNode } from './group.ts';
import type { GraphNode } from './model.ts';

/** "Deployment web, degraded, out of sync": the name of a node for those who hear it. */
export const describeNode = ({ kind, name, health, sync, requiresPruning }: GraphNode): string =>
  [`${kind} ${name}`, health && healthWord(health), sync && syncWord(sync), requiresPruning && 'not in Git']
    .filter(Boolean)
    .join(', ');

export function describeDrawn(drawn: DrawnNode): string {
  if (drawn.type === 'resource') return describeNode(drawn.node);
  const [first] = drawn.members;
  if (!first) return '';
  const state = first.health ? `all ${healthWord(first.health)}` : first.sync ? `all ${syncWord(first.sync)}` : '';
  return [groupTitle(drawn.members), state].filter(Boolean).join(', ');
}

/** "12 ReplicaSets". */
export function groupTitle(members: readonly GraphNode[]): string {
  const kind = members[0]?.kind ?? '';
  const plural = /(s|x|ch)$/.test(kind)
    ? `${kind}es`
    : /[^aeiou]y$/.test(kind)
      ? `${kind.slice(0, -1)}ies`
      : `${kind}s`;
  return counted(members.length, kind, kind === 'Endpoints' ? kind : plural);
}
