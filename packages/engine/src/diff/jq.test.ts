import type { KubeObject } from '@fairlead/kube';
import { afterAll, expect, it } from 'vitest';
import { JqError, JqRunner } from './index.ts';

const jq = new JqRunner();
afterAll(() => jq.stop());

const object: KubeObject = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec: {
    items: [
      { name: 'a', value: 1 },
      { name: 'b', value: 2 },
    ],
    other: null,
  },
};

it('removes what expressions select, and only that', async () => {
  const left = await jq.remove(object, ['.spec.items[] | select(.name == "a")', '.spec.nope.deeper', '.spec.other[]?']);
  expect(left['spec']).toEqual({ items: [{ name: 'b', value: 2 }], other: null });
});

it('names an expression that is no jq', async () => {
  await expect(jq.remove(object, ['.spec[[']).then(() => '')).rejects.toThrow('jqPathExpressions: ".spec[["');
});

it('finds what is no jq without an object that it is about, and nothing else', async () => {
  await expect(jq.check(['.spec', '.spec[['])).rejects.toThrow(JqError);
  await jq.check(['.spec', '.a.b.c', '.a | error']);
});

it('leaves an object alone where an expression gives something else than one object', async () => {
  expect(await jq.remove(object, ['.', '.spec), (.spec', '.spec.items[0].name.deeper'])).toEqual(object);
});

it('ends an expression that never ends, and goes on with the next', async () => {
  await expect(jq.remove(object, ['def f: f; f'])).rejects.toThrow('took longer than 1 s');
  expect((await jq.remove(object, ['.spec']))['spec']).toBeUndefined();
}, 30_000);
