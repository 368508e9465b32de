export { nextControl, sendControl } from './control.ts';
export { TunnelCutError, TunnelLimitError, TunnelRefusedError } from './errors.ts';
export { forwardedHeaders, tunnelErrorHeader } from './headers.ts';
export { type HopFailure, KeptConnections, watchHop } from './hop.ts';
export { keepAlive } from './keep-alive.ts';
export { defaultTimings, limits, type TunnelTimings } from './limits.ts';
export { WebSocketStream } from './web-socket-stream.ts';
