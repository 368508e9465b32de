// Quantities ("500m", "1Gi") in the one form Kubernetes keeps them in.

const form = /^([+-]?)(\d*)(?:\.(\d*))?(m|u|n|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const nanosPerOne = 1_000_000_000n;

export const quantityRule =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** In billionths; undefined when the text is no quantity. */
export function parseQuantity(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', suffix = ''] = form.exec(text) ?? [];
  if (sign === undefined || (whole === '' && fraction === '')) return undefined;
  const digits = BigInt(`${whole}${fraction}`) * nanosPerOne;
  const scaled = isBinary(suffix)
    ? digits * 1024n ** BigInt(binary.indexOf(suffix))
    : timesTen(digits, exponentOf(suffix));
  const divisor = 10n ** BigInt(fraction.length);
  // What is finer than a billionth is rounded up.
  const nanos = (scaled + divisor - 1n) / divisor;
  return sign === '-' ? -nanos : nanos;
}

const isBinary = (suffix: string) => suffix.endsWith('i');
const timesTen = (value: bigint, exponent: number) =>
  exponent >= 0 ? value * 10n ** BigInt(exponent) : value / 10n ** BigInt(-exponent);

function exponentOf(suffix: string): number {
  if (/^[eE]./.test(suffix)) return Number(suffix.slice(1));
  return (decimal.indexOf(suffix) - decimal.indexOf('')) * 3;
}

export function canonicalQuantity(text: string): string | undefined {
  const nanos = parseQuantity(text);
  if (nanos === undefined) return undefined;
  const size = nanos < 0n ? -nanos : nanos;
  const suffix = /[A-Za-z].*$/.exec(text)?.[0] ?? '';
  if (/^[eE][+-]?\d/.test(suffix)) return exponentForm(nanos);
  const usesBinary = isBinary(suffix) && size >= 1024n * nanosPerOne && size % nanosPerOne === 0n;
  return usesBinary ? reduced(nanos / nanosPerOne, 1024n, binary) : reduced(nanos, 1000n, decimal);
}

function reduced(value: bigint, base: bigint, suffixes: readonly string[]): string {
  if (value === 0n) return '0';
  let rest = value;
  let step = 0;
  while (rest % base === 0n && step < suffixes.length - 1) {
    rest /= base;
    step++;
  }
  return `${rest}${suffixes[step]}`;
}

function exponentForm(nanos: bigint): string {
  if (nanos === 0n) return '0';
  let rest = nanos;
  let exponent = -9;
  while (rest % 1000n === 0n) {
    rest /= 1000n;
    exponent += 3;
  }
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
}
