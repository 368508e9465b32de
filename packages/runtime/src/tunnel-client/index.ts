export { keepTunnel } from './keep-tunnel.ts';
