// Signing in and out, and who is calling.
import { Type } from 'typebox';
import { Me } from '../entities.ts';
import { route } from '../route.ts';
import { optionalText, text } from './fields.ts';

export const signInRoutes = {
  createSignInLink: route({
    method: 'POST',
    path: '/api/v1/sign-in-links',
    summary: 'A one-time link that signs the calling user in to the browser UI.',
    auth: 'user',
    needs: 'member',
    status: 201,
    response: Type.Object({ url: text, expiresAt: text }),
  }),
  signInByLink: route({
    method: 'POST',
    path: '/api/v1/sign-in/link',
    summary: 'Exchanges the code of a one-time link for a session cookie.',
    auth: 'none',
    body: Type.Object({ code: Type.String({ maxLength: 200 }) }),
    response: Me,
  }),
  signOut: route({
    method: 'POST',
    path: '/api/v1/sign-out',
    summary: 'Ends the session of the cookie.',
    auth: 'none',
    status: 204,
    response: Type.Null(),
  }),
  me: route({
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Who is calling.',
    auth: 'user',
    needs: 'member',
    response: Me,
  }),
  signInByPassword: route({
    method: 'POST',
    path: '/api/v1/sign-in/password',
    summary: 'Exchanges name and password for a session cookie.',
    auth: 'none',
    body: Type.Object({
      user: Type.String({ minLength: 1, maxLength: 200 }),
      password: Type.String({ minLength: 1, maxLength: 1000 }),
      /** Default `local`. */
      account: optionalText,
    }),
    response: Me,
  }),
  setPassword: route({
    method: 'PUT',
    path: '/api/v1/me/password',
    summary: 'Sets the own password; with a password already there, it must be given. Other sessions end.',
    auth: 'user',
    needs: 'member',
    status: 204,
    body: Type.Object({
      current: optionalText,
      password: Type.String({ minLength: 12, maxLength: 1000 }),
    }),
    response: Type.Null(),
  }),
} as const;
