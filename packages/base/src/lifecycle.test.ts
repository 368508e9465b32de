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

  it('tells of a part that does not stop, and goes on without it', async () => {
    const warnings: unknown[] = [];
    const log: Logger = { ...silentLogger, warn: (fields: unknown) => void warnings.push(fields) };
    const lifecycle = new Lifecycle(log, { stopWithinMs: 20 });
    const stopped: string[] = [];
    lifecycle.onStop('first', () => void stopped.push('first'));
    lifecycle.onStop('stuck', () => new Promise(() => undefined));
    lifecycle.background('endless', new Promise(() => undefined));
    await lifecycle.stop();
    expect(stopped).toEqual(['first']);
    expect(warnings).toMatchObject([{ step: 'stuck' }, { step: 'background tasks' }]);
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
