// What is said of a refusal, the same whoever refuses. What one may not view is not there.
import type { AccessDecision } from '../api/access.ts';
import type { ApplicationId } from '../api/entities.ts';
import type { ApplicationAction } from '../api/route.ts';
import type { NamedEntity } from './attributes.ts';

export const adminsOnly =
  'only an administrator of the account may do this; ask one of them (Settings, Users, shows who) to do it, or to make you one';

export const deniedWords = (
  action: ApplicationAction,
  { runtime, namespace, name }: ApplicationId,
  { because }: AccessDecision,
): string =>
  `you may not ${action} application ${runtime}/${namespace}/${name}: ${because}; ask an administrator of the account for a rule that allows it`;

export const noApplicationWords = ({ runtime, namespace, name }: ApplicationId): string =>
  `there is no application ${namespace}/${name} in runtime ${runtime}`;

const nouns = { runtime: 'runtime', cluster: 'cluster', gitSource: 'Git Source' } as const;

export const noNamedWords = ({ entity, runtime, name }: NamedEntity): string =>
  entity === 'runtime' ? `there is no runtime ${name}` : `there is no ${nouns[entity]} ${name} in runtime ${runtime}`;
