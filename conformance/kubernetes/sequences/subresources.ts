// status, scale, eviction, finalize.
import { get, jsonPatch, mergePatch, post, put, sequence, strategicPatch } from '../sequence.ts';
import { configMap, configMaps, deployment, deployments, pod, pods } from './bodies.ts';

const web = post(deployments, deployment('web', { replicas: 2 }));
const deployed = `${deployments}/web`;
const scale = (replicas: unknown) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web', namespace: '{ns}' },
  spec: { replicas },
});

export const subresources = [
  sequence('read a status', web, get(`${deployed}/status`)),
  sequence(
    'replace a status',
    web,
    put(`${deployed}/status`, { ...deployment('web', { replicas: 9 }), status: { replicas: 2, readyReplicas: 1 } }),
  ),
  sequence(
    'patch a status',
    web,
    mergePatch(`${deployed}/status`, {
      status: { replicas: 3 },
      spec: { replicas: 9 },
      metadata: { labels: { x: 'y' } },
    }),
  ),
  sequence(
    'patch conditions strategically',
    web,
    strategicPatch(`${deployed}/status`, { status: { conditions: [{ type: 'Available', status: 'True' }] } }),
    strategicPatch(`${deployed}/status`, { status: { conditions: [{ type: 'Progressing', status: 'True' }] } }),
  ),
  sequence(
    'status by another manager',
    web,
    mergePatch(`${deployed}/status?fieldManager=controller`, { status: { replicas: 3 } }),
  ),
  sequence('read a scale', web, get(`${deployed}/scale`)),
  sequence('replace a scale', web, put(`${deployed}/scale`, scale(5)), get(deployed)),
  sequence('patch a scale', web, mergePatch(`${deployed}/scale`, { spec: { replicas: 4 } }), get(deployed)),
  sequence(
    'json patch a scale',
    web,
    jsonPatch(`${deployed}/scale`, [{ op: 'replace', path: '/spec/replicas', value: 0 }]),
  ),
  sequence('a negative scale', web, put(`${deployed}/scale`, scale(-1))),
  sequence(
    'a stale scale',
    web,
    put(`${deployed}/scale`, { ...scale(1), metadata: { name: 'web', namespace: '{ns}', resourceVersion: '1' } }),
  ),
  sequence('a scale of nothing', get(`${deployments}/none/scale`)),
  sequence('a status where there is none', post(configMaps, configMap('a')), get(`${configMaps}/a/status`)),
  sequence('an unknown subresource', web, get(`${deployed}/invented`)),
  sequence(
    'a pod turns running',
    post(pods, pod('p')),
    mergePatch(`${pods}/p/status`, { status: { phase: 'Running', podIP: '10.0.0.1' } }),
  ),
  sequence(
    'evict a pod',
    post(pods, pod('p')),
    post(`${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }),
    get(`${pods}/p`),
  ),
  sequence(
    'bind a pod',
    post(pods, pod('p')),
    post(`${pods}/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
    }),
  ),
  sequence(
    'finalize a namespace',
    put('/api/v1/namespaces/{ns}/finalize', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: '{ns}' },
      spec: { finalizers: ['kubernetes'] },
    }),
  ),
  sequence('post to a status', web, post(`${deployed}/status`, deployment('web'))),
];
