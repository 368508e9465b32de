import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { anySignal, withDeadline } from './signals.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const outer = new AbortController().signal;

/** Which of these abort while garbage is collected; nobody but a listener holds them. */
async function aborted(make: Readonly<Record<string, () => AbortSignal>>): Promise<string[]> {
  const seen: string[] = [];
  for (const [name, signal] of Object.entries(make)) {
    signal().addEventListener('abort', () => seen.push(name), { once: true });
  }
  for (let n = 0; n < 20; n++) {
    await sleep(20);
    collectGarbage();
  }
  return seen.sort();
}

it('keeps a deadline that nobody else holds, however it is joined to other signals', async () => {
  const seen = await aborted({
    alone: () => withDeadline(outer, 100),
    'in another': () => anySignal([withDeadline(outer, 100), new AbortController().signal]),
    'in two others': () => anySignal([anySignal([withDeadline(outer, 100), outer]), outer]),
    'with a longer one': () => withDeadline(withDeadline(outer, 100), 60_000),
  });
  expect(seen).toEqual(['alone', 'in another', 'in two others', 'with a longer one']);
});

it('aborts with the first of its signals, and with its reason', () => {
  const controller = new AbortController();
  const signal = anySignal([outer, controller.signal]);
  expect(signal.aborted).toBe(false);
  controller.abort(new Error('left'));
  expect(signal.reason).toMatchObject({ message: 'left' });
});
