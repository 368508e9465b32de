// CustomResourceDefinitions and their objects.
import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  sequence,
  strategicPatch,
  versionOf,
} from '../sequence.ts';
import { definition, definitions, widget, widgets } from './bodies.ts';

type Fields = Readonly<Record<string, unknown>>;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const object = (properties: Fields, rest: Fields = {}) => ({ type: 'object', properties, ...rest });
const specOf = (properties: Fields, rest: Fields = {}) =>
  object({ spec: object(properties, rest), status: object({ phase: { type: 'string' } }) });

/** The definition's own answer is not part of the sequence: its conditions come when they come. */
const defined = (group: string, schema: Fields, version: Fields = {}) => [
  post(definitions, definition({ group, schema, version })),
  get(`/apis/${group}/v1`),
];
const create = (group: string, spec: Fields, query = '') =>
  post(`${widgets(group)}${query}`, widget(group, 'w', { spec }));
const refused = (group: string, rest: Parameters<typeof definition>[0]) =>
  post(definitions, definition({ ...rest, group }));

export const customResources = [
  sequence(
    'custom objects are made and read',
    ...defined('a.example.com', specOf({ size: { type: 'integer' } })),
    create('a.example.com', { size: 1 }),
    get(widgets('a.example.com')),
  ),
  sequence(
    'rules name what every object has',
    ...defined(
      'named.example.com',
      object({ spec: object({}) }, { 'x-kubernetes-validations': [{ rule: "self.metadata.name.startsWith('w')" }] }),
    ),
    create('named.example.com', {}),
    post(widgets('named.example.com'), widget('named.example.com', 'other', { spec: {} })),
    refused('unnamed.example.com', {
      group: '',
      schema: object({}, { 'x-kubernetes-validations': [{ rule: "self.metadata.labels['a'] == 'b'" }] }),
    }),
  ),
  sequence(
    'unknown fields are pruned',
    ...defined('b.example.com', specOf({ size: { type: 'integer' } })),
    create('b.example.com', { size: 1, colour: 'red' }),
  ),
  sequence(
    'unknown fields are kept where asked',
    ...defined('c.example.com', specOf({}, { 'x-kubernetes-preserve-unknown-fields': true })),
    create('c.example.com', { size: 1, deep: { er: true } }),
  ),
  sequence(
    'unknown fields are refused in strict mode',
    ...defined('d.example.com', specOf({ size: { type: 'integer' } })),
    create('d.example.com', { size: 1, colour: 'red' }, '?fieldValidation=Strict'),
    create('d.example.com', { size: 1, colour: 'red' }, '?fieldValidation=Warn'),
  ),
  sequence(
    'defaults are filled in',
    ...defined(
      'e.example.com',
      specOf({
        size: { type: 'integer', default: 3 },
        nested: object({ on: { type: 'boolean', default: true } }, { default: {} }),
        list: { type: 'array', items: object({ n: { type: 'integer', default: 1 } }) },
      }),
    ),
    create('e.example.com', { list: [{}, { n: 2 }] }),
  ),
  sequence(
    'types are checked',
    ...defined(
      'f.example.com',
      specOf({
        size: { type: 'integer' },
        name: { type: 'string' },
        on: { type: 'boolean' },
        list: { type: 'array', items: { type: 'string' } },
      }),
    ),
    create('f.example.com', { size: 'big' }),
    create('f.example.com', { name: 1, on: 'yes', list: 'x' }),
  ),
  sequence(
    'required fields are checked',
    ...defined('g.example.com', specOf({ size: { type: 'integer' } }, { required: ['size', 'name'] })),
    create('g.example.com', {}),
  ),
  sequence(
    'bounds are checked',
    ...defined(
      'h.example.com',
      specOf({
        size: { type: 'integer', minimum: 1, maximum: 5 },
        name: { type: 'string', minLength: 2, maxLength: 4 },
        list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
      }),
    ),
    create('h.example.com', { size: 0, name: 'x', list: [] }),
    create('h.example.com', { size: 9, name: 'too long', list: ['a', 'b', 'c'] }),
  ),
  sequence(
    'patterns and enumerations are checked',
    ...defined(
      'i.example.com',
      specOf({ name: { type: 'string', pattern: '^[a-z]+$' }, colour: { type: 'string', enum: ['red', 'blue'] } }),
    ),
    create('i.example.com', { name: 'A1', colour: 'green' }),
  ),
  sequence(
    'formats are checked',
    ...defined(
      'j.example.com',
      specOf({ when: { type: 'string', format: 'date-time' }, address: { type: 'string', format: 'ipv4' } }),
    ),
    create('j.example.com', { when: 'soon', address: 'here' }),
    create('j.example.com', { when: '2024-01-01T00:00:00Z', address: '10.0.0.1' }),
  ),
  sequence(
    'integers or strings',
    ...defined('k.example.com', specOf({ port: { 'x-kubernetes-int-or-string': true } })),
    create('k.example.com', { port: 'http' }),
    create('k.example.com', { port: true }),
  ),
  sequence(
    'nullable fields',
    ...defined('l.example.com', specOf({ a: { type: 'string', nullable: true }, b: { type: 'string' } })),
    create('l.example.com', { a: null, b: null }),
  ),
  sequence(
    'additional properties',
    ...defined('m.example.com', specOf({ map: { type: 'object', additionalProperties: { type: 'integer' } } })),
    create('m.example.com', { map: { a: 1, b: 'x' } }),
    create('m.example.com', { map: { a: 1 } }),
  ),
  sequence(
    'rules in CEL',
    ...defined(
      'n.example.com',
      specOf(
        { min: { type: 'integer' }, max: { type: 'integer' } },
        { 'x-kubernetes-validations': [{ rule: 'self.min <= self.max', message: 'min must not be above max' }] },
      ),
    ),
    create('n.example.com', { min: 2, max: 1 }),
    create('n.example.com', { min: 1, max: 2 }),
  ),
  sequence(
    'rules in CEL that look back',
    ...defined(
      'o.example.com',
      specOf({
        name: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'name is immutable' }],
        },
      }),
    ),
    create('o.example.com', { name: 'a' }),
    mergePatch(`${widgets('o.example.com')}/w`, { spec: { name: 'b' } }),
  ),
  sequence(
    'rules in CEL with an expression for words',
    ...defined(
      'p.example.com',
      specOf({
        size: {
          type: 'integer',
          'x-kubernetes-validations': [
            {
              rule: 'self < 10',
              messageExpression: '"size is " + string(self)',
              reason: 'FieldValueForbidden',
              fieldPath: undefined,
            },
          ],
        },
      }),
    ),
    create('p.example.com', { size: 12 }),
  ),
  sequence(
    'rules in CEL without words',
    ...defined(
      'q.example.com',
      specOf(
        { list: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } } },
        { 'x-kubernetes-validations': [{ rule: '!has(self.list) || self.list.all(x, x.startsWith("a"))' }] },
      ),
    ),
    create('q.example.com', { list: ['a', 'b'] }),
  ),
  sequence(
    'a rule that does not compile',
    refused('r.example.com', {
      group: '',
      schema: specOf({}, { 'x-kubernetes-validations': [{ rule: 'self.nothing > 1' }] }),
    }),
  ),
  sequence(
    'a custom status',
    ...defined('s.example.com', specOf({ size: { type: 'integer' } }), { subresources: { status: {} } }),
    post(widgets('s.example.com'), widget('s.example.com', 'w', { spec: { size: 1 }, status: { phase: 'New' } })),
    mergePatch(`${widgets('s.example.com')}/w/status`, { status: { phase: 'Done' }, spec: { size: 9 } }),
    mergePatch(`${widgets('s.example.com')}/w`, { spec: { size: 2 }, status: { phase: 'No' } }),
  ),
  sequence(
    'a custom object without a status door',
    ...defined('t.example.com', specOf({ size: { type: 'integer' } })),
    post(widgets('t.example.com'), widget('t.example.com', 'w', { spec: { size: 1 }, status: { phase: 'New' } })),
    get(`${widgets('t.example.com')}/w/status`),
  ),
  sequence(
    'a custom scale',
    ...defined(
      'u.example.com',
      object({
        spec: object({ replicas: { type: 'integer' } }),
        status: object({ replicas: { type: 'integer' }, selector: { type: 'string' } }),
      }),
      {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      },
    ),
    create('u.example.com', { replicas: 2 }),
    get(`${widgets('u.example.com')}/w/scale`),
    mergePatch(`${widgets('u.example.com')}/w/scale`, { spec: { replicas: 5 } }),
  ),
  sequence(
    'printer columns',
    ...defined('v.example.com', specOf({ size: { type: 'integer' }, name: { type: 'string' } }), {
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Name', type: 'string', jsonPath: '.spec.name', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    }),
    create('v.example.com', { size: 1 }),
    get(widgets('v.example.com'), { accept: table }),
  ),
  sequence(
    'no printer columns',
    ...defined('w.example.com', specOf({})),
    create('w.example.com', {}),
    get(widgets('w.example.com'), { accept: table }),
  ),
  sequence(
    'two versions',
    post(
      definitions,
      definition({
        group: 'x.example.com',
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: { openAPIV3Schema: specOf({ size: { type: 'integer' } }) },
        })),
      }),
    ),
    get('/apis/x.example.com/v1'),
    create('x.example.com', { size: 1 }),
    get(`${widgets('x.example.com', 'v2')}/w`),
    mergePatch(`${widgets('x.example.com', 'v2')}/w`, { spec: { size: 2 } }),
    get(`${widgets('x.example.com')}/w`),
  ),
  sequence(
    'a version that is not served',
    post(
      definitions,
      definition({
        group: 'y.example.com',
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: name === 'v1',
          storage: name === 'v1',
          schema: { openAPIV3Schema: specOf({}) },
        })),
      }),
    ),
    get('/apis/y.example.com/v1'),
    get(widgets('y.example.com', 'v2')),
  ),
  sequence(
    'strategic patch is not for custom objects',
    ...defined('z.example.com', specOf({ size: { type: 'integer' } })),
    create('z.example.com', { size: 1 }),
    strategicPatch(`${widgets('z.example.com')}/w`, { spec: { size: 2 } }),
    jsonPatch(`${widgets('z.example.com')}/w`, [{ op: 'replace', path: '/spec/size', value: 2 }]),
  ),
  sequence(
    'custom objects need a version to be replaced',
    ...defined('aa.example.com', specOf({ size: { type: 'integer' } })),
    create('aa.example.com', { size: 1 }),
    put(`${widgets('aa.example.com')}/w`, widget('aa.example.com', 'w', { spec: { size: 2 } })),
    (answers) =>
      put(`${widgets('aa.example.com')}/w`, {
        ...widget('aa.example.com', 'w', { spec: { size: 2 } }),
        metadata: { name: 'w', resourceVersion: versionOf(answers, 2) },
      }),
  ),
  sequence(
    'apply custom objects',
    ...defined(
      'ab.example.com',
      specOf({ size: { type: 'integer' }, list: { type: 'array', items: { type: 'string' } } }),
    ),
    apply(`${widgets('ab.example.com')}/w`, 'left', widget('ab.example.com', 'w', { spec: { size: 1, list: ['a'] } })),
    apply(`${widgets('ab.example.com')}/w`, 'right', widget('ab.example.com', 'w', { spec: { list: ['b'] } })),
    apply(`${widgets('ab.example.com')}/w`, 'left', widget('ab.example.com', 'w', { spec: { size: 1 } })),
  ),
  sequence(
    'apply custom lists by key',
    ...defined(
      'ac.example.com',
      specOf({
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: object({ name: { type: 'string' }, port: { type: 'integer' } }, { required: ['name'] }),
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      }),
    ),
    apply(
      `${widgets('ac.example.com')}/w`,
      'left',
      widget('ac.example.com', 'w', { spec: { ports: [{ name: 'a', port: 1 }], tags: ['x'] } }),
    ),
    apply(
      `${widgets('ac.example.com')}/w`,
      'right',
      widget('ac.example.com', 'w', { spec: { ports: [{ name: 'b', port: 2 }], tags: ['y'] } }),
    ),
    apply(`${widgets('ac.example.com')}/w`, 'left', widget('ac.example.com', 'w', { spec: { ports: [], tags: [] } })),
  ),
  sequence(
    'custom lists by key may not repeat',
    ...defined(
      'ad.example.com',
      specOf({
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: object({ name: { type: 'string' } }, { required: ['name'] }),
        },
      }),
    ),
    create('ad.example.com', { ports: [{ name: 'a' }, { name: 'a' }] }),
  ),
  sequence(
    'a definition under a wrong name',
    post(definitions, { ...definition({ group: 'ae.example.com' }), metadata: { name: 'wrong' } }),
  ),
  sequence(
    'a definition without a schema',
    post(definitions, definition({ group: 'af.example.com', versions: [{ name: 'v1', served: true, storage: true }] })),
  ),
  sequence(
    'a definition that stores nothing',
    post(definitions, definition({ group: 'ag.example.com', version: { storage: false } })),
  ),
  sequence('a definition without versions', post(definitions, definition({ group: 'ah.example.com', versions: [] }))),
  sequence(
    'a schema that is not structural',
    refused('ai.example.com', { group: '', schema: object({ spec: { properties: { a: { type: 'string' } } } }) }),
  ),
  sequence(
    'a schema of an unknown type',
    refused('aj.example.com', { group: '', schema: object({ spec: { type: 'thing' } }) }),
  ),
  sequence(
    'a definition changes its group',
    post(definitions, definition({ group: 'ak.example.com' })),
    mergePatch(`${definitions}/widgets.ak.example.com`, { spec: { group: 'other.example.com' } }),
  ),
  sequence(
    'a definition with a scope that is unknown',
    post(definitions, definition({ group: 'al.example.com', spec: { scope: 'Everywhere' } })),
  ),
  sequence(
    'a cluster kind',
    post(definitions, definition({ group: 'am.example.com', spec: { scope: 'Cluster' } })),
    get('/apis/am.example.com/v1'),
    post('/apis/am.example.com/v1/widgets', widget('am.example.com', 'w', { spec: {} })),
    get('/apis/am.example.com/v1/widgets/w'),
  ),
  sequence(
    'custom object of another kind',
    ...defined('an.example.com', specOf({})),
    post(widgets('an.example.com'), { ...widget('an.example.com', 'w', {}), kind: 'Gadget' }),
    post(widgets('an.example.com'), { ...widget('an.example.com', 'w', {}), apiVersion: 'an.example.com/v9' }),
  ),
  sequence(
    'generation of custom objects',
    ...defined('ao.example.com', specOf({ size: { type: 'integer' } })),
    create('ao.example.com', { size: 1 }),
    mergePatch(`${widgets('ao.example.com')}/w`, { metadata: { labels: { a: 'b' } } }),
    mergePatch(`${widgets('ao.example.com')}/w`, { spec: { size: 2 } }),
  ),
  sequence(
    'a deleted definition takes its objects',
    ...defined('ap.example.com', specOf({})),
    create('ap.example.com', {}),
    remove(`${widgets('ap.example.com')}/w`),
    get(`${widgets('ap.example.com')}/w`),
  ),
  sequence(
    'metadata of custom objects is checked',
    ...defined('aq.example.com', specOf({})),
    post(widgets('aq.example.com'), { ...widget('aq.example.com', 'Not_Valid', {}) }),
    post(widgets('aq.example.com'), {
      ...widget('aq.example.com', 'w', {}),
      metadata: { name: 'w', labels: { a: 1 } },
    }),
  ),
  sequence(
    'what is empty in the metadata of custom objects is not kept',
    ...defined('ar.example.com', specOf({ size: { type: 'integer' } })),
    post(widgets('ar.example.com'), {
      ...widget('ar.example.com', 'w', { spec: { size: 1 } }),
      metadata: { name: 'w', labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
    }),
    mergePatch(`${widgets('ar.example.com')}/w`, {
      metadata: { finalizers: ['example.com/hold'], labels: { a: 'b' } },
    }),
    mergePatch(`${widgets('ar.example.com')}/w`, { metadata: { finalizers: [], labels: { a: null } } }),
    mergePatch(`${widgets('ar.example.com')}/w`, { metadata: { finalizers: [], annotations: {} } }),
  ),
];
