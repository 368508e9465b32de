export { stopLeftover } from './leftover.ts';
export { type PostgresServer, startPostgres } from './server.ts';
