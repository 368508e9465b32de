import type { HealthCode, SyncCode } from '@fairlead/contracts';

export const healthWord = (health: HealthCode): string => health.toLowerCase();

export const syncWord = (sync: SyncCode): string =>
  sync === 'OutOfSync' ? 'out of sync' : sync === 'Synced' ? 'synced' : 'sync unknown';

/** "degraded, out of sync": what the glyph says, in words. */
export const statusWords = (health: HealthCode, sync?: SyncCode): string =>
  sync ? `${healthWord(health)}, ${syncWord(sync)}` : healthWord(health);

/** What needs people first, as the list is sorted; Argo CD's own order is another one (worst of resources). */
export const healthByAttention: readonly HealthCode[] = [
  'Degraded',
  'Missing',
  'Progressing',
  'Suspended',
  'Unknown',
  'Healthy',
];
