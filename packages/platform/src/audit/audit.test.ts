import type { AuditEntry } from '@fairlead/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { hashEntry, verifyAuditExport } from './chain.ts';

const platform = platformForTests();
beforeAll(async () => {
  const change = (n: number) => platform.api.call('createTeam', { body: { name: `team-${n}` } });
  await Promise.all(Array.from({ length: 40 }, (_, n) => change(n)));
  await platform.api.call('inviteUser', { body: { name: 'formula', email: '=1+1@example.com' } });
});

const exported = (query: object = {}) => platform.api.call('exportAudit', { query });
const linesOf = (text: string) => text.trimEnd().split('\n');
const edited = (line: string | undefined, change: (entry: AuditEntry) => AuditEntry) =>
  JSON.stringify(change(JSON.parse(line ?? '{}') as AuditEntry));

describe('the audit log', () => {
  it('is one unbroken chain, however many write at once', async () => {
    const text = await exported();
    expect(verifyAuditExport(text)).toMatchObject({ intact: true, fromStart: true, entries: 41, last: 41 });
  });

  it('shows pages newest first, and filters', async () => {
    const first = await platform.api.call('listAudit', { query: { action: 'team.', limit: 30 } });
    const { next = '' } = first;
    const second = await platform.api.call('listAudit', { query: { action: 'team.', limit: 30, after: next } });
    const numbers = [...first.items, ...second.items].map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    expect(new Set(numbers).size).toBe(40);
    const one = await platform.api.call('listAudit', { query: { entity: 'team-7' } });
    expect(one.items).toMatchObject([{ action: 'team.create', actor: { name: 'admin' }, outcome: 'done' }]);
    const { requestId = '' } = one.items[0] ?? {};
    const same = await platform.api.call('listAudit', { query: { requestId } });
    expect(same.items.map(({ entity }) => entity.name)).toEqual(['team-7']);
    const users = await platform.api.call('listAudit', { query: { entityKind: 'user' } });
    expect(users.items.map(({ action }) => action)).toEqual(['user.invite']);
    expect((await platform.api.call('listAudit', { query: { to: '2020-01-01T00:00:00Z' } })).items).toEqual([]);
  });

  it('has no entry of a change that was refused', async () => {
    await expect(platform.api.call('createTeam', { body: { name: 'team-7' } })).rejects.toMatchObject({ status: 409 });
    const { items } = await platform.api.call('listAudit', { query: { entity: 'team-7' } });
    expect(items).toHaveLength(1);
  });

  it('is exported as CSV that no spreadsheet executes', async () => {
    const lines = (await exported({ format: 'csv' })).split('\r\n');
    expect(lines[0]).toContain('number,at,actor');
    expect(lines).toHaveLength(43);
    expect(lines.some((line) => /,[=+@-]/.test(line))).toBe(false);
  });

  it('tells every tampering: changed, left out, swapped, added, and rehashed', async () => {
    const lines = linesOf(await exported());
    const at = (index: number) => lines[index] ?? '';
    const changed = edited(at(5), (entry) => ({ ...entry, actor: { id: 'x', name: 'somebody else' } }));
    const rehashed = edited(changed, (entry) => ({ ...entry, hash: hashEntry(entry) }));
    const without = (index: number) => lines.toSpliced(index, 1);
    for (const tampered of [
      lines.toSpliced(5, 1, changed),
      lines.toSpliced(5, 1, rehashed),
      without(5),
      lines.toSpliced(5, 2, at(6), at(5)),
      lines.toSpliced(5, 0, at(5)),
      lines.toSpliced(5, 1, at(5).slice(0, -3)),
    ]) {
      const verdict = verifyAuditExport(tampered.join('\n'));
      expect(verdict.intact).toBe(false);
    }
    expect(verifyAuditExport(lines.slice(3).join('\n'))).toMatchObject({ intact: true, fromStart: false });
    expect(verifyAuditExport('')).toMatchObject({ intact: false });
  });
});
