const grouped = new Intl.NumberFormat('en');

/** 10000 → "10,000". */
export const formatCount = (count: number): string => grouped.format(count);

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** For narrow places: 9999 → "9,999", 10400 → "10K". */
export const briefCount = (count: number): string => (count < 10_000 ? formatCount(count) : compact.format(count));

/** (1, 'resource') → "1 resource", (3, 'resource') → "3 resources". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`;
