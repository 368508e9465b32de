// YAML as Kubernetes reads it (sigs.k8s.io/yaml over go-yaml v2): YAML 1.1 booleans, octal numbers with a leading zero,
// merge keys; no base-60 numbers, and what looks like a time stays text.
import { boolYaml11Tag, defineScalarTag, FAILSAFE_SCHEMA, mergeTag, NOT_RESOLVED, nullYaml11Tag } from 'js-yaml';

const digitsFirst = [...'0123456789+-'];

const intTag = defineScalarTag<number>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: digitsFirst,
  resolve: (source) => parseInteger(source.replaceAll('_', '')) ?? NOT_RESOLVED,
  identify: () => false,
});

function parseInteger(text: string): number | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(\d[0-9a-zA-Z]*)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const magnitude = parseMagnitude(digits);
  if (magnitude === undefined) return undefined;
  return sign === '-' ? -magnitude : magnitude;
}

function parseMagnitude(digits: string): number | undefined {
  if (/^0x[0-9a-f]+$/i.test(digits)) return Number.parseInt(digits.slice(2), 16);
  if (/^0b[01]+$/i.test(digits)) return Number.parseInt(digits.slice(2), 2);
  if (/^0o[0-7]+$/i.test(digits)) return Number.parseInt(digits.slice(2), 8);
  if (/^0[0-7]+$/.test(digits)) return Number.parseInt(digits, 8);
  return /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : undefined;
}

const floatForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

const floatTag = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: [...digitsFirst, '.'],
  resolve: (source) => {
    const text = source.replaceAll('_', '');
    return floatForm.test(text) ? Number(text) : NOT_RESOLVED;
  },
  identify: () => false,
});

export const kubeSchema = FAILSAFE_SCHEMA.withTags(nullYaml11Tag, boolYaml11Tag, intTag, floatTag, mergeTag);
