// Lua scripts of `argocd-cm`, run in a WebAssembly machine that has no way out: no files, no network, no processes, no
// other modules. Bounds per script: Argo CD's one second, and memory. Each run gets an environment of its own, so that
// what a script sets is gone afterwards.
//
// Argo CD runs Lua 5.1; this is 5.4 with the functions of 5.1 that scripts use (`table.getn`, `unpack`).
import { errorMessage, TerminalError } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube';
import { type LuaEngine, LuaFactory, LuaLibraries } from 'wasmoon';

const limitMs = 1000;
const memoryBytes = 64 * 1024 * 1024;

export class LuaError extends TerminalError {
  constructor(reason: string) {
    super('health_lua', reason);
  }
}

// Captured before the globals go; the metatable of strings is closed, or a script could change it for the next one.
const prelude = `
local load, error, setmetatable = load, error, setmetatable
local parts = { table = table, string = string, math = math }
local clock = { time = os.time, date = os.date }
local plain = {}
for _, name in ipairs({ 'ipairs', 'pairs', 'next', 'type', 'tostring', 'tonumber', 'error', 'assert', 'pcall', 'select',
  'rawget', 'rawset', 'rawequal', 'rawlen', 'setmetatable', 'getmetatable' }) do plain[name] = _G[name] end
getmetatable('').__metatable = false
local function copy(from)
  local to = {}
  for key, value in pairs(from) do to[key] = value end
  return to
end
local function environment(obj)
  local env = copy(plain)
  for name, part in pairs(parts) do env[name] = copy(part) end
  env.os = copy(clock)
  env.table.getn = function(list) return #list end
  env.unpack = env.table.unpack
  env.math.pow = function(base, exponent) return base ^ exponent end
  env.obj = obj
  env._G = env
  return env
end
function judge(source, obj)
  local chunk, problem = load(source, '=script', 't', environment(obj))
  if not chunk then error(problem, 0) end
  local found = chunk()
  if type(found) ~= 'table' then return '' end
  return tostring(found.status or '') .. '\\n' .. tostring(found.message or '')
end
`;

export class LuaRunner {
  readonly #engine: LuaEngine;
  readonly #judge: (source: string, object: unknown) => unknown;

  private constructor(engine: LuaEngine) {
    this.#engine = engine;
    for (const library of [LuaLibraries.Base, LuaLibraries.Table, LuaLibraries.String, LuaLibraries.Math]) {
      engine.global.loadLibrary(library);
    }
    engine.global.loadLibrary(LuaLibraries.OS);
    engine.doStringSync(prelude);
    engine.global.setMemoryMax(memoryBytes);
    this.#judge = engine.global.get('judge');
  }

  static async open(): Promise<LuaRunner> {
    const options = { openStandardLibs: false, injectObjects: false, enableProxy: false, traceAllocations: true };
    return new LuaRunner(await new LuaFactory().createEngine({ ...options, functionTimeout: limitMs }));
  }

  /** What the script returns as status and message; both empty when it returns nothing. */
  health(source: string, object: KubeObject): { status: string; message: string } {
    try {
      const text = String(this.#judge(source, withoutNulls(object)) ?? '');
      const [status = '', ...rest] = text.split('\n');
      return { status, message: rest.join('\n') };
    } catch (error) {
      const reason = errorMessage(error).split('\n')[0] ?? '';
      throw new LuaError(reason.includes('timeout') ? `took longer than ${limitMs / 1000} s` : reason);
    }
  }

  close(): void {
    this.#engine.global.close();
  }
}

/** Lua has no null: a field that is null is not there. */
function withoutNulls(object: KubeObject): unknown {
  return JSON.parse(JSON.stringify(object), (_key, value: unknown) => (value === null ? undefined : value));
}
