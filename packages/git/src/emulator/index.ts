export { emulateProvider, type ProviderEmulator } from './provider-emulator.ts';
export { type ServedProvider, serveProvider } from './serve-provider.ts';
