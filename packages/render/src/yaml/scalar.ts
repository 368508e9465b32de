// What plain text means. One reading for Kubernetes (sigs.k8s.io/yaml over go-yaml v2): YAML 1.1 booleans, octal numbers
// with a leading zero; one for Kustomize, which takes only `true` and `false` for booleans. In both no base-60 numbers, and what looks
// like a time stays text.

export type Booleans = 'kubernetes' | 'kustomize';

const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);
const spellings = (word: string): string[] => [word, (word[0] ?? '').toUpperCase() + word.slice(1), word.toUpperCase()];
const booleansOf = (truths: readonly string[], lies: readonly string[]): ReadonlyMap<string, boolean> =>
  new Map([
    ...truths.flatMap(spellings).map((word) => [word, true] as const),
    ...lies.flatMap(spellings).map((word) => [word, false] as const),
  ]);
const booleans: Readonly<Record<Booleans, ReadonlyMap<string, boolean>>> = {
  kubernetes: booleansOf(['true', 'yes', 'on', 'y'], ['false', 'no', 'off', 'n']),
  kustomize: booleansOf(['true'], ['false']),
};

const floatForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

export const boolOf = (text: string, which: Booleans): boolean | undefined => booleans[which].get(text);

export function integerOf(source: string): number | undefined {
  const text = source.includes('_') ? source.replaceAll('_', '') : source;
  const [, sign = '', digits = ''] = /^([-+]?)(\d[0-9a-zA-Z]*)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const magnitude = magnitudeOf(digits);
  if (magnitude === undefined) return undefined;
  return sign === '-' ? -magnitude : magnitude;
}

function magnitudeOf(digits: string): number | undefined {
  if (/^(?:0|[1-9]\d*)$/.test(digits)) return Number(digits);
  if (/^0x[0-9a-f]+$/i.test(digits)) return Number.parseInt(digits.slice(2), 16);
  if (/^0b[01]+$/i.test(digits)) return Number.parseInt(digits.slice(2), 2);
  if (/^0o[0-7]+$/i.test(digits)) return Number.parseInt(digits.slice(2), 8);
  return /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

export function floatOf(source: string): number | undefined {
  const text = source.includes('_') ? source.replaceAll('_', '') : source;
  return floatForm.test(text) ? Number(text) : undefined;
}

const longestWord = 5;

/** The value of text that stands unquoted. */
export function plainValue(text: string, which: Booleans): unknown {
  const first = text.charCodeAt(0);
  // A digit, a sign or a dot.
  if ((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e) {
    return integerOf(text) ?? floatOf(text) ?? text;
  }
  if (text.length > longestWord) return text;
  if (nulls.has(text)) return null;
  return booleans[which].get(text) ?? text;
}
