import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Lifecycle, type Logger, listen, silentLogger } from './index.ts';

describe('Lifecycle', () => {
  it('stops in reverse order, also past a part that fails, and only once', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(silentLogger);
    lifecycle.onStop('first', () => void stopped.push('first'));
    lifecycle.onStop('broken', () => {
      throw new Error('cannot');
    });
    lifecycle.onStop('last', () => void stopped.push('last'));
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(stopped).toEqual(['last', 'first']);
    expect(lifecycle.signal.aborted).toBe(true);
  });

  it('logs a background failure instead of losing it', async () => {
    const errors: unknown[] = [];
    const log: Logger = { ...silentLogger, error: (fields: unknown) => void errors.push(fields) };
    const lifecycle = new Lifecycle(log);
    lifecycle.background('watch', Promise.reject(new Error('lost')));
    await lifecycle.stop();
    expect(errors).toEqual([{ task: 'watch', error: 'lost' }]);
  });
});

describe('listen', () => {
  it('says who is in the way when a port is taken', async () => {
    const first = await listen(createServer(), { port: 0 });
    await expect(listen(createServer(), { port: first.port })).rejects.toThrow(/is taken by another program/);
    await first.close();
  });
});
