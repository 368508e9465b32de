import { expect, it } from 'vitest';
import { eventRows } from './event-rows.ts';

it('tells the newest first, also of those of one second', () => {
  const event = (message: string, second: number) => ({ message, lastTimestamp: `2026-05-01T10:00:0${second}Z` });
  const listed = [event('begun', 1), event('ended', 1), event('healthy', 2), event('older', 0)];
  expect(eventRows(listed).map(({ message }) => message)).toEqual(['healthy', 'ended', 'begun', 'older']);
});

it('reads the newer form of events where the older one is empty', () => {
  const newer = {
    ...{ note: 'pulled', reason: 'Pulled', eventTime: '2026-05-01T10:00:00.5Z', reportingController: 'kubelet' },
    regarding: { kind: 'Pod', namespace: 'web', name: 'web-1' },
  };
  expect(eventRows([newer])).toMatchObject([
    { message: 'pulled', source: 'kubelet', count: 1, object: { kind: 'Pod', name: 'web-1' } },
  ]);
});
