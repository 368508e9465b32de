export { Attempts } from './attempts.ts';
export {
  type AuthenticateUser,
  authenticateRuntime,
  type RequestCredentials,
  userAuthentication,
} from './authenticate.ts';
export { bootstrapAccount } from './bootstrap.ts';
export { AuthError, UnknownRuntimeError } from './errors.ts';
export { hashPassword, isPassword } from './password.ts';
export { createInstallToken, registerRuntime, revokeRuntimeKey, rotateInstallToken } from './registration.ts';
export { verifyRuntimeToken } from './runtime-token.ts';
export { isSameOrigin } from './same-origin.ts';
export type { SealedTexts } from './sealed-text.ts';
export {
  callerOfPassword,
  createSignInLink,
  endSession,
  invitationLivesMs,
  redeemSignInLink,
  sessionCookie,
  sessionCookieName,
  startSession,
} from './sign-in.ts';
export { loadSigningKey, type SigningKey } from './signing-key.ts';
