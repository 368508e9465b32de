export { emulateProvider, type ProviderEmulator } from './provider-emulator.ts';
