import { expect, it } from 'vitest';
import { createProgram } from '../../program.ts';

const run = (...args: string[]) => createProgram().parseAsync(['node', 'fairlead', 'app', ...args]);

it.each([
  [['wait', 'shop', '--timeout', 'soon'], '--timeout soon: must be a whole number of seconds from 1 on'],
  [['wait', 'shop', '--health', 'green'], /^--health green: must be one of Healthy, .*any$/],
  [['wait', 'shop', '--sync', 'yes'], '--sync yes: must be one of Synced, OutOfSync, any'],
  [['sync', 'shop', '--timeout', '-1'], '--timeout -1: must be a whole number of seconds from 1 on'],
])('app %j is refused before anything is asked or done', async (args, words) => {
  await expect(run(...args)).rejects.toMatchObject({
    code: 'bad_usage',
    message: typeof words === 'string' ? words : expect.stringMatching(words),
  });
});
