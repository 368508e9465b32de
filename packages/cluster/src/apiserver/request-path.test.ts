import { describe, expect, it } from 'vitest';
import { aggregatedDiscovery, negotiate } from './negotiation.ts';
import { parseResourcePath } from './request-path.ts';

const path = (fields: object) => ({
  group: '',
  version: 'v1',
  plural: '',
  namespace: '',
  name: '',
  subresource: '',
  ...fields,
});

describe('request paths', () => {
  it.each([
    ['/api/v1/pods', { plural: 'pods' }],
    ['/api/v1/namespaces', { plural: 'namespaces' }],
    ['/api/v1/namespaces/a', { plural: 'namespaces', name: 'a' }],
    ['/api/v1/namespaces/a/finalize', { plural: 'namespaces', name: 'a', subresource: 'finalize' }],
    ['/api/v1/namespaces/a/pods', { plural: 'pods', namespace: 'a' }],
    ['/api/v1/namespaces/a/pods/b/log', { plural: 'pods', namespace: 'a', name: 'b', subresource: 'log' }],
    [
      '/apis/apps/v1/namespaces/a/deployments/b/scale',
      { group: 'apps', plural: 'deployments', namespace: 'a', name: 'b', subresource: 'scale' },
    ],
    ['/api/v1/namespaces/a/configmaps/b%2Fc', { plural: 'configmaps', namespace: 'a', name: 'b/c' }],
  ])('%s is read', (text, expected) => {
    expect(parseResourcePath(text)).toEqual(path(expected));
  });

  it.each(['/', '/api', '/api/v1', '/apis/apps/v1', '/other/v1/pods', '/api/v1//pods', '/api/v1/pods/%zz'])(
    '%s leads nowhere',
    (text) => {
      expect(parseResourcePath(text)).toBeUndefined();
    },
  );
});

describe('negotiation', () => {
  it.each([
    [undefined, 'json'],
    ['application/json', 'json'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'table'],
    ['application/vnd.kubernetes.protobuf,application/json', 'json'],
    ['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 'metadata'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'json'],
  ])('%s gives %s', (accept, form) => {
    expect(negotiate(accept, 'gzip')).toEqual({ form, gzip: true });
  });

  it('has nothing for those who take protobuf only', () => {
    expect(negotiate('application/vnd.kubernetes.protobuf', undefined)).toBeUndefined();
  });

  it('answers discovery in the newest form the client knows', () => {
    const types = ['v2', 'v2beta1'].map(
      (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    );
    expect(aggregatedDiscovery(`${types.join(',')},application/json`)?.version).toBe('v2');
    expect(aggregatedDiscovery('application/json')).toBeUndefined();
  });
});
