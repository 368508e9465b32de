// The part of Go's typed world that a template can see. A template tells an int from a float64 (`eq 1 1.0` is an error,
// `until 5.0` too) and prints types by name, so values keep their Go type.
//
// undefined is reflect's invalid value (a missing key, the result of a nil pipeline); null is a nil interface. Text is a
// JavaScript string, a JavaScript number is a float64. Maps never share JavaScript's prototype: no host object is reachable.

export type IntType = 'int' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint' | 'uint8' | 'uint16' | 'uint32' | 'uint64';

export class GoInt {
  readonly type: IntType;
  readonly value: bigint;
  constructor(value: bigint, type: IntType = 'int') {
    this.value = value;
    this.type = type;
  }
}

/** A slice; `elem` is the Go name of its element type. Assigning to `items` in place is seen by every holder, as in Go. */
export class GoSlice {
  readonly elem: string;
  readonly named: NamedType | undefined;
  readonly #made: { items?: Value[]; readonly make: () => Value[] };
  /** Items may be made when they are first asked for: bytes of files seldom are. */
  constructor(items: Value[] | (() => Value[]), elem = 'interface {}', named?: NamedType) {
    this.#made = typeof items === 'function' ? { make: items } : { items, make: () => items };
    this.elem = elem;
    this.named = named;
  }

  get items(): Value[] {
    this.#made.items ??= this.#made.make();
    return this.#made.items;
  }
}

/** A type with a name of its own, and maybe methods. */
interface NamedType {
  readonly type: string;
  readonly methods: Readonly<Record<string, GoFunction>>;
}

const noMethods: Readonly<Record<string, GoFunction>> = {};

/** A map with string keys; `type` is its Go name, which may be a named type such as chartutil.Values. */
export class GoMap {
  readonly type: string;
  readonly entries: Map<string, Value>;
  readonly methods: Readonly<Record<string, GoFunction>>;
  constructor(
    entries: Iterable<readonly [string, Value]> = [],
    type = 'map[string]interface {}',
    methods: Readonly<Record<string, GoFunction>> = noMethods,
  ) {
    this.entries = new Map(entries);
    this.type = type;
    this.methods = methods;
  }
}

export type ParamType = string;

/** A callable: `params` and `rest` are Go type names, `reflect.Value` standing for any value passed as it is. */
export interface GoFunction {
  readonly params: readonly ParamType[];
  /** Element type of a variadic last parameter. */
  readonly rest?: ParamType;
  readonly call: (args: Value[]) => Value;
}

export class GoFunc {
  readonly signature: GoFunction;
  constructor(signature: GoFunction) {
    this.signature = signature;
  }
}

interface StructShape {
  readonly type: string;
  readonly pointer?: boolean;
  /** Exported fields in the order of their declaration. */
  readonly fields?: readonly (readonly [string, Value])[];
  readonly methods?: Readonly<Record<string, GoFunction>>;
  /** What fmt prints for types that have a String method. */
  readonly text?: string;
  /** What encoding/json makes of it; by default an object of the fields. */
  readonly json?: Value;
}

/** A struct or pointer to one, as far as it is shown to templates. */
export class GoStruct {
  readonly type: string;
  readonly pointer: boolean;
  readonly fields: ReadonlyMap<string, Value>;
  readonly methods: ReadonlyMap<string, GoFunction>;
  readonly text: string | undefined;
  readonly json: Value;
  constructor({ type, pointer = false, fields = [], methods = {}, text, json }: StructShape) {
    this.type = type;
    this.pointer = pointer;
    this.fields = new Map(fields);
    this.methods = new Map(Object.entries(methods));
    this.text = text;
    this.json = json;
  }
}

export type Value = undefined | null | boolean | string | number | GoInt | GoSlice | GoMap | GoStruct | GoFunc;

export const int = (value: number | bigint): GoInt => new GoInt(BigInt(value));
export const int64 = (value: number | bigint): GoInt => new GoInt(BigInt.asIntN(64, BigInt(value)), 'int64');
export const list = (items: Value[]): GoSlice => new GoSlice(items);
export const strings = (items: string[]): GoSlice => new GoSlice(items, 'string');

export function typeName(value: Value): string {
  if (value === undefined || value === null) return '<nil>';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'float64';
  if (value instanceof GoInt) return value.type;
  if (value instanceof GoSlice) return value.named?.type ?? `[]${value.elem}`;
  if (value instanceof GoMap) return value.type;
  if (value instanceof GoStruct) return value.pointer ? `*${value.type}` : value.type;
  return 'func()';
}

/** reflect.Kind by name. */
export function kindName(value: Value): string {
  if (value === undefined || value === null) return 'invalid';
  if (value instanceof GoSlice) return 'slice';
  if (value instanceof GoMap) return 'map';
  if (value instanceof GoStruct) return value.pointer ? 'ptr' : 'struct';
  if (value instanceof GoFunc) return 'func';
  return typeName(value);
}

/** What `if` and `and` take for true. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.length > 0;
  if (typeof value === 'number') return value !== 0;
  if (value instanceof GoInt) return value.value !== 0n;
  if (value instanceof GoSlice) return value.items.length > 0;
  if (value instanceof GoMap) return value.entries.size > 0;
  return true;
}

/** Keys in the order in which Go's range and fmt visit them: by bytes. */
export function sortedKeys(map: GoMap): string[] {
  return [...map.entries.keys()].sort(compareText);
}

/** Go compares strings by bytes, which for valid text is by code point, not by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

// Surrogates stand for code points above every other unit.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** A plain JSON value as `json.Unmarshal` into an interface makes it: every number a float64. */
export function fromJson(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return new GoSlice(value.map(fromJson));
  const map = new GoMap();
  for (const [key, inner] of Object.entries(value)) map.entries.set(key, fromJson(inner));
  return map;
}
