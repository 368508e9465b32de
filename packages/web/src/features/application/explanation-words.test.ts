import type { ApplicationDetail, Explanation } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { conditionsBeside, explanationText, whyTitle } from './explanation-words.ts';

const row = (health: string, sync: string) =>
  ({
    row: { id: { name: 'web' }, health: { status: health }, sync: { status: sync } },
  }) as unknown as ApplicationDetail;
const explanation: Explanation = {
  cause: 'image-pull-failed',
  headline: '1 pod cannot pull the image web:2.',
  actor: 'commit 9f3c1ab',
  chain: [{ title: 'Pod web-1' }, { title: 'Registry answered', quote: 'manifest unknown' }],
  remedies: [{ title: 'Revert the commit', act: 'revert' }],
};

describe('the words of an explanation', () => {
  it('ask the question that the state raises', () => {
    expect(whyTitle(row('Degraded', 'Synced'))).toBe('Why it is degraded');
    expect(whyTitle(row('Healthy', 'OutOfSync'))).toBe('Why it is out of sync');
    expect(whyTitle(row('Healthy', 'Synced'))).toBe('What is going on');
  });

  it('can be sent to a colleague', () => {
    expect(explanationText(row('Degraded', 'Synced'), explanation)).toBe(
      [
        'web: 1 pod cannot pull the image web:2.',
        'caused by commit 9f3c1ab',
        '- Pod web-1',
        '- Registry answered: manifest unknown',
        '* Revert the commit',
      ].join('\n'),
    );
  });

  it('are not said twice as conditions', () => {
    const conditions = [
      { type: 'ComparisonError', message: 'manifest unknown' },
      { type: 'SyncError', message: 'other' },
    ];
    expect(conditionsBeside(conditions, explanation)).toEqual([{ type: 'SyncError', message: 'other' }]);
    expect(conditionsBeside(conditions, undefined)).toHaveLength(2);
  });
});
