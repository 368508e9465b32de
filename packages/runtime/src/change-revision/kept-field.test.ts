import { applicationCrd } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { expect, it } from 'vitest';
import { keepsFieldBy } from './kept-field.ts';

const object = (properties: object) => ({ type: 'object', properties });
const definition = (sync: object): KubeObject => {
  const operation = object({ sync });
  const status = object({ operationState: object({ operation, phase: { type: 'string' } }) });
  const openAPIV3Schema = object({ operation, status });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'applications.argoproj.io' },
    spec: { versions: [{ name: 'v1alpha1', schema: { openAPIV3Schema } }] },
  };
};

it('our own definition of Applications keeps the field', () => {
  expect(keepsFieldBy(applicationCrd)).toBe(true);
});

it("a definition that names the field keeps it, and Argo CD's, which does not, drops it", () => {
  expect(keepsFieldBy(definition(object({ changeRevision: { type: 'string' } })))).toBe(true);
  expect(keepsFieldBy(definition(object({ revision: { type: 'string' } })))).toBe(false);
});

it('a definition without a schema keeps nothing that is sure', () => {
  expect(keepsFieldBy({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } })).toBe(false);
});
