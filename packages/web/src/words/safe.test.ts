import { expect, it } from 'vitest';
import { safeUrl, visibleText } from './safe.ts';

it('lets web and mail addresses be links', () => {
  expect(safeUrl('https://git.example/demo/commit/1')).toBe('https://git.example/demo/commit/1');
  expect(safeUrl('mailto:dana@example.com')).toBe('mailto:dana@example.com');
});

it('makes a link of nothing that acts, hides its scheme, or leads elsewhere by a trick', () => {
  for (const url of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://git.example/1',
    'Name|javascript:alert(1)',
    '//evil.example',
    '\\\\evil.example',
    'file:///etc/passwd',
    '',
    undefined,
  ]) {
    expect(safeUrl(url), String(url)).toBeUndefined();
  }
});

it('shows characters that would hide or turn round a text, and cuts endless ones', () => {
  expect(visibleText('pay\u202Egpj.exe')).toBe('pay⟨202E⟩gpj.exe');
  expect(visibleText('pay\u200Bments')).toBe('pay⟨200B⟩ments');
  expect(visibleText('x'.repeat(10_000))).toHaveLength(501);
  expect(visibleText('Grüße 👩\u200d🚀')).toBe('Grüße 👩\u200d🚀');
});
