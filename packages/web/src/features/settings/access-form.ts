// An access rule as a form holds it: lists as text, one pattern after the other, separated by commas.
import {
  type AccessAttributes,
  type AccessEntity,
  type AccessRule,
  type AccessRuleInput,
  ruledEntities,
} from '@fairlead/contracts';

export const attributeNames = ['runtimes', 'clusters', 'namespaces', 'projects', 'names'] as const;
export type AttributeName = (typeof attributeNames)[number];

export interface AccessForm {
  readonly name: string;
  readonly effect: 'allow' | 'deny';
  readonly teams: readonly string[];
  readonly entity: AccessEntity;
  readonly actions: AccessRuleInput['actions'];
  readonly attributes: Readonly<Record<AttributeName | 'labels', string>>;
}

/** In words: one, and many. */
export const entityNouns = {
  application: ['application', 'applications'],
  runtime: ['runtime', 'runtimes'],
  cluster: ['cluster', 'clusters'],
  gitSource: ['Git Source', 'Git Sources'],
} as const satisfies Record<AccessEntity, readonly [string, string]>;

export const entities = Object.keys(entityNouns) as AccessEntity[]; // the keys of the table above

/** What rules on the entity do not know of is left out. */
export function withEntity(form: AccessForm, entity: AccessEntity): AccessForm {
  const { actions } = ruledEntities[entity];
  const kept = form.actions.filter((action) => actions.includes(action));
  const isKept = (name: AttributeName | 'labels') => ruledEntities[entity].attributes.includes(name);
  const attributes = Object.fromEntries(
    Object.entries(form.attributes).map(([name, text]) => [name, isKept(name as AttributeName | 'labels') ? text : '']),
  ) as AccessForm['attributes']; // the same names
  return { ...form, entity, actions: kept.length > 0 ? kept : ['VIEW'], attributes };
}

export function formOf(rule: AccessRule | undefined): AccessForm {
  const { attributes } = rule ?? { attributes: {} as AccessAttributes };
  const labels = Object.entries(attributes.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return {
    name: rule?.name ?? '',
    effect: rule?.effect ?? 'allow',
    teams: rule?.teams ?? [],
    entity: rule?.entity ?? 'application',
    actions: rule?.actions ?? ['VIEW'],
    attributes: {
      ...{ runtimes: list(attributes.runtimes), clusters: list(attributes.clusters), names: list(attributes.names) },
      ...{ namespaces: list(attributes.namespaces), projects: list(attributes.projects), labels: labels.join(', ') },
    },
  };
}

export function ruleOf({ name, effect, teams, entity, actions, attributes }: AccessForm): AccessRuleInput {
  const given = attributeNames.flatMap((attribute) => {
    const patterns = parts(attributes[attribute]);
    return patterns.length > 0 ? [[attribute, patterns] as const] : [];
  });
  const labels = parts(attributes.labels).map((label) => {
    const [key = '', ...value] = label.split('=');
    return [key.trim(), value.join('=').trim() || '*'] as const;
  });
  return {
    ...{ name, effect, teams: [...teams], entity, actions: [...actions] },
    attributes: { ...Object.fromEntries(given), ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) },
  };
}

/** "applications: runtime eu-*, label team=payments"; "any cluster" without attributes. */
export function attributesWords({ entity, attributes }: Pick<AccessRuleInput, 'entity' | 'attributes'>): string {
  const said = attributeNames.flatMap((name) =>
    attributes[name] ? [`${name.slice(0, -1)} ${attributes[name].join(' or ')}`] : [],
  );
  const labels = Object.entries(attributes.labels ?? {}).map(([key, value]) => `label ${key}=${value}`);
  const [one, many] = entityNouns[entity];
  const words = [...said, ...labels].join(', ');
  return words === '' ? `any ${one}` : `${many}: ${words}`;
}

const list = (patterns: readonly string[] | undefined): string => patterns?.join(', ') ?? '';
const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
