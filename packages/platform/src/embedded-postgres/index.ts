export { type PostgresBinaries, postgresBinaries } from './binaries.ts';
