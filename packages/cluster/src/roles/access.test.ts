import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCluster, startCluster } from './cluster.ts';

let cluster: RunningCluster;
let admin: string;

beforeAll(async () => {
  cluster = await startCluster({ controllers: 'none' });
  admin = /token: (\S+)/.exec(cluster.kubeconfig)?.[1] ?? '';
  await call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'robot' } } });
});
afterAll(() => cluster.stop());

interface CallOptions {
  readonly body?: object;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

interface Reply {
  readonly status: number;
  readonly body: Record<string, Record<string, unknown>> & { readonly message?: string };
}

function call(method: string, path: string, { body, token = admin, headers = {} }: CallOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // The certificate is of the server this test has started.
    const options = { method, rejectUnauthorized: false, headers: { authorization: `Bearer ${token}`, ...headers } };
    const sent = request(new URL(`${cluster.url}${path}`), options, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Reply['body'] });
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const pods = '/api/v1/namespaces/default/pods';
const tokenOf = async (name: string) => {
  const { body } = await call('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, {
    body: { spec: {} },
  });
  return String(body['status']?.['token']);
};

describe('metrics', () => {
  const metrics = (token = admin) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const options = { rejectUnauthorized: false, headers: { authorization: `Bearer ${token}` } };
      const sent = request(new URL(`${cluster.url}/metrics`), options, async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve({ status: response.statusCode ?? 0, text });
      });
      sent.on('error', reject);
      sent.end();
    });
  const readingOf = (text: string, name: string) => Number(new RegExp(`^${name}.* (\\d+)$`, 'm').exec(text)?.[1]);

  it('tell what was asked and what is kept', async () => {
    const before = (await metrics()).text;
    await call('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: 'counted' } } });
    await call('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: 'counted' } } });
    const after = (await metrics()).text;
    expect(readingOf(after, 'fairlead_cluster_objects')).toBe(readingOf(before, 'fairlead_cluster_objects') + 1);
    expect(readingOf(after, 'fairlead_cluster_log_bytes')).toBeGreaterThan(
      readingOf(before, 'fairlead_cluster_log_bytes'),
    );
    expect(after).toMatch(/^fairlead_cluster_requests_total\{verb="post",status="409",role="cluster"\} 1$/m);
    expect(readingOf(after, 'fairlead_cluster_watches_cut')).toBe(0);
  });

  it('are for who may get that path', async () => {
    expect((await metrics(await tokenOf('robot'))).status).toBe(403);
  });
});

describe('service accounts', () => {
  it('may do what roles bound to them allow, and nothing before', async () => {
    const token = await tokenOf('robot');
    const refused = await call('GET', pods, { token });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      'pods is forbidden: User "system:serviceaccount:default:robot" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }];
    const binding = { metadata: { name: 'robots-see' }, roleRef, subjects };
    await call('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', { body: binding });
    expect((await call('GET', pods, { token })).status).toBe(200);
    expect((await call('DELETE', pods, { token })).status).toBe(403);
    expect((await call('GET', '/api/v1/namespaces/kube-system/pods', { token })).status).toBe(403);
  });

  it('lose their tokens when they are deleted, even if one of the same name is made again', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await call('POST', accounts, { body: { metadata: { name: 'brief' } } });
    const token = await tokenOf('brief');
    expect((await call('GET', '/api', { token })).status).toBe(200);
    await call('DELETE', `${accounts}/brief`);
    await call('POST', accounts, { body: { metadata: { name: 'brief' } } });
    expect((await call('GET', '/api', { token })).status).toBe(401);
  });

  it('have no power with a token that was changed', async () => {
    const [head, , signature] = (await tokenOf('robot')).split('.');
    const claims = Buffer.from('{"sub":"system:serviceaccount:kube-system:root"}').toString('base64url');
    expect((await call('GET', '/api', { token: `${head}.${claims}.${signature}` })).status).toBe(401);
    expect((await call('GET', '/api', { token: 'a.b.c' })).status).toBe(401);
  });
});

describe('impersonation', () => {
  it('shows an administrator what somebody else may do', async () => {
    const headers = { 'impersonate-user': 'jane' };
    const refused = await call('GET', '/api/v1/nodes', { headers });
    expect(refused.status).toBe(403);
    const spec = { resourceAttributes: { verb: 'list', resource: 'nodes' } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
    expect((await call('POST', path, { body: review, headers })).body['status']).toEqual({ allowed: false });
    expect((await call('POST', path, { body: review })).body['status']).toEqual({ allowed: true });
  });

  it('is refused to those who may not', async () => {
    const token = await tokenOf('robot');
    const { status } = await call('GET', pods, {
      token,
      headers: { 'impersonate-user': 'kubernetes-admin', 'impersonate-group': 'system:masters' },
    });
    expect(status).toBe(403);
  });
});
