export { type HostedSite, runProvisioner } from './provisioner.ts';
