import type { KubeObject } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LuaRunner } from '../lua/index.ts';
import { healthOf } from './health.ts';
import { HealthJudge } from './judge.ts';

let lua: LuaRunner;
beforeAll(() => {
  lua = new LuaRunner();
});
afterAll(() => lua.close());

const lamp = (rest: object = {}): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Lamp',
  metadata: { name: 'l' },
  ...rest,
});
const judged = async (source: string, object = lamp(), kind = { group: 'example.com', kind: 'Lamp' }) => {
  const judge = new HealthJudge(lua);
  judge.follow([{ ...kind, source }]);
  await judge.ready([object]);
  return judge.of(object);
};

describe('a script', () => {
  it('sees the object and gives status and message', async () => {
    const source = `
      hs = {}
      for i, condition in ipairs(obj.status.conditions) do
        if condition.type == "Lit" and condition.status == "True" then
          hs.status = "Healthy"
          hs.message = condition.type .. " " .. table.getn(obj.status.conditions) .. " " .. obj.status.watts
          return hs
        end
      end`;
    const status = { watts: 60, nothing: null, conditions: [{ type: 'Lit', status: 'True' }] };
    expect(await judged(source, lamp({ status }))).toEqual({ status: 'Healthy', message: 'Lit 1 60' });
  });

  it('that gives nothing says nothing; one that gives nonsense is Unknown', async () => {
    expect(await judged('return nil')).toBeUndefined();
    expect(await judged('return {status = "Splendid"}')).toEqual({
      status: 'Unknown',
      message: 'Lua returned an invalid health status',
    });
  });

  it('cannot catch the end of its time', async () => {
    const stubborn = 'while true do pcall(function() while true do end end) end';
    expect((await judged(stubborn))?.message).toMatch(/took longer than 1 s/);
    expect(await judged('local ok, why = pcall(error, "x", 0) return {status = "Healthy", message = why}')).toEqual({
      status: 'Healthy',
      message: 'x',
    });
  });

  it('is ended with its thread when one call of its own takes too long, and others go on', async () => {
    const endless = 'return {status = string.find(string.rep("a", 200000), ".-b") and "Healthy" or "Degraded"}';
    let looks = 0;
    const looking = setInterval(() => looks++, 50);
    expect(await judged(endless)).toEqual({
      status: 'Unknown',
      message: 'health script of argocd-cm: took longer than 1 s',
    });
    clearInterval(looking);
    expect(looks).toBeGreaterThan(0); // meanwhile the engine could do something else
    expect(await judged('return {status = "Healthy"}')).toEqual({ status: 'Healthy' });
  });

  it('has not spoken yet: Progressing, and nobody waits for it', async () => {
    const judge = new HealthJudge(lua);
    judge.follow([{ group: 'example.com', kind: 'Lamp', source: 'return {status = "Healthy"}' }]);
    const object = lamp();
    expect(judge.of(object)).toEqual({ status: 'Progressing', message: 'waiting for the health script of argocd-cm' });
    await judge.ready([object]);
    expect(judge.of(object)).toEqual({ status: 'Healthy' });
    expect(judge.ready([object])).toBeUndefined();
  });

  it('that is wrong is Unknown, with its reason', async () => {
    expect((await judged('this is not lua'))?.message).toMatch(/^health script of argocd-cm: script:1:/);
    expect((await judged('return {status = obj.status.phase}'))?.message).toMatch(/attempt to index/);
  });

  it('ends after a second, and at the bound of its memory', async () => {
    expect(await judged('while true do end')).toEqual({
      status: 'Unknown',
      message: 'health script of argocd-cm: took longer than 1 s',
    });
    expect((await judged('return {status = ("x"):rep(1e9)}'))?.message).toMatch(/not enough memory/);
    expect(await judged('return {status = "Healthy"}')).toEqual({ status: 'Healthy' });
  });

  it('reaches nothing outside, and leaves nothing for the next', async () => {
    const outside = 'io os.execute os.getenv require load loadstring dofile debug package collectgarbage print';
    for (const name of outside.split(' ')) {
      expect(await judged(`return {status = ${name} == nil and "Healthy" or "Degraded"}`), name).toEqual({
        status: 'Healthy',
      });
    }
    await judged('leak = 1; table.insert = nil; string.rep = nil; return nil');
    const isClean = 'leak == nil and table.insert ~= nil and ("a"):rep(2) == "aa"';
    expect(await judged(`return {status = ${isClean} and "Healthy" or "Degraded"}`)).toEqual({ status: 'Healthy' });
    expect((await judged('getmetatable("").__index = nil'))?.status).toBe('Unknown');
  });

  it('is found by pattern, and an exact one wins', async () => {
    const wide = { group: '*.example.com', kind: '*' };
    const object: KubeObject = { ...lamp(), apiVersion: 'lights.example.com/v1' };
    expect(await judged('return {status = "Suspended"}', object, wide)).toEqual({ status: 'Suspended' });
    const judge = new HealthJudge(lua);
    judge.follow([
      { ...wide, source: 'return {status = "Suspended"}' },
      { group: 'lights.example.com', kind: 'Lamp', source: 'return {status = "Healthy"}' },
    ]);
    await judge.ready([object, lamp()]);
    expect(judge.of(object)).toEqual({ status: 'Healthy' });
    expect(judge.of(lamp())).toBeUndefined();
  });
});

describe('kinds of operators', () => {
  const of = (apiVersion: string, kind: string, rest: object) =>
    healthOf({ apiVersion, kind, metadata: { name: 'x', generation: 2 }, ...rest });
  const ready = (status: string, more: object = {}) => ({
    status: { conditions: [{ type: 'Ready', status, message: 'words', ...more }] },
  });

  it.each([
    ['cert-manager.io/v1', 'Certificate', {}, 'Progressing', 'Waiting for certificate'],
    ['cert-manager.io/v1', 'Certificate', ready('False'), 'Degraded', 'words'],
    ['cert-manager.io/v1', 'Issuer', ready('True'), 'Healthy', 'words'],
    ['external-secrets.io/v1', 'ExternalSecret', ready('False'), 'Degraded', 'words'],
    ['argoproj.io/v1alpha1', 'Rollout', { spec: {} }, 'Progressing', 'Waiting for rollout spec update to be observed'],
    [
      'argoproj.io/v1alpha1',
      'Rollout',
      { status: { observedGeneration: '2', phase: 'Paused' } },
      'Suspended',
      undefined,
    ],
    [
      'argoproj.io/v1alpha1',
      'Rollout',
      { status: { observedGeneration: '1', phase: 'Healthy' } },
      'Progressing',
      /observed/,
    ],
    ['argoproj.io/v1alpha1', 'Workflow', { status: { phase: 'Failed', message: 'oh' } }, 'Degraded', 'oh'],
    ['argoproj.io/v1alpha1', 'AnalysisRun', { status: { phase: 'Inconclusive' } }, 'Unknown', /inconclusive/],
    ['keda.sh/v1alpha1', 'ScaledObject', ready('True'), 'Healthy', 'words'],
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { spec: { suspend: true } }, 'Suspended', /suspended/],
    ['gateway.networking.k8s.io/v1', 'Gateway', {}, 'Progressing', 'Waiting for Gateway status'],
    ['s3.aws.crossplane.io/v1beta1', 'Bucket', ready('True'), 'Healthy', 'Resource is up-to-date.'],
    ['batch/v1', 'CronJob', { spec: { suspend: true } }, 'Healthy', 'CronJob is Suspended'],
  ])('%s %s %j is %s', (apiVersion, kind, rest, status, message) => {
    const found = of(apiVersion, kind, rest);
    expect(found?.status).toBe(status);
    if (message) expect(found?.message).toMatch(message);
  });
});
