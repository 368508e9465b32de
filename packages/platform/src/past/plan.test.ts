import type { ApplicationReport, OperationReport } from '@fairlead/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleReport } from '../testing.ts';
import { type KnownDeployment, planDeployments, type SeenReport } from './plan.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const operation = (phase: OperationReport['phase'], start: number, end?: number, revision = 'a'): OperationReport => ({
  phase,
  startedAt: at(start),
  revision,
  results: [],
  ...(end === undefined ? {} : { finishedAt: at(end) }),
});
const seen = (overrides: Partial<ApplicationReport>, isLate = false): SeenReport => ({
  report: sampleReport('app', overrides),
  isLate,
});
const entry = (id: number, start: number, end: number, revision = 'a') => ({
  id,
  revision,
  deployStartedAt: at(start),
  deployedAt: at(end),
});
const brief = (all: readonly KnownDeployment[]) =>
  all.map(({ revision, phase, startedAt, historyId }) => [revision, phase, startedAt, historyId]);

describe('deployments', () => {
  it('follow one operation from start to end as one deployment with its history number', () => {
    const plan = planDeployments(
      [],
      [
        seen({ operation: operation('Running', 1) }),
        seen({ operation: operation('Succeeded', 1, 3) }),
        seen({ operation: operation('Succeeded', 1, 3), history: [entry(7, 1, 4)] }),
      ],
    );
    expect(brief(plan)).toEqual([['a', 'Succeeded', at(1), 7]]);
  });

  it('are told of by the journal of the engine when nobody looked', () => {
    const [failed, healed] = [operation('Failed', 4, 5, 'b'), operation('Succeeded', 6, 7)];
    const operations = [operation('Succeeded', 1, 3), { ...failed, message: 'refused: it is' }, healed];
    const report = seen({ operations, operation: operation('Running', 9), history: [entry(7, 1, 3)] });
    const plan = planDeployments([], [report]);
    const expected = [
      ['a', 'Succeeded', at(1), 7],
      ['b', 'Failed', at(4), undefined],
      ['a', 'Succeeded', at(6), undefined],
      ['a', 'Running', at(9), undefined],
    ];
    expect(brief(plan)).toEqual(expected);
    expect(planDeployments(plan, [report]), 'told again').toEqual(plan);
    const whole = { ...failed, message: 'refused: it is too large' };
    const watched = planDeployments([], [seen({ operation: whole }), report]);
    expect(brief(watched)).toEqual(expected);
    expect(watched[1]?.message, 'the journal shortens').toBe(whole.message);
  });

  it('tell apart two operations that share their second', () => {
    const plan = planDeployments(
      [],
      [seen({ operation: operation('Failed', 1, 1) }), seen({ operation: operation('Running', 1) })],
    );
    expect(brief(plan).map(([, phase]) => phase)).toEqual(['Failed', 'Running']);
  });

  it('keep the number of an operation to one, also when an earlier state of it is told again', () => {
    const ended = seen({ operation: operation('Succeeded', 1, 2), history: [entry(1, 1, 2)] });
    const again = planDeployments([], [ended, seen({ operation: operation('Running', 1) }), ended]);
    expect(again.filter(({ historyId }) => historyId === 1)).toHaveLength(1);
  });

  it('say so when the end of one was never observed, and take it back when history knows better', () => {
    const gap = planDeployments(
      [],
      [seen({ operation: operation('Running', 1) }), seen({ operation: operation('Running', 9, undefined, 'b') })],
    );
    expect(brief(gap).map(([, phase]) => phase)).toEqual(['Unknown', 'Running']);
    const known = planDeployments(gap, [
      seen({ operation: operation('Running', 9, undefined, 'b'), history: [entry(1, 1, 2)] }),
    ]);
    expect(brief(known)).toEqual([
      ['a', 'Succeeded', at(1), 1],
      ['b', 'Running', at(9), undefined],
    ]);
    expect(known[0]?.message).toBeUndefined();
  });

  it('take the end of an operation also from a report that arrives late', () => {
    const late = [
      seen({ operation: operation('Failed', 1, 2) }, true),
      seen({ operation: operation('Running', 1) }, true),
    ];
    const plan = planDeployments([], [seen({ operation: operation('Succeeded', 5, 6, 'b') }), ...late]);
    expect(brief(plan).map(([, phase]) => phase)).toEqual(['Failed', 'Succeeded']);
  });

  it('name the commit that changed the application once it is known, and keep it', () => {
    const ended = operation('Succeeded', 1, 2, 'head');
    const head = { revision: 'head', message: 'change another' };
    const changeCommit = { revision: 'c1', message: 'change this' };
    const found = seen({ operation: { ...ended, changeRevisions: ['c1'] }, commit: head, changeCommit });
    const plan = planDeployments([], [seen({ operation: ended, commit: head }), found]);
    expect(plan.map(({ revision, commit }) => [revision, commit])).toEqual([['head', changeCommit]]);
    const next = operation('Running', 5, undefined, 'later');
    const later = planDeployments(plan, [seen({ operation: next, history: [entry(1, 1, 2, 'head')] })]);
    expect(later.map(({ commit }) => commit?.revision)).toEqual(['c1', undefined]);
  });

  it('name the images before and after', () => {
    const plan = planDeployments(
      [],
      [
        seen({ images: ['web:1'], operation: operation('Succeeded', 1, 2) }),
        seen({ images: ['web:1'], operation: operation('Running', 5, undefined, 'b') }),
        seen({ images: ['web:2'], operation: operation('Succeeded', 5, 6, 'b') }),
      ],
    );
    expect(plan.map(({ imagesFrom, imagesTo }) => [imagesFrom, imagesTo])).toEqual([
      [[], ['web:1']],
      [['web:1'], ['web:2']],
    ]);
  });

  it('are neither lost nor doubled, however often states are reported and whichever are skipped', () => {
    const life = fc.array(fc.record({ fails: fc.boolean(), gap: fc.integer({ min: 0, max: 2 }) }), { maxLength: 8 });
    fc.assert(
      fc.property(life, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), (ops, repeats) => {
        const states: SeenReport[] = [];
        let second = 0;
        const history: ApplicationReport['history'] = [];
        const expected: unknown[] = [];
        for (const [n, { fails, gap }] of ops.entries()) {
          const revision = `r${n}`;
          const [start, end] = [second, second + gap];
          states.push(seen({ history: [...history], operation: operation('Running', start, undefined, revision) }));
          if (!fails) history.push(entry(n, start, end, revision));
          const phase = fails ? 'Failed' : 'Succeeded';
          const done = seen({ history: [...history], operation: operation(phase, start, end, revision) });
          states.push(done, done);
          expected.push([revision, phase, at(start)]);
          second = end + gap;
        }
        // The end of each operation is seen at least once; everything else any number of times.
        let all: readonly KnownDeployment[] = [];
        for (const [n, state] of states.entries()) {
          const times = (repeats.next().value as number) + (n % 3 === 2 ? 1 : 0);
          for (let i = 0; i < times; i++) all = planDeployments(all, [state]);
        }
        expect(brief(all).map(([revision, phase, start]) => [revision, phase, start])).toEqual(expected);
      }),
    );
  });
});
