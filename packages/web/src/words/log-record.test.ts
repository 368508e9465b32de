import { expect, it } from 'vitest';
import { clockTime, logRecord } from './log-record.ts';

it('reads time, level, message and fields of a structured line', () => {
  const line =
    '{"level":"warn","time":"2026-11-15T21:32:41.060Z","role":"engine","app":"shop","tries":3,"msg":"sync failed"}';
  expect(logRecord(line)).toEqual({
    time: '2026-11-15T21:32:41.060Z',
    level: 'warn',
    message: 'sync failed',
    fields: [
      ['role', 'engine'],
      ['app', 'shop'],
      ['tries', '3'],
    ],
  });
  expect(logRecord('{"severity":"CRITICAL","message":"out of disk"}', 'then')).toMatchObject({
    time: 'then',
    level: 'error',
  });
  expect(logRecord('{"level":30,"msg":"up"}').level).toBe('info');
});

it('leaves every other line as it was written, and takes a time off its start', () => {
  expect(logRecord('2026-11-15T21:32:41.000Z listening on 80')).toEqual({
    time: '2026-11-15T21:32:41.000Z',
    level: undefined,
    message: 'listening on 80',
    fields: [],
  });
  for (const line of ['{"a":1}', '{broken', 'plain', '', '[1]'])
    expect(logRecord(line)).toMatchObject({ message: line, fields: [] });
});

it('shows a time as the clock of the reader has it, and what is no time as it is', () => {
  const at = new Date(2026, 10, 15, 9, 5, 7, 60);
  expect(clockTime(at.toISOString())).toBe('09:05:07.060');
  expect(clockTime('soon')).toBe('soon');
});
