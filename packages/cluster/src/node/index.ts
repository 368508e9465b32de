export { assignedNode, withAssignedNode } from './assigned-node.ts';
export { type LogLine, logLine, logLines } from './log-lines.ts';
export { startNode } from './node.ts';
export { nodeAddress, nodeObject } from './node-object.ts';
export { defaultTimes, type SimulationTimes } from './pod-steps.ts';
