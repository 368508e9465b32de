import { expect, it } from 'vitest';
import { manifestText } from './manifest-text.ts';

it('writes a manifest in the order people expect, without bookkeeping', () => {
  const manifest = {
    status: { replicas: 1 },
    spec: { template: { spec: { containers: [{ image: 'nginx', env: [], name: 'web' }] } }, replicas: 1 },
    metadata: { managedFields: [{}], labels: { a: 'yes' }, name: 'web' },
    kind: 'Deployment',
    apiVersion: 'apps/v1',
  };
  expect(manifestText(manifest).split('\n').slice(0, 6)).toEqual([
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    '  name: web',
    '  labels:',
    "    a: 'yes'",
  ]);
  expect(manifestText(manifest).trimEnd().split('\n').at(-1)).toBe('  replicas: 1');
});

it('is empty for what does not exist', () => {
  expect(manifestText(undefined)).toBe('');
});
