export { LuaError, LuaRunner } from './lua-runner.ts';
