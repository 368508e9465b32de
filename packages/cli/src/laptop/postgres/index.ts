export { stopLeftoverOf } from './leftover.ts';
export { type PostgresServer, startPostgres } from './server.ts';
