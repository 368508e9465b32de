import type { RuntimeRow } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { installCommand, installSteps, nameProblem, placesFor, whatToDo } from './install-command.ts';

const wanted = { name: 'edge', platformUrl: 'https://fairlead.example.com', token: 'flr_1', besideArgoCd: false };
const row = (status: RuntimeRow['status'], more: Partial<RuntimeRow> = {}): RuntimeRow => ({
  ...{ name: 'edge', kind: 'hybrid', status, createdAt: '2026-01-01T00:00:00Z', applications: 0 },
  ...more,
});

describe('the command that installs a runtime', () => {
  it('names the platform and the token for a cluster, and nothing of both for this machine', () => {
    expect(installCommand({ ...wanted, place: 'cluster' })).toBe(
      'npx fairlead runtime install --name edge --background --platform https://fairlead.example.com --token flr_1',
    );
    expect(installCommand({ ...wanted, place: 'cluster', besideArgoCd: true })).toMatch(
      /--argo-cd-url \S+ --argo-cd-token-file \S+$/,
    );
    expect(installCommand({ ...wanted, place: 'embedded' })).toBe(
      'npx fairlead runtime install --name edge --embedded',
    );
  });

  it('offers an embedded cluster on the machine of the platform only', () => {
    expect(placesFor('localhost')).toEqual(['cluster', 'embedded']);
    expect(placesFor('fairlead.example.com')).toEqual(['cluster']);
  });
});

describe('the name of a new runtime', () => {
  it('is refused by its letters, and when another runtime has it; a pending one may be installed again', () => {
    expect(nameProblem('Edge 1', [])).toContain('Lower-case');
    expect(nameProblem('edge-', [])).toContain('Lower-case');
    expect(nameProblem('edge', [row('offline')])).toContain('already (offline)');
    expect(nameProblem('edge', [row('pending')])).toBeUndefined();
    expect(nameProblem('', [])).toBeUndefined();
  });
});

describe('how far an installation is', () => {
  const statuses = (of: RuntimeRow | undefined) => installSteps(of).map(({ status }) => status);

  it('goes by what the platform knows', () => {
    expect(statuses(undefined)).toEqual(['running', 'waiting', 'waiting']);
    expect(statuses(row('pending'))).toEqual(['running', 'waiting', 'waiting']);
    expect(statuses(row('offline'))).toEqual(['done', 'running', 'waiting']);
    expect(statuses(row('connected'))).toEqual(['done', 'done', 'running']);
  });

  it('says what to do by how far it came', () => {
    const place = { place: 'cluster', platformUrl: 'https://f' } as const;
    expect(whatToDo(row('pending'), place).join(' ')).toContain('curl https://f/healthz');
    expect(whatToDo(row('offline'), place).join(' ')).toContain('WebSockets');
    expect(whatToDo(undefined, { ...place, place: 'embedded' }).join(' ')).toContain('--home');
  });
});
