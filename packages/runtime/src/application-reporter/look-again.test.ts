import { describe, expect, it } from 'vitest';
import { LooksAgain } from './look-again.ts';

const moving = { isSettled: false, isChanged: true };
const stuck = { isSettled: false, isChanged: false };
const settled = { isSettled: true, isChanged: true };

describe('looks at applications that say nothing themselves', () => {
  it('are soon while something moves, and less and less often while nothing does', () => {
    const looks = new LooksAgain(() => 1);
    const found = [moving, stuck, stuck, stuck, stuck, moving].map((look) => looks.after('a', look));
    expect(found).toEqual([2_000, 4_000, 8_000, 15_000, 15_000, 2_000]);
    expect(looks.after('a', settled)).toBe(60_000);
    expect(looks.after('a', stuck)).toBe(2_000);
  });

  it('are 40 a second at most, however many applications are not settled', () => {
    const looks = new LooksAgain(() => 1_000);
    const found = Array.from({ length: 1_000 }, (_, n) => looks.after(`a${n}`, moving));
    expect(found[0]).toBe(2_000);
    expect(found.at(-1)).toBe(25_000);
    for (let n = 0; n < 990; n++) looks.forget(`a${n}`);
    expect(looks.after('a999', moving)).toBe(2_000);
  });

  it('of settled ones are 20 a second at most', () => {
    expect(new LooksAgain(() => 10_000).after('a', settled)).toBe(500_000);
  });
});
