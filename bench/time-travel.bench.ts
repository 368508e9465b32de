// Any past moment of any application, with a month of many applications in the store; and what a day of it costs on disk.
import { createApiClient } from '@fairlead/contracts';
import { seedPast } from '@fairlead/platform/testing';
import { startPlatformProcess } from './platform-process.ts';
import { type BenchContext, percentile, type Result, spreadOf } from './report.ts';

const applications = 1_000;
const days = 30;
const versionsPerDay = 12;
const nodes = 20;
const questions = 300;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const platform = await startPlatformProcess();
  try {
    const bytes = await seedPast(platform.databaseUrl, { applications, days, versionsPerDay, nodes });
    say(`${applications * days * versionsPerDay} versions are there`);
    const headers = () => ({ authorization: `Bearer ${platform.apiKey}` });
    const api = createApiClient({ baseUrl: platform.url, headers });
    const [moments, diffs, timelines]: [number[], number[], number[]] = [[], [], []];
    const timed = async (times: number[], ask: () => Promise<unknown>) => {
      const startedMs = performance.now();
      await ask();
      times.push(performance.now() - startedMs);
    };
    const nowMs = Date.now();
    for (let n = 0; n < questions; n++) {
      const name = `service-${String(((n * 37) % applications) + 1).padStart(6, '0')}`;
      const params = { runtime: 'seed-1', namespace: 'argocd', name };
      const at = new Date(nowMs - (((n * 61) % (days * 24)) + 3) * 3_600_000 * 0.98).toISOString();
      await timed(moments, () => api.call('getApplication', { params, query: { at } }));
      await timed(diffs, () => api.call('diffApplication', { params, query: { from: at } }));
      await timed(timelines, () => api.call('getApplicationTimeline', { params }));
    }
    const perDay = bytes / days / 2 ** 20;
    return [
      result('tree of a past moment, p95', moments, '<= 300'),
      result('difference of two moments, p95', diffs, '<= 300'),
      result('timeline, p95', timelines),
      {
        metric: `disk per day: ${applications} applications, ${versionsPerDay} changes a day each, ${nodes} nodes`,
        unit: 'MiB',
        value: perDay,
        spread: [perDay, perDay],
      },
    ];
  } finally {
    await platform.stop();
  }
}

const result = (metric: string, times: readonly number[], goal?: string): Result => ({
  metric,
  unit: 'ms',
  value: percentile(times, 0.95),
  spread: spreadOf(times),
  ...(goal ? { goal } : {}),
});
