// Numbers and truth values.
import { finite, operate } from '../operators.ts';
import { type Builtins, builtin } from './define.ts';

const unaryFunctions: Readonly<Record<string, (x: number) => number>> = {
  abs: Math.abs,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
  sqrt: Math.sqrt,
  exp: Math.exp,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  deg2rad: (x) => (x * Math.PI) / 180,
  rad2deg: (x) => (x * 180) / Math.PI,
  round: (x) => Math.sign(x) * Math.round(Math.abs(x)),
  mantissa: (x) => (x === 0 ? 0 : x / 2 ** exponentOf(x)),
  exponent: exponentOf,
};

function exponentOf(x: number): number {
  if (x === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(x))) + 1;
  return Math.abs(x) / 2 ** exponent >= 1 ? exponent + 1 : exponent;
}

const pairFunctions: Readonly<Record<string, readonly [string, (a: number, b: number) => number]>> = {
  max: ['a b', Math.max],
  min: ['a b', Math.min],
  pow: ['x n', Math.pow],
  atan2: ['y x', Math.atan2],
  hypot: ['a b', Math.hypot],
};

const unary = Object.entries(unaryFunctions).map(
  ([name, compute]) =>
    [name, builtin(/^(?:abs|sign)$/.test(name) ? 'n' : 'x', (args) => finite(compute(args.number(0))))] as const,
);
const binary = Object.entries(pairFunctions).map(
  ([name, [params, compute]]) =>
    [name, builtin(params, (args) => finite(compute(args.number(0), args.number(1))))] as const,
);

export const numberFunctions: Builtins = {
  ...Object.fromEntries([...unary, ...binary]),
  clamp: builtin('x minVal maxVal', (args) => Math.min(Math.max(args.number(0), args.number(1)), args.number(2))),
  modulo: builtin('x y', (args) => operate('%', args.number(0), args.number(1))),
  mod: builtin('a b', (args) => operate('%', args.value(0), args.value(1))),
  isEven: builtin('x', (args) => Math.round(args.number(0)) % 2 === 0),
  isOdd: builtin('x', (args) => Math.abs(Math.round(args.number(0)) % 2) === 1),
  isInteger: builtin('x', (args) => Number.isInteger(args.number(0))),
  isDecimal: builtin('x', (args) => !Number.isInteger(args.number(0))),
  xor: builtin('x y', (args) => args.flag(0) !== args.flag(1)),
  xnor: builtin('x y', (args) => args.flag(0) === args.flag(1)),
};
