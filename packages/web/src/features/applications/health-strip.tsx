import type { ApplicationSummary, HealthCode } from '@fairlead/contracts';
import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { classNames, healthColor, StatusGlyph } from '../../ui/index.ts';
import { formatCount, healthByAttention, healthWord } from '../../words/index.ts';

const barColor: Record<HealthCode, string> = {
  Degraded: 'bg-degraded',
  Progressing: 'bg-progressing',
  Missing: 'bg-missing',
  Suspended: 'bg-suspended',
  Unknown: 'bg-unknown',
  Healthy: 'bg-healthy',
};

/** So that three of ten thousand can still be seen. */
const leastShare = 0.012;

interface HealthStripProps {
  readonly summary: ApplicationSummary | undefined;
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  /** At the end of the line. */
  readonly children?: ReactNode;
}

/** All applications by health, as a bar and as filter buttons. */
export function HealthStrip({ summary, chosen, onChoose, children }: HealthStripProps) {
  const count = (health: HealthCode) => summary?.byHealth[health] ?? 0;
  const shown = healthByAttention.filter((health) => count(health) > 0 || chosen.includes(health));
  const total = summary?.total ?? 0;
  const toggle = (health: HealthCode) =>
    onChoose(chosen.includes(health) ? chosen.filter((other) => other !== health) : [...chosen, health]);
  const isDimmed = (health: HealthCode) => chosen.length > 0 && !chosen.includes(health);
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded bg-surface-2">
        {shown.map((health) => (
          <div
            key={health}
            className={classNames(
              'transition-[flex-grow] duration-500',
              barColor[health],
              isDimmed(health) && 'opacity-30',
            )}
            style={{ flexGrow: Math.max(count(health), total * leastShare), flexBasis: 0 }}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-x-4">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <div role="group" aria-label="Filter by health" className="-mx-1.5 flex min-h-7 flex-wrap gap-x-1.5">
          {shown.map((health) => (
            <ToggleButton
              key={health}
              isSelected={chosen.includes(health)}
              onChange={() => toggle(health)}
              className="inline-flex h-7 items-center gap-1.5 rounded-md px-1.5 text-sm hover:bg-surface-2 data-[selected]:bg-surface-2 data-[selected]:ring-1 data-[selected]:ring-line-strong"
            >
              <StatusGlyph health={health} silent />
              <span className="font-semibold">{formatCount(count(health))}</span>
              <span className={healthColor[health]}>{healthWord(health)}</span>
            </ToggleButton>
          ))}
        </div>
        {children}
      </div>
    </div>
  );
}
