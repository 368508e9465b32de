// The health of objects that somebody has at hand, without a cluster: `fairlead health`.
import { type KubeObject, recordAt } from '@fairlead/kube';
import { type Health, HealthJudge } from './health/index.ts';
import { LuaRunner } from './lua/index.ts';
import { parseSettings } from './settings/index.ts';

/** One verdict an object; undefined for kinds without a check. `settings`: a ConfigMap `argocd-cm`. */
export async function judgeObjects(
  objects: readonly KubeObject[],
  settings?: KubeObject,
): Promise<(Health | undefined)[]> {
  const lua = new LuaRunner();
  try {
    const judge = new HealthJudge(lua);
    judge.follow(parseSettings(recordAt(settings, 'data')).healthScripts);
    await judge.ready(objects);
    return objects.map(judge.of);
  } finally {
    await lua.close();
  }
}
