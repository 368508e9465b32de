// From `git push` to the new revision and image painted in a browser that looks at the application.
import { chromium } from '@playwright/test';
import { Fairlead, temporaryHome } from '../e2e/harness.ts';
import { findBrowser } from '../scripts/browser.mjs';
import { type BenchContext, percentile, type Result } from './report.ts';

const pushes = 50;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const fairlead = await Fairlead.start(temporaryHome());
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  try {
    const page = await browser.newPage();
    await page.goto(fairlead.signInUrl);
    await page.getByRole('link', { name: 'guestbook-dev', exact: true }).click();
    await page.getByRole('heading', { name: /guestbook-dev/ }).waitFor();
    const clone = await fairlead.clone();
    const fromStart: number[] = [];
    const fromEnd: number[] = [];
    for (let n = 1; n <= pushes; n++) {
      const tag = `bench-${n}`;
      clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, `image: example.com/guestbook:${tag}`));
      await clone.git('commit', '--quiet', '-am', `Deploy ${tag}`);
      const revision = (await clone.git('rev-parse', 'HEAD')).slice(0, 7);
      const painted = page.evaluate(paintedAt, { revision, tag });
      const startedAt = Date.now();
      await clone.git('push', '--quiet', 'origin', 'HEAD:main');
      const pushedAt = Date.now();
      const seenAt = await painted;
      fromStart.push(seenAt - startedAt);
      fromEnd.push(seenAt - pushedAt);
      if (n % 10 === 0) say(`${n} pushes, last ${seenAt - startedAt} ms`);
    }
    return [
      result('push started to painted, p50', fromStart, 0.5, '<= 1000'),
      result('push started to painted, p95', fromStart, 0.95, '<= 2000'),
      result('push acknowledged to painted, p50', fromEnd, 0.5),
      result('push acknowledged to painted, p95', fromEnd, 0.95),
    ];
  } finally {
    await browser.close();
    await fairlead.stop();
  }
}

function result(metric: string, values: readonly number[], share: number, goal?: string): Result {
  const spread = [percentile(values, 0.05), percentile(values, 0.95)] as const;
  return { metric, unit: 'ms', value: percentile(values, share), spread, ...(goal ? { goal } : {}) };
}

/** Runs in the page: wall time of the first frame that shows both texts. */
function paintedAt({ revision, tag }: { revision: string; tag: string }): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const text = document.body.textContent ?? '';
      if (!text.includes(revision) || !text.includes(tag)) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    look();
  });
}
