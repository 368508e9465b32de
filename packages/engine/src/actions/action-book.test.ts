import type { KubeObject } from '@fairlead/kube';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LuaRunner } from '../lua/index.ts';
import { ActionBook, type ActionScripts } from './action-book.ts';

let lua: LuaRunner;
beforeAll(() => {
  lua = new LuaRunner();
});
afterAll(() => lua.close());

const lamp: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Lamp',
  metadata: { name: 'l', namespace: 'n', finalizers: [] },
  spec: { on: false, colour: null, list: ['a'], note: 'say "hi"\n\\' },
};
const book = (scripts: Partial<ActionScripts>) => {
  const made = new ActionBook(lua);
  const base = { group: 'example.com', kind: 'Lamp', discovery: 'return {}', definitions: [], mergeBuiltIn: false };
  made.follow([{ ...base, ...scripts }]);
  return made;
};
const act = (source: string, parameters = {}) =>
  book({ definitions: [{ name: 'do', source }] }).run('do', { object: lamp, parameters, nowMs: 0 });

it('lists what the script finds for the object', async () => {
  const discovery = `
    actions = {}
    actions["switch-on"] = {["disabled"] = obj.spec.on, ["iconClass"] = "fa fa-sun"}
    actions["dim"] = {["disabled"] = not obj.spec.on, ["params"] = {{["name"] = "level", ["default"] = "5"}}}
    return actions`;
  expect(await book({ discovery }).list(lamp)).toEqual([
    { name: 'dim', disabled: true, params: [{ name: 'level', default: '5' }] },
    { name: 'switch-on', iconClass: 'fa fa-sun' },
  ]);
});

it('patches what the script has changed, and nothing else', async () => {
  expect(
    await act('obj.spec.on = true; obj.spec.level = tonumber(actionParams["level"]); return obj', { level: '7' }),
  ).toEqual({
    effect: 'patch',
    body: { spec: { on: true, level: 7 } },
  });
});

it('carries out several writes, and patches no other object', async () => {
  const fresh = '{apiVersion = "v1", kind = "ConfigMap", metadata = {name = "made", namespace = "n"}}';
  expect(
    await act(`return {{operation = "create", resource = ${fresh}}, {operation = "patch", resource = obj}}`),
  ).toEqual({
    effect: 'several',
    writes: [
      { effect: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made', namespace: 'n' } } },
      { effect: 'patch', body: {} },
    ],
  });
  expect(await act(`return {{operation = "patch", resource = ${fresh}}}`)).toMatchObject({ effect: 'refuse' });
});

it('refuses what does not work, with its reason', async () => {
  expect(await act('error("not now")')).toMatchObject({ effect: 'refuse', reason: expect.stringContaining('not now') });
  expect(await act('while true do end')).toMatchObject({ reason: expect.stringContaining('took longer than 1 s') });
  expect(await act('return 5')).toEqual({ effect: 'refuse', reason: 'the action gave no object' });
  expect(await book({}).run('fly', { object: lamp, parameters: {}, nowMs: 0 })).toMatchObject({ effect: 'refuse' });
});

it('replaces the actions of a kind, or adds to them', async () => {
  const deployment: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: {} };
  const own = { group: 'apps', kind: 'Deployment', discovery: 'return {ping = {}}' };
  const namesIn = async (scripts: Partial<ActionScripts>) =>
    (await book(scripts).list(deployment)).map(({ name }) => name);
  expect(await namesIn(own)).toEqual(['ping']);
  expect(await namesIn({ ...own, mergeBuiltIn: true })).toEqual(['pause', 'ping', 'restart', 'resume', 'scale']);
});
