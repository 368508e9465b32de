import { type Application, type OperationState, readOperationJournal } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { withJournalEntry } from './journal.ts';

const application = (annotations: Readonly<Record<string, string>>) =>
  ({ metadata: { name: 'app', annotations } }) as unknown as Application; // what is asked for of one
const ended = (number: number, message = 'successfully synced'): OperationState => ({
  operation: { initiatedBy: { automated: true }, sync: { revision: 'a' } },
  phase: number % 2 ? 'Failed' : 'Succeeded',
  startedAt: `2026-01-01T00:00:${String(number).padStart(2, '0')}Z`,
  finishedAt: `2026-01-01T00:01:${String(number).padStart(2, '0')}Z`,
  message,
});

function journalAfter(count: number, message?: string) {
  let annotations: Readonly<Record<string, string>> = { team: 'a' };
  let dropped = 0;
  for (let number = 0; number < count; number++) {
    const journaled = withJournalEntry(application(annotations), ended(number, message));
    annotations = { ...annotations, ...journaled.annotations };
    dropped += journaled.dropped;
  }
  return { entries: readOperationJournal(annotations), length: JSON.stringify(annotations).length, dropped };
}

describe('the journal of operations', () => {
  it('holds who did what when, oldest first', () => {
    expect(journalAfter(2).entries).toEqual([
      {
        phase: 'Succeeded',
        startedAt: '2026-01-01T00:00:00Z',
        finishedAt: '2026-01-01T00:01:00Z',
        revision: 'a',
        message: 'successfully synced',
        automated: true,
      },
      expect.objectContaining({ phase: 'Failed', startedAt: '2026-01-01T00:00:01Z' }),
    ]);
  });

  it('lets the oldest go at its bounds, and counts them', () => {
    const { entries, dropped } = journalAfter(50);
    expect(entries).toHaveLength(20);
    expect(entries.at(-1)?.startedAt).toBe('2026-01-01T00:00:49Z');
    expect(dropped).toBe(30);
    const long = journalAfter(50, '"'.repeat(5000));
    expect(long.length).toBeLessThan(20_000);
    expect(long.entries.length).toBeGreaterThan(5);
    expect(long.entries.length + long.dropped).toBe(50);
  });

  it.each(['x', '{}', '[7]', '[{"phase":"Odd"}]'])('begins anew where somebody wrote %s', (text) => {
    const { annotations } = withJournalEntry(application({ 'fairlead.io/operations': text }), ended(1));
    expect(readOperationJournal(annotations)).toHaveLength(1);
  });
});
