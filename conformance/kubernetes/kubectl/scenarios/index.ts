import { objects } from './objects.ts';
import { platform } from './platform.ts';
import { workloads } from './workloads.ts';

export const scenarios = [...objects, ...workloads, ...platform];
