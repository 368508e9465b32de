export { LuaRunner } from './lua-runner.ts';
