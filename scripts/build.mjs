import { build, checkNode, install } from './bootstrap.mjs';

checkNode();
await install();
await build();
