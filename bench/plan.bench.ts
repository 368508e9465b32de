// The blast radius of a commit that touches 20 of 600 applications of a runtime, asked through platform, tunnel and
// app-proxy: the first time, and again when read sets are known.
import { join } from 'node:path';
import { mapLimit } from '@fairlead/base';
import { createApiClient } from '@fairlead/contracts';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { Fairlead, SampleClone, temporaryHome } from '../e2e/harness.ts';
import { type BenchContext, percentile, type Result, spreadOf } from './report.ts';

const applications = 600;
const touched = 20;
const commits = 5;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const home = temporaryHome();
  const fairlead = await Fairlead.start(home);
  try {
    const api = createApiClient({
      baseUrl: fairlead.endpoints.platform,
      headers: () => ({ authorization: `Bearer ${fairlead.apiKey}` }),
    });
    const repoURL = `${fairlead.endpoints.git}/demo/guestbook.git`;
    const clone = await SampleClone.of(repoURL, fairlead.apiKey);
    say(`${applications} applications`);
    for (let n = 0; n < applications; n++) writeFolder(clone, n, 0);
    await clone.push('six hundred folders');
    const kube = new KubeClient(await loadKubeconfig(join(home, 'kubeconfig')));
    await mapLimit(numbers(applications), 8, (n) => kube.create(application(n, repoURL)));
    await kube.close();
    const ask = (to: string) => api.call('createPlan', { params: { runtime: 'hosted' }, body: { repoURL, to } });
    const times: number[] = [];
    for (let n = 0; n <= commits; n++) {
      for (let k = 0; k < touched; k++) writeFolder(clone, (n * touched + k) % applications, n + 1);
      await clone.git('checkout', '--quiet', '-B', `change-${n}`);
      await clone.git('add', '-A');
      await clone.git('commit', '--quiet', '-m', `change ${n}`);
      await clone.git('push', '--quiet', '--force', 'origin', `HEAD:change-${n}`);
      const startedMs = performance.now();
      const made = await ask(`change-${n}`);
      times.push(performance.now() - startedMs);
      const changed = made.applications.filter(({ change }) => change === 'changed').length;
      if (changed !== touched) throw new Error(`${changed} applications change instead of ${touched}`);
      say(`plan ${n}: ${Math.round(times.at(-1) ?? 0)} ms, ${made.rendered} rendered, ${made.total} applications`);
      await clone.git('checkout', '--quiet', 'main');
    }
    const [first = 0, ...warm] = times;
    return [
      { metric: 'plan, the first one', unit: 'ms', value: first, spread: [first, first] },
      { metric: 'plan, warm, p50', unit: 'ms', value: percentile(warm, 0.5), spread: spreadOf(warm), goal: '<= 5000' },
    ];
  } finally {
    await fairlead.stop();
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

function writeFolder(clone: SampleClone, n: number, version: number): void {
  const name = `service-${n}`;
  const metadata = `metadata: { name: ${name} }`;
  clone.write(
    `many-${n}.yaml`,
    `apiVersion: v1\nkind: ConfigMap\n${metadata}\ndata: { version: 'v${version}' }\n---\napiVersion: v1\nkind: Service\n${metadata}\nspec: { ports: [{ port: 80 }] }\n`,
  );
}

const application = (n: number, repoURL: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: `many-${n}`, namespace: 'argocd' },
  spec: {
    project: 'default',
    source: { repoURL, path: '.', targetRevision: 'main', directory: { include: `many-${n}.yaml` } },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'many' },
  },
});
