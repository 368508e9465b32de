// The actions of every kind: those of this room, and those that people script in `argocd-cm`. A script of theirs for a kind
// replaces what the room has for it, unless it asks for both.
import { errorMessage } from '@fairlead/base';
import {
  createMergePatch,
  equalJson,
  gvkOf,
  isRecord,
  type KubeObject,
  refOf,
  stringAt,
  valueAt,
} from '@fairlead/kube';
import picomatch from 'picomatch';
import type { LuaRunner } from '../lua/index.ts';
import type { ActionInput, ActionResult, ActionView, ActionWrite } from './action.ts';
import { listActions, runAction } from './actions.ts';

/** `resource.customizations.actions.<group>_<kind>`. */
export interface ActionScripts {
  /** May hold `*`. */
  readonly group: string;
  readonly kind: string;
  /** Gives a table of action name to what is said about it. */
  readonly discovery: string;
  readonly definitions: readonly { readonly name: string; readonly source: string }[];
  readonly mergeBuiltIn: boolean;
}

const maxActions = 100;
const maxWrites = 20;

export class ActionBook {
  readonly #lua: LuaRunner;
  #scripts: readonly ActionScripts[] = [];

  constructor(lua: LuaRunner) {
    this.#lua = lua;
  }

  /** Other scripts from now on. */
  follow(scripts: readonly ActionScripts[]): void {
    this.#scripts = scripts;
  }

  /** Throws LuaError when a script does not work. */
  async list(object: KubeObject): Promise<ActionView[]> {
    const scripts = this.#scriptsFor(object);
    if (!scripts) return listActions(object);
    const found = await this.#lua.run(scripts.discovery, { obj: object });
    const own = isRecord(found) ? Object.entries(found).slice(0, maxActions).map(viewOf) : [];
    const names = new Set(own.map(({ name }) => name));
    const others = scripts.mergeBuiltIn ? listActions(object).filter(({ name }) => !names.has(name)) : [];
    return [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async run(name: string, input: ActionInput): Promise<ActionResult> {
    const scripts = this.#scriptsFor(input.object);
    const definition = scripts?.definitions.find((candidate) => candidate.name === name);
    if (!scripts || (!definition && scripts.mergeBuiltIn)) return runAction(name, input);
    if (!definition) {
      const allowed = scripts.definitions.map((candidate) => candidate.name).join(', ') || 'none';
      return refuse(`action ${JSON.stringify(name)} is not known for ${input.object.kind}; allowed: ${allowed}`);
    }
    try {
      const actionParams = { ...input.parameters };
      return effectOf(await this.#lua.run(definition.source, { obj: input.object, actionParams }), input.object);
    } catch (error) {
      return refuse(`action ${name} of argocd-cm: ${errorMessage(error)}`);
    }
  }

  /** An exact one wins over a pattern. */
  #scriptsFor(object: KubeObject): ActionScripts | undefined {
    const { group, kind } = gvkOf(object);
    const exact = this.#scripts.find((script) => script.group === group && script.kind === kind);
    return exact ?? this.#scripts.find((script) => isHit(script.group, group) && isHit(script.kind, kind));
  }
}

const isHit = (pattern: string, text: string) =>
  pattern === text || (pattern.includes('*') && picomatch.isMatch(text, pattern, { bash: true }));

const refuse = (reason: string): ActionResult => ({ effect: 'refuse', reason });

function viewOf([name, said]: readonly [string, unknown]): ActionView {
  const text = (field: 'iconClass' | 'displayName') => {
    const value = stringAt(said, field);
    return value ? { [field]: value } : {};
  };
  const params = valueAt(said, 'params');
  const named = Array.isArray(params) ? params.flatMap((entry) => parameterOf(entry) ?? []) : [];
  return {
    name,
    ...(valueAt(said, 'disabled') === true ? { disabled: true } : {}),
    ...text('iconClass'),
    ...text('displayName'),
    ...(named.length > 0 ? { params: named } : {}),
  };
}

function parameterOf(entry: unknown): { name: string; default?: string } | undefined {
  const name = stringAt(entry, 'name');
  const value = stringAt(entry, 'default');
  return name ? { name, ...(value === undefined ? {} : { default: value }) } : undefined;
}

/** A script gives the object as it should be, or a list of `{operation, resource}`. */
function effectOf(result: unknown, object: KubeObject): ActionResult {
  const parts = Array.isArray(result) ? result : [{ operation: 'patch', resource: result }];
  if (parts.length > maxWrites) return refuse(`the action wants ${parts.length} writes; at most ${maxWrites}`);
  const writes: ActionWrite[] = [];
  for (const part of parts) {
    const resource = valueAt(part, 'resource');
    const operation = stringAt(part, 'operation') ?? '';
    if (!isObject(resource)) return refuse('the action gave no object');
    if (operation === 'create') writes.push({ effect: 'create', object: resource });
    else if (operation !== 'patch') return refuse(`operation ${operation} is not known; allowed: create, patch`);
    else if (!equalJson(refOf(resource), refOf(object))) return refuse('an action may patch its own object only');
    else writes.push({ effect: 'patch', body: createMergePatch(object, withOldEmpties(resource, object)) });
  }
  return writes.length === 1 && writes[0] ? writes[0] : { effect: 'several', writes };
}

const isObject = (value: unknown): value is KubeObject =>
  isRecord(value) &&
  typeof value['apiVersion'] === 'string' &&
  typeof value['kind'] === 'string' &&
  isRecord(value['metadata']);

/** Lua cannot tell an empty list from an empty map, and has no null: where nothing was changed, the old value counts. */
function withOldEmpties(value: unknown, old: unknown): unknown {
  if (isRecord(value) && Object.keys(value).length === 0 && isEmpty(old)) return old;
  if (Array.isArray(value))
    return value.map((inner, at) => withOldEmpties(inner, Array.isArray(old) ? old[at] : undefined));
  if (!isRecord(value)) return value;
  const before = isRecord(old) ? old : {};
  const nulls = Object.entries(before).filter(([key, inner]) => inner === null && !Object.hasOwn(value, key));
  const kept = Object.entries(value).map(([key, inner]) => [key, withOldEmpties(inner, before[key])] as const);
  return Object.fromEntries([...nulls, ...kept]);
}

const isEmpty = (value: unknown) =>
  Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
