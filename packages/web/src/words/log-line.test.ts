import { expect, it } from 'vitest';
import { plainLine } from './log-line.ts';

it('takes out whatever would steer a terminal', () => {
  expect(plainLine('\u001b[31mred\u001b[0m plain')).toBe('red plain');
  expect(plainLine('\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007')).toBe('click');
  expect(plainLine('\u001b]52;c;ZXZpbA==\u001b\\done')).toBe('done');
  expect(plainLine('\u001b]0;a title that never ends')).toBe('');
});

it('shows what stands on the line in the end, and marks what cannot be seen', () => {
  expect(plainLine('10%\r50%\r100%')).toBe('100%');
  expect(plainLine('nul\u0000 and \u202Eturned')).toBe('nul⟨0000⟩ and ⟨202E⟩turned');
});

it('cuts endless lines', () => {
  expect(plainLine('x'.repeat(1_000_000)).length).toBeLessThan(8300);
});
