// Requests that no careful client sends.
import { apply, get, jsonPatch, mergePatch, post, put, remove, sequence, strategicPatch } from '../sequence.ts';
import {
  configMap,
  configMaps,
  cronJobs,
  definition,
  definitions,
  deployments,
  pod,
  pods,
  services,
} from './bodies.ts';

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
  sequence('a selector without an end', get(`${configMaps}?labelSelector=a%20in%20(b`)),
  sequence('a selector that begins with a comma', get(`${configMaps}?labelSelector=,a`)),
  sequence('a selector of signs', get(`${configMaps}?labelSelector=%3D%3D`)),
  sequence('a selector with two commas', get(`${configMaps}?labelSelector=a,,b`)),
  sequence('a field selector without a value', get(`${configMaps}?fieldSelector=metadata.name`)),
  sequence('a field selector of an unknown field', get(`${pods}?fieldSelector=spec.unheard=1`)),
  sequence('a limit that is no number', get(`${configMaps}?limit=many`)),
  sequence('a watch for a time that is no number', get(`${configMaps}?watch=true&timeoutSeconds=soon`)),
  sequence('a JSON patch that is text', post(configMaps, configMap('a')), jsonPatch(`${configMaps}/a`, 'hello')),
  sequence('a JSON patch that is an object', post(configMaps, configMap('a')), jsonPatch(`${configMaps}/a`, {})),
  sequence(
    'a JSON patch of an unknown operation',
    post(configMaps, configMap('a')),
    jsonPatch(`${configMaps}/a`, [{ op: 'invent', path: '/data/a' }]),
  ),
  sequence(
    'a JSON patch without a path',
    post(configMaps, configMap('a')),
    jsonPatch(`${configMaps}/a`, [{ op: 'add', value: 1 }]),
  ),
  sequence('a merge patch that is a list', post(configMaps, configMap('a')), mergePatch(`${configMaps}/a`, [1])),
  sequence(
    'a strategic patch that is broken',
    post(configMaps, configMap('a')),
    strategicPatch(`${configMaps}/a`, '{"a"'),
  ),
  sequence(
    'a patch of the name',
    post(configMaps, configMap('a')),
    mergePatch(`${configMaps}/a`, { metadata: { name: 'b' } }),
  ),
  sequence('a patch of the kind', post(configMaps, configMap('a')), mergePatch(`${configMaps}/a`, { kind: 'Secret' })),
  sequence('an intent that is a list', apply(`${configMaps}/a`, 'left', '[1]')),
  sequence('an intent of another kind', apply(`${configMaps}/a`, 'left', pod('a'))),
  sequence('an intent of another name', apply(`${configMaps}/a`, 'left', configMap('b'))),
  sequence('a name with a slash', post(configMaps, configMap('a/b'))),
  sequence('a namespace that is invalid', post('/api/v1/namespaces', { metadata: { name: 'Not_One' } })),
  sequence('a namespace of another object', post(configMaps, configMap('a', {}, { namespace: 'other' }))),
  sequence('a port that is none', post(services, { metadata: { name: 's' }, spec: { ports: [{ port: 0 }] } })),
  sequence('an image that is missing', post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } })),
  sequence('a deployment without anything', post(deployments, { metadata: { name: 'd' }, spec: {} })),
  sequence(
    'a schedule that is none',
    post(cronJobs, {
      metadata: { name: 'c' },
      spec: {
        schedule: '* * * *',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
        },
      },
    }),
  ),
  sequence(
    'a definition of another name',
    post(definitions, { ...definition({ group: 'bi1.example.com' }), metadata: { name: 'x' } }),
  ),
  sequence(
    'a definition without versions',
    post(definitions, definition({ group: 'bi2.example.com', spec: { versions: [] } })),
  ),
  sequence(
    'a definition of an unknown scope',
    post(definitions, definition({ group: 'bi3.example.com', spec: { scope: 'Galaxy' } })),
  ),
  sequence(
    'a definition of an unknown type',
    post(definitions, definition({ group: 'bi4.example.com', schema: { type: 'thing' } })),
  ),
  sequence(
    'a definition without a schema',
    post(definitions, definition({ group: 'bi5.example.com', version: { schema: undefined } })),
  ),
  sequence('a delete of what is not there', remove(`${configMaps}/none`)),
  sequence('a replacement of what is not there', put(`${configMaps}/none`, configMap('none'))),
  sequence('a patch of what is not there', mergePatch(`${configMaps}/none`, {})),
];
