export { LiveHub, type LiveHubOptions, type LiveSink } from './hub.ts';
