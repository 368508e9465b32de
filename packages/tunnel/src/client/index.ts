export { type DialOptions, dialTunnel, type TunnelState } from './dial-tunnel.ts';
