const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  Pi: 1024 ** 5,
  Ei: 1024 ** 6,
};
const form = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/;

function parse(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [, digits = '', suffix = ''] = typeof value === 'string' ? (form.exec(value) ?? []) : [];
  const factor = suffixes[suffix];
  return digits === '' || factor === undefined ? undefined : Number(digits) * factor;
}

/** `1000m` is `1`, `1024Mi` is `1Gi`: API servers rewrite quantities into their shortest form. */
export function isSameQuantity(a: unknown, b: unknown): boolean {
  const [x, y] = [parse(a), parse(b)];
  if (x === undefined || y === undefined) return false;
  return Math.abs(x - y) <= Math.max(Math.abs(x), Math.abs(y)) * 1e-12;
}
