export { platformRole } from './roles/platform.ts';
