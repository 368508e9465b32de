// What is wrong with a schedule, in the words Kubernetes uses when it refuses one. Pure.
import { dayNames, monthNames, parseDuration, shorthands } from './schedule.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const bounds: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ['', ...monthNames] },
  { min: 0, max: 6, names: dayNames },
];

/** undefined when there is nothing wrong. */
export function scheduleProblem(schedule: string): string | undefined {
  const text = schedule.trim();
  if (text.startsWith('@')) return descriptorProblem(text);
  const fields = text.split(/\s+/);
  if (fields.length !== bounds.length) {
    return `expected exactly ${bounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const part of field.split(',')) {
      const problem = partProblem(part, bounds[index] ?? { min: 0, max: 0, names: [] });
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (Object.hasOwn(shorthands, text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  if (parseDuration(duration) !== undefined) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function partProblem(part: string, { min, max, names }: Bounds): string | undefined {
  const [range = '', step, ...more] = part.split('/');
  const [first = '', last, ...rest] = range.split('-');
  const isOpen = first === '*' || first === '?';
  if (!isOpen && rest.length > 0) return `too many hyphens: ${part}`;
  if (more.length > 0) return `too many slashes: ${part}`;
  const texts = isOpen ? [] : [first, last ?? first];
  for (const text of [...texts, ...(step === undefined ? [] : [step])]) {
    const problem = numberProblem(text, names);
    if (problem !== undefined) return problem;
  }
  const numberFor = (text: string) => (/^\d+$/.test(text) ? Number(text) : names.indexOf(text.toLowerCase()));
  const start = isOpen ? min : numberFor(first);
  const end = isOpen || (step !== undefined && last === undefined) ? max : numberFor(last ?? first);
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${part}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return step !== undefined && Number(step) === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

function numberProblem(text: string, names: readonly string[]): string | undefined {
  if (/^\d+$/.test(text) || (text !== '' && names.includes(text.toLowerCase()))) return undefined;
  if (/^-\d+$/.test(text)) return `negative number (${text}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
