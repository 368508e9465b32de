// What runs in the thread of scripts: the machine, closed before any script sees it, and the loop that answers.

// Captured before the globals go; the metatable of strings is closed, or a script could change it for the next one.
export const prelude = `
local load, error, setmetatable = load, error, setmetatable
local parts = { table = table, string = string, math = math }
local clock = { time = os.time, date = os.date }
local plain = {}
for _, name in ipairs({ 'ipairs', 'pairs', 'next', 'type', 'tostring', 'tonumber', 'error', 'assert', 'pcall', 'select',
  'rawget', 'rawset', 'rawequal', 'rawlen', 'setmetatable', 'getmetatable' }) do plain[name] = _G[name] end
getmetatable('').__metatable = false
-- The end of a script's time is no error that the script may catch. It is the machine's own: scripts have no userdata.
local rawpcall, kindof = pcall, type
local function settle(ok, problem, ...)
  if not ok and kindof(problem) == 'userdata' then error(problem, 0) end
  return ok, problem, ...
end
plain.pcall = function(f, ...) return settle(rawpcall(f, ...)) end
local function copy(from)
  local to = {}
  for key, value in pairs(from) do to[key] = value end
  return to
end
local function environment(globals)
  local env = copy(plain)
  for name, part in pairs(parts) do env[name] = copy(part) end
  env.os = copy(clock)
  env.table.getn = function(list) return #list end
  env.unpack = env.table.unpack
  env.math.pow = function(base, exponent) return base ^ exponent end
  for name, value in pairs(globals) do env[name] = value end
  env._G = env
  return env
end
local type, tostring, pairs = type, tostring, pairs
local format, gsub, byte, concat, kind = string.format, string.gsub, string.byte, table.concat, math.type
local function quote(text)
  return '"' .. gsub(text, '[%c"\\\\]', function(c) return format('\\\\u%04x', byte(c)) end) .. '"'
end
local function encode(value, depth)
  if depth > 100 then error('the result is nested too deeply', 0) end
  local what = type(value)
  if what == 'string' then return quote(value) end
  if what == 'boolean' then return tostring(value) end
  if what == 'number' then
    if value ~= value or value == 1/0 or value == -1/0 then return 'null' end
    if kind(value) == 'float' and value == value // 1 then return format('%.0f', value) end
    return tostring(value)
  end
  if what ~= 'table' then return 'null' end
  local parts, count = {}, 0
  for _ in pairs(value) do count = count + 1 end
  if count > 0 and count == #value then
    for i = 1, count do parts[i] = encode(value[i], depth + 1) end
    return '[' .. concat(parts, ',') .. ']'
  end
  for key, inner in pairs(value) do
    parts[#parts + 1] = quote(tostring(key)) .. ':' .. encode(inner, depth + 1)
  end
  return '{' .. concat(parts, ',') .. '}'
end
function run(source, globals)
  local chunk, problem = load(source, '=script', 't', environment(globals))
  if not chunk then error(problem, 0) end
  return encode(chunk(), 0)
end
`;

export const program = `
const { parentPort, workerData } = require('node:worker_threads');
const opened = import(workerData.module).then(async ({ LuaFactory, LuaLibraries }) => {
  const options = { openStandardLibs: false, injectObjects: false, enableProxy: false, traceAllocations: true };
  const engine = await new LuaFactory().createEngine({ ...options, functionTimeout: workerData.limitMs });
  for (const name of ['Base', 'Table', 'String', 'Math', 'OS']) engine.global.loadLibrary(LuaLibraries[name]);
  engine.doStringSync(workerData.prelude);
  engine.global.setMemoryMax(workerData.memoryBytes);
  return engine.global.get('run');
});
// Lua has no null: a field that is null is not there.
const withoutNulls = (key, value) => (value === null ? undefined : value);
parentPort.on('message', async ({ source, globals }) => {
  try {
    const run = await opened;
    parentPort.postMessage({ text: String(run(source, JSON.parse(globals, withoutNulls))) });
  } catch (error) {
    parentPort.postMessage({ error: String((error && error.message) || error) });
  }
});
`;
