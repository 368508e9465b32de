export { relayCall, relayStream } from './relay.ts';
export { mountTunnels, type RuntimeTunnels } from './runtime-tunnels.ts';
