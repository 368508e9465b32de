// One glyph for health and sync: the ring is sync (whole: synced, split: out of sync, dotted: unknown), the inner
// shape is health. Colour only repeats what shape and word say.
import type { HealthCode, SyncCode } from '@fairlead/contracts';
import { statusWords, syncWord } from '../words/index.ts';
import { classNames } from './class-names.ts';

const inner: Record<HealthCode, string> = {
  Healthy: 'M5 8.2 7.1 10.3 11 6',
  Degraded: 'M5.6 5.6 10.4 10.4M10.4 5.6 5.6 10.4',
  Progressing: 'M8 5v3.2l2 1.4',
  Suspended: 'M6.4 5.6v4.8M9.6 5.6v4.8',
  Missing: 'M5.5 8h5',
  Unknown: 'M6.4 6.3a1.7 1.7 0 1 1 1.9 2v.6M8.2 11h.1',
};

export const healthColor: Record<HealthCode, string> = {
  Healthy: 'text-healthy',
  Degraded: 'text-degraded',
  Progressing: 'text-progressing',
  Suspended: 'text-suspended',
  Missing: 'text-missing',
  Unknown: 'text-unknown',
};

const ring: Record<SyncCode, { strokeDasharray?: string; strokeDashoffset?: string }> = {
  Synced: {},
  OutOfSync: { strokeDasharray: '17 4.68', strokeDashoffset: '-2.3' },
  Unknown: { strokeDasharray: '2 2.34' },
};

interface StatusGlyphProps {
  /** Absent for kinds that have none: a dot, and only the ring speaks. */
  readonly health: HealthCode | undefined;
  readonly sync?: SyncCode | undefined;
  readonly size?: number;
  /** True where the words stand beside it anyway. */
  readonly silent?: boolean;
  readonly className?: string;
}

export function StatusGlyph({ health, sync, size = 16, silent = false, className }: StatusGlyphProps) {
  const words = health ? statusWords(health, sync) : sync ? syncWord(sync) : 'exists';
  return (
    <svg
      className={classNames('shrink-0', health ? healthColor[health] : 'text-unknown', className)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(silent ? { 'aria-hidden': true } : { role: 'img', 'aria-label': words })}
    >
      <title>{words}</title>
      <circle cx="8" cy="8" r="6.9" strokeWidth="1.5" strokeLinecap="butt" {...ring[sync ?? 'Synced']} />
      <path d={health ? inner[health] : 'M8 8h.01'} strokeWidth="1.6" />
    </svg>
  );
}
