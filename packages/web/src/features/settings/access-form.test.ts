import type { AccessRule } from '@fairlead/contracts';
import { expect, it } from 'vitest';
import { attributesWords, formOf, ruleOf, withEntity } from './access-form.ts';

const rule: AccessRule = {
  ...{
    id: 'r1',
    name: 'payments',
    effect: 'allow',
    teams: ['payments'],
    entity: 'application',
    actions: ['VIEW', 'SYNC'],
  },
  ...{ attributes: { runtimes: ['eu-*', 'us'], labels: { team: 'payments' } }, createdAt: '', updatedAt: '' },
};

it('brings a rule through the form and back as it was', () => {
  const { id: _, createdAt: __, updatedAt: ___, ...input } = rule;
  expect(ruleOf(formOf(rule))).toEqual(input);
});

it('leaves out attributes that are empty: each that is there narrows the rule', () => {
  expect(
    ruleOf({ ...formOf(undefined), attributes: { ...formOf(undefined).attributes, names: ' , ' } }).attributes,
  ).toEqual({});
});

it('leaves out what rules on another entity do not know of, and keeps the entity of a rule', () => {
  const form = withEntity({ ...formOf(rule), actions: ['SYNC'] }, 'cluster');
  expect(ruleOf(form)).toMatchObject({
    entity: 'cluster',
    actions: ['VIEW'],
    attributes: { runtimes: ['eu-*', 'us'] },
  });
  expect(ruleOf(form).attributes).not.toHaveProperty('labels');
  expect(ruleOf(formOf({ ...rule, entity: 'runtime' })).entity).toBe('runtime');
});

it('says in words what a rule holds for', () => {
  expect(attributesWords(rule)).toBe('applications: runtime eu-* or us, label team=payments');
  expect(attributesWords({ entity: 'gitSource', attributes: {} })).toBe('any Git Source');
});
