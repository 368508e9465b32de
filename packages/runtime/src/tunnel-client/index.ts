export { keepTunnel, type TunnelStanding, unregistered } from './keep-tunnel.ts';
