// The platform is away while pushes deploy: deployments go on, and afterwards every single result is there, although the
// runtime was killed meanwhile and the engine's own history holds only the last ten.
import { expect, test } from '@playwright/test';
import { eventually, Fairlead, temporaryHome } from './harness.ts';

const environments = ['dev', 'staging', 'prod'];
/** Each push deploys to three applications. */
const pushes = 34;

test('every result of a hundred deployments arrives after the platform was away', async () => {
  test.setTimeout(300_000);
  const fairlead = await Fairlead.start(temporaryHome());
  const { processes } = JSON.parse(await fairlead.run('status', '-o', 'json')) as { processes: Record<string, number> };
  const platform = processes['platform'] ?? 0;
  try {
    const clone = await fairlead.clone();
    process.kill(platform, 'SIGSTOP');
    const revisions: string[] = [];
    for (let n = 1; n <= pushes; n++) {
      const image = `example.com/guestbook:away-${n}`;
      for (const environment of environments) {
        clone.edit(`${environment}/deployment.yaml`, (text) => text.replace(/image: .*/, `image: ${image}`));
      }
      const revision = await clone.push(`Deploy ${image}`);
      revisions.push(revision);
      if (n === pushes / 2) process.kill(processes['runtime'] ?? 0, 'SIGKILL');
      await eventually(
        `push ${n} is deployed`,
        () => Promise.all(environments.map((environment) => syncedTo(fairlead, environment))),
        (synced) => synced.every((each) => each === revision),
        30_000,
      );
    }
    process.kill(platform, 'SIGCONT');
    for (const environment of environments) {
      await eventually(
        `all ${pushes} results of ${environment}`,
        () => reported(fairlead, environment),
        (rows) => revisions.every((revision) => rows.some((row) => row.revision === revision)),
        60_000,
      );
      const rows = await reported(fairlead, environment);
      const of = (revision: string) => rows.filter((row) => row.revision === revision && row.phase === 'Succeeded');
      expect(revisions.filter((revision) => of(revision).length !== 1)).toEqual([]);
    }
  } finally {
    process.kill(platform, 'SIGCONT');
    await fairlead.stop();
  }
});

/** As the engine says, which needs no platform; undefined while an operation runs. */
async function syncedTo(fairlead: Fairlead, environment: string): Promise<string | undefined> {
  const answer = await fetch(`${fairlead.endpoints.engine}/api/v1/applications/guestbook-${environment}`, {
    headers: { authorization: `Bearer ${fairlead.apiKey}` },
  });
  const { status } = (await answer.json()) as {
    status: { operationState: { phase: string; syncResult?: { revision: string } } };
  };
  return status.operationState.phase === 'Succeeded' ? status.operationState.syncResult?.revision : undefined;
}

interface Deployment {
  readonly revision: string;
  readonly phase: string;
}

async function reported(fairlead: Fairlead, environment: string): Promise<Deployment[]> {
  const answer = await fetch(
    `${fairlead.endpoints.platform}/api/v1/applications/hosted/argocd/guestbook-${environment}/deployments?limit=100`,
    { headers: { authorization: `Bearer ${fairlead.apiKey}` }, signal: AbortSignal.timeout(5_000) },
  );
  return ((await answer.json()) as { items: Deployment[] }).items;
}
