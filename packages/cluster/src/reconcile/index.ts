export { KeyLoop, type KeyLoopOptions, type LoopResult } from './key-loop.ts';
