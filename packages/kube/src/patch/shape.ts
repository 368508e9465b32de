// What merging must know of a kind beyond JSON: which lists are keyed, which are sets, which parts are one indivisible
// value. Where a shape says nothing, records merge by member and lists are replaced as a whole.

export type Shape = StructShape | KeyedListShape | SetShape | AtomicShape;

export interface StructShape {
  readonly type: 'struct';
  readonly fields: Readonly<Record<string, Shape>>;
  /** The shape of members that `fields` does not name (maps). */
  readonly other?: Shape;
  /** kubectl's patchStrategy=retainKeys: a union, of which members that are not applied must go. */
  readonly retainKeys?: true;
  /** Server-side apply owns it as one value, although strategic merge patch merges its members. */
  readonly atomicForApply?: true;
}

export interface KeyedListShape {
  readonly type: 'keyed-list';
  /** Strategic merge patch's one key; absent: that patch replaces the list. */
  readonly mergeKey?: string;
  /** Server-side apply's keys. */
  readonly keys: readonly string[];
  readonly keyDefaults?: Readonly<Record<string, unknown>>;
  readonly item?: Shape;
}

/** A list of different scalars, merged as a set. */
export interface SetShape {
  readonly type: 'set';
}

export interface AtomicShape {
  readonly type: 'atomic';
}

/** The shape under a member name, if it is known. */
export function memberShape(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.type !== 'struct') return undefined;
  return Object.hasOwn(shape.fields, name) ? shape.fields[name] : shape.other;
}
