export { authenticateRuntime, authenticateUser, type RequestCredentials } from './authenticate.ts';
export { bootstrapAccount } from './bootstrap.ts';
export { AuthError, UnknownRuntimeError } from './errors.ts';
export { createInstallToken, registerRuntime } from './registration.ts';
export { verifyRuntimeToken } from './runtime-token.ts';
export { isSameOrigin } from './same-origin.ts';
export { createSignInLink, endSession, redeemSignInLink, sessionCookie, sessionCookieName } from './sign-in.ts';
export { loadSigningKey, type SigningKey } from './signing-key.ts';
