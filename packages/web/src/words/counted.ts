const grouped = new Intl.NumberFormat('en');

/** 10000 → "10,000". */
export const formatCount = (count: number): string => grouped.format(count);

/** (1, 'resource') → "1 resource", (3, 'resource') → "3 resources". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`;
