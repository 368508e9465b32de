export { type DialOptions, dialTunnel, type TunnelState } from './client/index.ts';
export {
  type AcceptOptions,
  type Authenticated,
  acceptTunnels,
  type TunnelRequest,
  type TunnelResponse,
  type TunnelServer,
  TunnelSession,
  type TunnelUpgrade,
} from './server/index.ts';
export {
  defaultTimings,
  forwardedHeaders,
  type HopFailure,
  KeptConnections,
  TunnelCutError,
  TunnelLimitError,
  TunnelRefusedError,
  type TunnelTimings,
  tunnelErrorHeader,
  watchHop,
} from './wire/index.ts';
