import { CallError } from '../errors.ts';
import { GoInt, GoSlice, int, int64, type Value } from '../value.ts';
import { toFloat64, toInt64 } from './convert.ts';
import { type Decimal, decimalOf, minus, numberOf, over, plus, times } from './decimal.ts';
import { define, type Functions, maxItems, refuseOver, whole } from './define.ts';

function untilStep(start: number, stop: number, step: number): GoSlice {
  const items: Value[] = [];
  const empty = stop < start ? step >= 0 : step <= 0;
  if (empty) return new GoSlice(items, 'int');
  refuseOver(Math.abs((stop - start) / step), maxItems, 'untilStep');
  if (stop < start) for (let i = start; i > stop; i += step) items.push(int(i));
  else for (let i = start; i < stop; i += step) items.push(int(i));
  return new GoSlice(items, 'int');
}

const spaced = (slice: GoSlice): string =>
  slice.items.map((item) => (item instanceof GoInt ? item.value : 0n)).join(' ');

function seq(params: readonly number[]): string {
  const [a = 0, b = 0, c = 0] = params;
  if (params.length === 1) {
    const step = a < 1 ? -1 : 1;
    return spaced(untilStep(1, a + step, step));
  }
  if (params.length === 2) {
    const step = b < a ? -1 : 1;
    return spaced(untilStep(a, b + step, step));
  }
  if (params.length !== 3 || (c < a && b > 0)) return '';
  return spaced(untilStep(a, c + (c < a ? -1 : 1), b));
}

function round(value: number, places: number, roundOn: number): number {
  const power = 10 ** places;
  const digit = power * value;
  const fraction = digit - Math.trunc(digit);
  return (fraction >= roundOn ? Math.ceil(digit) : Math.floor(digit)) / power;
}

function quotient(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CallError('runtime error: integer divide by zero');
  return a / b;
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CallError('runtime error: integer divide by zero');
  return a % b;
}

const integers = (args: readonly Value[]): bigint[] => args.map(toInt64);
const pair = (operate: (a: bigint, b: bigint) => bigint) =>
  define('any any', ([a, b]) => int64(operate(toInt64(a), toInt64(b))));

const decimals = (args: readonly Value[], operate: (a: Decimal, b: Decimal) => Decimal): number => {
  const [first, ...others] = args.map((arg) => decimalOf(toFloat64(arg)));
  return first ? numberOf(others.reduce(operate, first)) : 0;
};

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));

const largest = define('any ...any', (args) => int64(integers(args).sort(ascending).at(-1) ?? 0n));

export const mathFunctions: Functions = {
  until: define('int', ([count]) => untilStep(0, whole(count), whole(count) < 0 ? -1 : 1)),
  untilStep: define('int int int', ([start, stop, step]) => untilStep(whole(start), whole(stop), whole(step))),
  seq: define('...int', (params) => seq(params.map(whole))),
  add1: define('any', ([value]) => int64(toInt64(value) + 1n)),
  add: define('...any', (args) => int64(integers(args).reduce((a, b) => a + b, 0n))),
  sub: pair((a, b) => a - b),
  div: pair(quotient),
  mod: pair(remainder),
  mul: define('any ...any', (args) => int64(integers(args).reduce((a, b) => a * b, 1n))),
  add1f: define('any', ([value]) => decimals([value, 1], plus)),
  addf: define('...any', (args) => decimals([0, ...args], plus)),
  subf: define('any ...any', (args) => decimals(args, minus)),
  divf: define('any ...any', (args) => decimals(args, over)),
  mulf: define('any ...any', (args) => decimals(args, times)),
  biggest: largest,
  max: largest,
  min: define('any ...any', (args) => int64(integers(args).sort(ascending)[0] ?? 0n)),
  maxf: define('any ...any', (args) => Math.max(...args.map(toFloat64))),
  minf: define('any ...any', (args) => Math.min(...args.map(toFloat64))),
  ceil: define('any', ([value]) => Math.ceil(toFloat64(value))),
  floor: define('any', ([value]) => Math.floor(toFloat64(value))),
  round: define('any int ...float64', ([value, places, on]) =>
    round(toFloat64(value), whole(places), typeof on === 'number' ? on : 0.5),
  ),
};
