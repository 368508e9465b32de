// Requests that no careful client sends.
import { get, post, put, remove, sequence } from '../sequence.ts';
import { configMap, configMaps, pod, pods } from './bodies.ts';

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

export const badInput = [
  sequence('a body of another type', post(configMaps, 'a=1', { type: 'application/x-www-form-urlencoded' })),
  sequence('a body of text', post(configMaps, 'hello', { type: 'text/plain' })),
  sequence('a body without a type', post(configMaps, configMap('a'), { type: '' })),
  sequence('a body that is no JSON', post(configMaps, '{"apiVersion":')),
  sequence('a body that is a list', post(configMaps, [])),
  sequence('a body that is text in quotes', post(configMaps, '"text"')),
  sequence('an empty body', post(configMaps, '')),
  sequence('an empty object', post(configMaps, {})),
  sequence('a body that is too large', post(configMaps, `{"x":"${'x'.repeat(3 * 1024 * 1024)}"}`)),
  sequence('a body that is too deep', post(configMaps, deep(20_000))),
  sequence('a body of another kind', post(configMaps, pod('p'))),
  sequence('a body of another version', post(configMaps, { ...configMap('a'), apiVersion: 'v2' })),
  sequence('metadata that is text', post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: 'x' })),
  sequence(
    'labels that are a list',
    post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: [] } }),
  ),
  sequence('a patch of another type', post(configMaps, configMap('a')), {
    method: 'PATCH',
    path: `${configMaps}/a`,
    body: {},
    type: 'application/json',
  }),
  sequence('an answer nobody can give', get(configMaps, { accept: 'text/html' })),
  sequence(
    'an answer as a table of another version',
    get(configMaps, { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io' }),
  ),
  sequence('an unknown kind', get('/api/v1/namespaces/{ns}/inventions')),
  sequence('an unknown group', get('/apis/invented.example.com/v1/namespaces/{ns}/things')),
  sequence('an unknown version', get('/apis/apps/v9/namespaces/{ns}/deployments')),
  sequence('an unknown path', get('/nothing/here')),
  sequence('a method that is not allowed', { method: 'POST', path: `${configMaps}/a`, body: configMap('a') }),
  sequence('replace a collection', put(configMaps, configMap('a'))),
  sequence('create without a namespace', post('/api/v1/configmaps', configMap('a'))),
  sequence(
    'delete options that are broken',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a`, '{"gracePeriodSeconds":'),
  ),
  sequence(
    'delete options of another kind',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a`, configMap('a')),
  ),
  sequence(
    'a dry run of deletion with an unknown word',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a?dryRun=Some`),
  ),
  sequence('a time that is no time', post(configMaps, configMap('a', {}, { creationTimestamp: 'soon' }))),
  sequence('a null body', post(configMaps, 'null')),
  sequence('a null list', post(pods, pod('p', { volumes: null, tolerations: null }))),
  sequence('a token nobody knows', get(configMaps, { headers: { authorization: 'Bearer nobody' } })),
  sequence(
    'a yaml body',
    post(configMaps, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "yes"\n', {
      type: 'application/yaml',
    }),
  ),
];
