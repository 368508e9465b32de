export { AddressGuard } from './address-guard.ts';
export { DirectLines, type Line } from './direct-lines.ts';
export { DirectRuntimes } from './direct-runtimes.ts';
export { RuntimeAccessError } from './errors.ts';
