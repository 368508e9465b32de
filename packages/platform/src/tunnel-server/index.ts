export { forwardAct } from './forward-act.ts';
export { mountTunnels, type RuntimeTunnels } from './runtime-tunnels.ts';
