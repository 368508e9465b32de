// Every scenario against a Kubernetes and an engine that are given:
//   KUBECONFIG    the cluster; without it the embedded one
//   ENGINE_URL, ENGINE_TOKEN   an engine that already serves it (ours or Argo CD); without them ours is started
//   GIT_URL, GIT_TOKEN   a git server that the engine reaches and where repositories come into being by a push;
//                 without it the built-in one
//   RUNS_PODS=1   the cluster runs pods, so that workloads become healthy
import { afterAll, beforeAll } from 'vitest';
import { definePlays, type Stage } from './scenarios/index.ts';
import { startWorld, type World } from './world.ts';

const { KUBECONFIG: kubeconfig, ENGINE_URL: engineUrl, ENGINE_TOKEN: engineToken } = process.env;
const { GIT_URL: gitUrl, GIT_TOKEN: gitToken, RUNS_PODS: runsPods } = process.env;
let world: World;
let stage: Stage;

beforeAll(async () => {
  const git = gitUrl ? { url: gitUrl, token: gitToken ?? '' } : undefined;
  const engine = engineUrl ? { url: engineUrl, token: engineToken ?? '' } : undefined;
  world = await startWorld({ kubeconfig, engine, git });
  const isOwn = kubeconfig === undefined;
  stage = {
    ...world,
    engineNamespace: 'argocd',
    runsPods: isOwn || runsPods === '1',
    isOurEngine: engineUrl === undefined,
    patienceMs: isOwn ? 30_000 : 120_000,
  };
}, 120_000);
afterAll(() => world.stop());

definePlays(() => stage, { isKept: kubeconfig !== undefined, timeoutMs: 240_000 });
