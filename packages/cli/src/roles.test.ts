// The page of a role is what people operate it by: it names every setting with its default, and says how the role fails.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRole, roleNames } from './roles.ts';

const read = (page: string) => readFileSync(new URL(`../../../docs/components/${page}.md`, import.meta.url), 'utf8');
/** The tunnel has one page for both its ends. */
const pageOf = (role: string) => read(role === 'tunnel-client' ? 'tunnel' : role);
const shared = read('settings');

const parts = [/^Settings/, /^Metrics/, /^When things fail$/, /^Limits, honestly$/];

describe.each(roleNames)('the page of %s', (name) => {
  const page = pageOf(name);

  it('has its settings, its metrics, what happens when things fail, and its limits', () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
    expect(parts.filter((part) => !headings.some((heading) => part.test(heading)))).toEqual([]);
  });

  it('names every setting with its default', async () => {
    const { settings } = await loadRole(name);
    const rows = `${page}\n${shared}`.split('\n').filter((line) => line.startsWith('|'));
    const missing = Object.entries(settings).filter(([key, setting]) => {
      const row = rows.find((line) => line.split('|')[1]?.includes(`\`${key}\``));
      return !row?.replaceAll(',', '').includes(String(setting.default ?? ''));
    });
    expect(missing.map(([key, setting]) => [key, setting.default, setting.help])).toEqual([]);
  });
});
