export { engineIdentity } from './identity.ts';
export { Leadership } from './leadership.ts';
