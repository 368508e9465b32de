// JSON patch, merge patch, strategic merge patch.
import { get, jsonPatch, mergePatch, post, sequence, strategicPatch } from '../sequence.ts';
import { configMap, configMaps, container, deployment, deployments, pod, pods, service, services } from './bodies.ts';

const start = post(configMaps, configMap('a', { a: '1', b: '2' }, { labels: { x: 'y' } }));
const one = `${configMaps}/a`;
const web = post(deployments, deployment('web'));
const deployed = `${deployments}/web`;
const containers = (...list: readonly unknown[]) => ({ spec: { template: { spec: { containers: list } } } });

export const patches = [
  sequence(
    'json patch adds, replaces and removes',
    start,
    jsonPatch(one, [
      { op: 'add', path: '/data/c', value: '3' },
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'remove', path: '/data/b' },
    ]),
  ),
  sequence(
    'json patch moves, copies and tests',
    start,
    jsonPatch(one, [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'move', from: '/data/a', path: '/data/z' },
      { op: 'copy', from: '/data/b', path: '/data/c' },
    ]),
  ),
  sequence('json patch test that fails', start, jsonPatch(one, [{ op: 'test', path: '/data/a', value: 'no' }])),
  sequence('json patch removes what is not there', start, jsonPatch(one, [{ op: 'remove', path: '/data/none' }])),
  sequence('json patch is not a list', start, jsonPatch(one, { op: 'add' })),
  sequence('json patch of an unknown operation', start, jsonPatch(one, [{ op: 'invent', path: '/data/a' }])),
  sequence(
    'json patch with an escaped key',
    start,
    jsonPatch(one, [
      { op: 'add', path: '/metadata/annotations', value: { 'a/b': 'c' } },
      { op: 'replace', path: '/metadata/annotations/a~1b', value: 'd' },
    ]),
  ),
  sequence(
    'json patch appends to a list',
    web,
    jsonPatch(deployed, [
      { op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'side', image: 'busybox:1' } },
    ]),
  ),
  sequence(
    'json patch changes the name',
    start,
    jsonPatch(one, [{ op: 'replace', path: '/metadata/name', value: 'b' }]),
  ),
  sequence(
    'json patch of a stale version',
    start,
    jsonPatch(one, [
      { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
      { op: 'replace', path: '/data/a', value: '9' },
    ]),
  ),
  sequence('merge patch adds, replaces and removes', start, mergePatch(one, { data: { a: '9', b: null, c: '3' } })),
  sequence('merge patch of nothing', start, mergePatch(one, {})),
  sequence('merge patch to what is not there', mergePatch(one, { data: { a: '1' } })),
  sequence('merge patch replaces lists', web, mergePatch(deployed, containers(container({ name: 'other' })))),
  sequence(
    'merge patch of a stale version',
    start,
    mergePatch(one, { metadata: { resourceVersion: '1' }, data: { a: '9' } }),
  ),
  sequence('merge patch in a dry run', start, mergePatch(`${one}?dryRun=All`, { data: { a: '9' } }), get(one)),
  sequence('merge patch that is text', start, mergePatch(one, 'not json')),
  sequence('merge patch that is a list', start, mergePatch(one, [])),
  sequence('merge patch of a wrong type', start, mergePatch(one, { data: 'text' })),
  sequence(
    'strategic patch merges containers by name',
    web,
    strategicPatch(deployed, containers({ name: 'web', image: 'nginx:2' }, { name: 'side', image: 'busybox:1' })),
  ),
  sequence(
    'strategic patch deletes a container',
    post(
      deployments,
      deployment('web', {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [container(), container({ name: 'side' })] },
        },
      }),
    ),
    strategicPatch(deployed, containers({ name: 'side', $patch: 'delete' })),
  ),
  sequence(
    'strategic patch replaces a list',
    web,
    strategicPatch(deployed, containers({ $patch: 'replace' }, { name: 'only', image: 'busybox:1' })),
  ),
  sequence(
    'strategic patch merges env',
    web,
    strategicPatch(
      deployed,
      containers({
        name: 'web',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      }),
    ),
    strategicPatch(deployed, containers({ name: 'web', env: [{ name: 'B', value: '3' }] })),
  ),
  sequence(
    'strategic patch orders a list',
    post(
      deployments,
      deployment('web', {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [container({ name: 'a' }), container({ name: 'b' })] },
        },
      }),
    ),
    strategicPatch(deployed, {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
            containers: [{ name: 'a', image: 'busybox:2' }],
          },
        },
      },
    }),
  ),
  sequence(
    'strategic patch deletes from a primitive list',
    post(configMaps, configMap('a', {}, { finalizers: ['example.com/a', 'example.com/b'] })),
    strategicPatch(one, { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } }),
  ),
  sequence(
    'strategic patch switches the strategy',
    web,
    strategicPatch(deployed, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
  ),
  sequence(
    'strategic patch of ports',
    post(
      services,
      service('s', {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      }),
    ),
    strategicPatch(`${services}/s`, { spec: { ports: [{ port: 81, targetPort: 8081 }] } }),
  ),
  sequence('strategic patch of labels', start, strategicPatch(one, { metadata: { labels: { x: null, z: '1' } } })),
  sequence('strategic patch without a merge key', web, strategicPatch(deployed, containers({ image: 'nginx:2' }))),
  sequence(
    'strategic patch with an unknown directive',
    web,
    strategicPatch(deployed, containers({ name: 'web', $patch: 'invent' })),
  ),
  sequence('patch makes invalid', web, mergePatch(deployed, { spec: { replicas: -1 } })),
  sequence(
    'patch of an immutable selector',
    web,
    mergePatch(deployed, {
      spec: { selector: { matchLabels: { app: 'other' } }, template: { metadata: { labels: { app: 'other' } } } },
    }),
  ),
  sequence(
    'patch of a pod image',
    post(pods, pod('p')),
    strategicPatch(`${pods}/p`, { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } }),
  ),
  sequence('patch of a pod spec', post(pods, pod('p')), mergePatch(`${pods}/p`, { spec: { hostNetwork: true } })),
  sequence(
    'patch by managers in turn',
    start,
    mergePatch(`${one}?fieldManager=left`, { data: { a: 'l' } }),
    mergePatch(`${one}?fieldManager=right`, { data: { b: 'r', c: 'r' } }),
    mergePatch(`${one}?fieldManager=left`, { data: { c: null } }),
  ),
  sequence('forced without apply', start, mergePatch(`${one}?force=true`, { data: { a: '2' } })),
];
