import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redact.ts';

const redactor = new Redactor('key');
const canary = 'CANARY-9f2c';
const base64 = Buffer.from(canary).toString('base64');

const hiding: [string, unknown][] = [
  ['data of a Secret', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { anything: base64 } }],
  ['stringData of a Secret', { apiVersion: 'v1', kind: 'Secret', stringData: { 'config.yaml': canary } }],
  [
    'the last-applied annotation',
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":"${base64}"}` } },
    },
  ],
  [
    'an environment variable',
    { kind: 'Pod', spec: { containers: [{ env: [{ name: 'DB_PASSWORD', value: canary }] }] } },
  ],
  ['a Helm parameter', { helm: { parameters: [{ name: 'auth.token', value: canary }] } }],
  ['Helm values as text', { helm: { values: `image: x\nadminPassword: ${canary}\nreplicas: 2\n` } }],
  ['a flag', { args: ['--port=80', `--api-key=${canary}`] }],
  ['a URL', { repoURL: `https://user:${canary}@git.example/x.git` }],
  [
    'a private key',
    { data: { 'tls.txt': `-----BEGIN RSA PRIVATE KEY-----\n${canary}\n-----END RSA PRIVATE KEY-----` } },
  ],
  ['a value under a telling name', { kind: 'ConfigMap', data: { apiKey: canary, clientSecret: canary } }],
];

describe('the redactor', () => {
  it.each(hiding)('hides %s', (_, object) => {
    const shown = JSON.stringify(redactor.manifest(object));
    expect(shown).not.toContain(canary);
    expect(shown).not.toContain(base64);
  });

  it('keeps what people need: names, references, structure', () => {
    const object = {
      kind: 'Deployment',
      spec: {
        env: [{ name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }],
        volumes: [{ name: 'token', secret: { secretName: 'db' } }],
        imagePullSecrets: [{ name: 'registry' }],
        serviceAccountName: 'x',
        automountServiceAccountToken: false,
      },
    };
    expect(redactor.manifest(object)).toEqual(object);
  });

  it('shows that a value changed, without the key being guessable from outside', () => {
    const secretOf = (value: string) => redactor.manifest({ apiVersion: 'v1', kind: 'Secret', data: { a: value } });
    expect(secretOf('one')).toEqual(secretOf('one'));
    expect(secretOf('one')).not.toEqual(secretOf('two'));
    expect(secretOf('one')).not.toEqual(
      new Redactor('other').manifest({ apiVersion: 'v1', kind: 'Secret', data: { a: 'one' } }),
    );
  });

  it('gives the same when it is applied twice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = redactor.value(value);
        expect(redactor.value(once)).toEqual(once);
      }),
    );
  });

  it('leaves out managedFields and resourceVersion', () => {
    const object = {
      kind: 'ConfigMap',
      metadata: { name: 'c', resourceVersion: '7', managedFields: [{ manager: 'm' }] },
    };
    expect(redactor.manifest(object)).toEqual({ kind: 'ConfigMap', metadata: { name: 'c' } });
  });
});
