// An access rule as a form holds it: lists as text, one pattern after the other, separated by commas.
import type { AccessAttributes, AccessRule, AccessRuleInput } from '@fairlead/contracts';

export const attributeNames = ['runtimes', 'clusters', 'namespaces', 'projects', 'names'] as const;
export type AttributeName = (typeof attributeNames)[number];

export interface AccessForm {
  readonly name: string;
  readonly effect: 'allow' | 'deny';
  readonly teams: readonly string[];
  readonly actions: AccessRuleInput['actions'];
  readonly attributes: Readonly<Record<AttributeName | 'labels', string>>;
}

export function formOf(rule: AccessRule | undefined): AccessForm {
  const { attributes } = rule ?? { attributes: {} as AccessAttributes };
  const labels = Object.entries(attributes.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    name: rule?.name ?? '',
    effect: rule?.effect ?? 'allow',
    teams: rule?.teams ?? [],
    actions: rule?.actions ?? ['VIEW'],
    attributes: {
      ...{ runtimes: list(attributes.runtimes), clusters: list(attributes.clusters), names: list(attributes.names) },
      ...{ namespaces: list(attributes.namespaces), projects: list(attributes.projects), labels: labels.join(', ') },
    },
  };
}

export function ruleOf({ name, effect, teams, actions, attributes }: AccessForm): AccessRuleInput {
  const given = attributeNames.flatMap((attribute) => {
    const patterns = parts(attributes[attribute]);
    return patterns.length > 0 ? [[attribute, patterns] as const] : [];
  });
  const labels = parts(attributes.labels).map((label) => {
    const [key = '', ...value] = label.split('=');
    return [key.trim(), value.join('=').trim() || '*'] as const;
  });
  return {
    ...{ name, effect, teams: [...teams], entity: 'application' as const, actions: [...actions] },
    attributes: { ...Object.fromEntries(given), ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) },
  };
}

/** "runtime eu-*, label team=payments"; "anything" without attributes. */
export function attributesWords(attributes: AccessAttributes): string {
  const said = attributeNames.flatMap((name) =>
    attributes[name] ? [`${name.slice(0, -1)} ${attributes[name].join(' or ')}`] : [],
  );
  const labels = Object.entries(attributes.labels ?? {}).map(([key, value]) => `label ${key}=${value}`);
  return [...said, ...labels].join(', ') || 'anything';
}

const list = (patterns: readonly string[] | undefined): string => patterns?.join(', ') ?? '';
const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
