// Ages in words. Short ones for tables ("6 min"), long ones for sentences ("6 minutes").
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const steps = [
  { unitMs: dayMs, short: 'd', long: 'day' },
  { unitMs: hourMs, short: 'h', long: 'hour' },
  { unitMs: minuteMs, short: 'min', long: 'minute' },
  { unitMs: 1000, short: 's', long: 'second' },
] as const;

function measure(ageMs: number) {
  const step = steps.find(({ unitMs }) => ageMs >= unitMs) ?? steps[3];
  return { step, count: Math.max(0, Math.floor(ageMs / step.unitMs)) };
}

/** "14 s", "6 min", "3 h", "12 d"; never negative, since clocks differ. */
export function shortAge(ageMs: number): string {
  const { step, count } = measure(ageMs);
  return `${count} ${step.short}`;
}

export function longAge(ageMs: number): string {
  const { step, count } = measure(ageMs);
  return `${count} ${step.long}${count === 1 ? '' : 's'}`;
}

/** "14 s ago", and no "0 s ago". */
export const shortAgo = (ageMs: number): string => (ageMs < 1000 ? 'just now' : `${shortAge(ageMs)} ago`);

export const longAgo = (ageMs: number): string => (ageMs < 1000 ? 'just now' : `${longAge(ageMs)} ago`);

/** Milliseconds since the moment, or undefined when the text is absent or no date. */
export function ageOf(moment: string | undefined, nowMs: number): number | undefined {
  if (!moment) return undefined;
  const at = Date.parse(moment);
  return Number.isNaN(at) ? undefined : Math.max(0, nowMs - at);
}

/** How long something took: "under 1 s", "14 s", "6 min". */
export const durationWords = (ms: number): string => (ms < 1000 ? 'under 1 s' : shortAge(ms));
