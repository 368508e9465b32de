export { type AcceptOptions, type Authenticated, acceptTunnels, type TunnelServer } from './accept-tunnels.ts';
export { type TunnelRequest, type TunnelResponse, TunnelSession, type TunnelUpgrade } from './session.ts';
