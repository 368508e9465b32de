export { postgresBinaries } from './binaries.ts';
export { type PostgresServer, startPostgres } from './server.ts';
