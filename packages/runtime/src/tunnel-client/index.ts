export { keepTunnel, type TunnelClientDeps } from './keep-tunnel.ts';
