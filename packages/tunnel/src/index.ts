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
  TunnelCutError,
  TunnelLimitError,
  TunnelRefusedError,
  type TunnelTimings,
  tunnelErrorHeader,
} from './wire/index.ts';
