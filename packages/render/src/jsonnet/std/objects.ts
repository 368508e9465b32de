// Objects: names and values, with or without what is hidden; merging and pruning.
import { membersOf } from '../manifest.ts';
import { JsonnetArray, JsonnetObject, type JsonnetValue, Thunk } from '../values.ts';
import { type Args, type Builtins, builtin } from './define.ts';

const names = (object: JsonnetObject, hidden: boolean): JsonnetArray => JsonnetArray.of(object.names({ hidden }));

const values = (object: JsonnetObject, hidden: boolean): JsonnetArray =>
  new JsonnetArray(object.names({ hidden }).map((name) => object.thunk(name)));

function pairs({
  evaluator,
  ...args
}: Pick<Args, 'evaluator'> & { object: JsonnetObject; hidden: boolean }): JsonnetArray {
  const { object, hidden } = args;
  const items = object.names({ hidden }).map((name) => {
    const members: [string, Thunk][] = [
      ['key', Thunk.of(name)],
      ['value', object.thunk(name)],
    ];
    return JsonnetObject.of(members, evaluator);
  });
  return JsonnetArray.of(items);
}

function isEmpty(value: JsonnetValue): boolean {
  if (value === null) return true;
  if (value instanceof JsonnetArray) return value.items.length === 0;
  return value instanceof JsonnetObject && value.names({ hidden: false }).length === 0;
}

function prune(value: JsonnetValue, args: Args): JsonnetValue {
  args.evaluator.spend();
  if (value instanceof JsonnetArray)
    return JsonnetArray.of(
      value
        .values()
        .map((item) => prune(item, args))
        .filter((item) => !isEmpty(item)),
    );
  if (!(value instanceof JsonnetObject)) return value;
  const kept = membersOf(value)
    .map(([name, member]): [string, JsonnetValue] => [name, prune(member, args)])
    .filter(([, member]) => !isEmpty(member));
  return JsonnetObject.of(
    kept.map(([name, member]) => [name, Thunk.of(member)]),
    args.evaluator,
  );
}

/** RFC 7396. */
function mergePatch(target: JsonnetValue, patch: JsonnetValue, args: Args): JsonnetValue {
  args.evaluator.spend();
  if (!(patch instanceof JsonnetObject)) return patch;
  const base = target instanceof JsonnetObject ? target : undefined;
  const members = new Map<string, Thunk>();
  for (const name of base?.names({ hidden: false }) ?? []) if (base) members.set(name, base.thunk(name));
  for (const name of patch.names({ hidden: false })) {
    const change = patch.get(name);
    const known = members.get(name);
    if (change === null) members.delete(name);
    else members.set(name, new Thunk(() => mergePatch(known?.force() ?? null, change, args)));
  }
  return JsonnetObject.of(members, args.evaluator);
}

function get(args: Args): JsonnetValue {
  const [object, name] = [args.object(0), args.text(1)];
  const hidden = args.has(3) ? args.flag(3) : true;
  return object.has(name, { hidden }) ? object.get(name) : args.value(2);
}

export const objectFunctions: Builtins = {
  get: builtin('o f default? inc_hidden?', get),
  objectHas: builtin('o f', (args) => args.object(0).has(args.text(1), { hidden: false })),
  objectHasAll: builtin('o f', (args) => args.object(0).has(args.text(1), { hidden: true })),
  objectHasEx: builtin('obj fname hidden', (args) => args.object(0).has(args.text(1), { hidden: args.flag(2) })),
  objectFields: builtin('o', (args) => names(args.object(0), false)),
  objectFieldsAll: builtin('o', (args) => names(args.object(0), true)),
  objectFieldsEx: builtin('obj hidden', (args) => names(args.object(0), args.flag(1))),
  objectValues: builtin('o', (args) => values(args.object(0), false)),
  objectValuesAll: builtin('o', (args) => values(args.object(0), true)),
  objectKeysValues: builtin('o', (args) => pairs({ evaluator: args.evaluator, object: args.object(0), hidden: false })),
  objectKeysValuesAll: builtin('o', (args) =>
    pairs({ evaluator: args.evaluator, object: args.object(0), hidden: true }),
  ),
  objectRemoveKey: builtin('obj key', (args) => args.object(0).without(args.text(1))),
  mapWithKey: builtin('func obj', (args) => {
    const [call, object] = [args.callback(0), args.object(1)];
    const members = object
      .names({ hidden: false })
      .map((name): [string, Thunk] => [name, new Thunk(() => call(Thunk.of(name), object.thunk(name)))]);
    return JsonnetObject.of(members, args.evaluator);
  }),
  prune: builtin('a', (args) => prune(args.value(0), args)),
  mergePatch: builtin('target patch', (args) => mergePatch(args.value(0), args.value(1), args)),
};
