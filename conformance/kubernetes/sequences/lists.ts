// Lists, pages, selectors, tables and watches.
import { from, get, mergePatch, post, remove, sequence, versionOf, watch } from '../sequence.ts';
import { configMap, configMaps, deployment, deployments, pod, pods, service, services } from './bodies.ts';

const labelled = (name: string, tier: string) => post(configMaps, configMap(name, {}, { labels: { tier } }));
const three = [labelled('a', 'front'), labelled('b', 'back'), post(configMaps, configMap('c'))];
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const select = (query: string) => get(`${configMaps}?${query}`);

export const lists = [
  sequence('an empty list', get(configMaps)),
  sequence('a list', ...three, get(configMaps)),
  sequence('a list in pages', ...three, select('limit=2'), (answers) =>
    select(`limit=2&continue=${encodeURIComponent(String(from(answers, 3, 'metadata', 'continue')))}`),
  ),
  sequence('a page token that is broken', select('limit=2&continue=broken')),
  sequence('a limit that is no number', select('limit=many')),
  sequence('labels equal', ...three, select('labelSelector=tier=front')),
  sequence('labels differ', ...three, select('labelSelector=tier!=front')),
  sequence('labels in a set', ...three, select('labelSelector=tier in (front,back)'.replaceAll(' ', '%20'))),
  sequence('labels not in a set', ...three, select('labelSelector=tier%20notin%20(front)')),
  sequence('labels exist', ...three, select('labelSelector=tier')),
  sequence('labels do not exist', ...three, select('labelSelector=!tier')),
  sequence('labels that are broken', select('labelSelector=tier%20in%20front')),
  sequence('labels with a bad key', select('labelSelector=-tier=x')),
  sequence('labels with a bad value', select('labelSelector=tier=-x')),
  sequence('fields by name', ...three, select('fieldSelector=metadata.name=b')),
  sequence('fields by another name', ...three, select('fieldSelector=metadata.name!=b')),
  sequence('fields that cannot be selected', select('fieldSelector=data.a=1')),
  sequence('fields that are broken', select('fieldSelector=metadata.name')),
  sequence(
    'pods by phase',
    post(pods, pod('p')),
    get(`${pods}?fieldSelector=status.phase=Pending`),
    get(`${pods}?fieldSelector=status.phase=Running`),
  ),
  sequence('pods by node', post(pods, pod('p')), get(`${pods}?fieldSelector=spec.nodeName=`)),
  sequence(
    'a list of metadata',
    ...three,
    get(configMaps, { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' }),
  ),
  sequence('a table of config maps', ...three, get(configMaps, { accept: table })),
  sequence(
    'a table of one deployment',
    post(deployments, deployment('web')),
    get(`${deployments}/web`, { accept: table }),
  ),
  sequence('a table of pods', post(pods, pod('p')), get(pods, { accept: table })),
  sequence('a table of services', post(services, service('s')), get(services, { accept: table })),
  sequence('a table without objects', ...three, get(`${configMaps}?includeObject=None`, { accept: table })),
  sequence('a table of a namespace', get('/api/v1/namespaces/{ns}', { accept: table })),
  sequence('an exact version without a version', select('resourceVersionMatch=Exact')),
  sequence('a version that is no number', select('resourceVersion=abc')),
  sequence('any version', ...three, select('resourceVersion=0')),
  sequence(
    'watch from a version',
    labelled('a', 'front'),
    mergePatch(`${configMaps}/a`, { data: { x: '1' } }),
    remove(`${configMaps}/a`),
    (answers) => watch(`${configMaps}?resourceVersion=${versionOf(answers, 0)}`),
  ),
  sequence('watch from the beginning', labelled('a', 'front'), watch(configMaps)),
  sequence(
    'watch a selection',
    labelled('a', 'front'),
    labelled('b', 'back'),
    mergePatch(`${configMaps}/a`, { metadata: { labels: { tier: 'back' } } }),
    mergePatch(`${configMaps}/b`, { metadata: { labels: { tier: 'front' } } }),
    remove(`${configMaps}/b`),
    (answers) => watch(`${configMaps}?resourceVersion=${versionOf(answers, 0)}&labelSelector=tier=front`),
  ),
  sequence('watch one object by its field', labelled('a', 'front'), labelled('b', 'back'), (answers) =>
    watch(`${configMaps}?resourceVersion=${versionOf(answers, 0)}&fieldSelector=metadata.name=b`),
  ),
  sequence('watch one object by its path', labelled('a', 'front'), watch(`/api/v1/watch/namespaces/{ns}/configmaps/a`)),
  sequence(
    'watch metadata',
    labelled('a', 'front'),
    watch(configMaps, { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }),
  ),
  sequence('watch a version that is no number', { ...watch(`${configMaps}?resourceVersion=abc`), isWatch: false }),
  sequence('watch asks for initial events wrongly', {
    ...watch(`${configMaps}?sendInitialEvents=true`),
    isWatch: false,
  }),
];
