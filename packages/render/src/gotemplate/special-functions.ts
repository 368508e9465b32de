// Functions whose arguments the evaluator treats in its own way; it knows them by identity.
import type { GoFunction, Value } from './value.ts';

const inert = (args: Value[]): Value => args.at(-1);

export const andFunction: GoFunction = { params: ['reflect.Value'], rest: 'reflect.Value', call: inert };
export const orFunction: GoFunction = { params: ['reflect.Value'], rest: 'reflect.Value', call: inert };
export const callFunction: GoFunction = { params: ['reflect.Value'], rest: 'reflect.Value', call: inert };
