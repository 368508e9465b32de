import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { soon } from './soon.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('waits for what comes soon, also for what fails soon', async () => {
  const failed = Promise.reject(new Error('refused'));
  await expect(soon(Promise.resolve('rows'), failed)).resolves.toBeUndefined();
});

it('does not wait for what takes its time', async () => {
  const isDone = vi.fn();
  void soon(Promise.resolve('rows'), new Promise(() => undefined)).then(isDone);
  await vi.advanceTimersByTimeAsync(50);
  expect(isDone).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(isDone).toHaveBeenCalledOnce();
});
