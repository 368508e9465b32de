// A user's own Git tokens in one runtime: what commits of theirs are pushed with and what repositories are read with. They
// arrive sealed to the runtime, are kept encrypted in its cluster, and never leave it.
//
// To add one: `getSealingKey`, then `seal(token, {to: key, purpose: gitTokenPurpose({userId: me.user.id, host})})`, then
// `putGitToken`.
import { type Static, Type } from 'typebox';
import { Sealed, SealingPublicKey } from '../runtime/sealing.ts';
import { appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();
/** As in a URL, with the port where it has one: `github.com`, `localhost:3018`. */
const gitHost = Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?$' });

export const GitProviderKind = Type.Union([
  Type.Literal('builtin'),
  Type.Literal('github'),
  Type.Literal('gitlab'),
  /** Forgejo too. */
  Type.Literal('gitea'),
  /** Bitbucket Cloud. */
  Type.Literal('bitbucket'),
  Type.Literal('gerrit'),
  /** Any server that speaks git over http(s); its tokens cannot be probed. */
  Type.Literal('other'),
]);
export type GitProviderKind = Static<typeof GitProviderKind>;

/** What is known of a token; never the token. */
export const GitTokenRow = Type.Object({
  host: text,
  /** `https://github.com` */
  url: text,
  provider: GitProviderKind,
  /** Who it speaks as at the provider; absent when it could not be asked. */
  user: Type.Optional(text),
  /** Absent when the provider does not tell. */
  scopes: Type.Optional(Type.Array(text)),
  addedAt: text,
  /** Absent when it does not end, or the provider does not tell. */
  expiresAt: Type.Optional(text),
  status: Type.Union([
    Type.Literal('valid'),
    /** Within 14 days. */
    Type.Literal('expires-soon'),
    Type.Literal('expired'),
    /** Not enough rights; `problem` says what is missing. */
    Type.Literal('weak'),
    /** Nobody asked the provider about it. */
    Type.Literal('unverified'),
  ]),
  /** What is wrong and what to do, for people. */
  problem: Type.Optional(text),
});
export type GitTokenRow = Static<typeof GitTokenRow>;

export const gitTokenRoutes = {
  getSealingKey: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/sealing-key`,
    summary: 'The public key to which whatever only this runtime may read is sealed.',
    auth: 'user',
    needs: 'member',
    act: 'runtime.sealing-key',
    response: Type.Object({ key: SealingPublicKey }),
  }),
  listGitTokens: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/git-tokens`,
    summary: 'The own Git tokens in this runtime: host, rights, expiry; never the token.',
    auth: 'user',
    needs: 'member',
    act: 'git-token.list',
    response: Type.Object({ items: Type.Array(GitTokenRow) }),
  }),
  putGitToken: appProxyRoute({
    method: 'PUT',
    path: `${appProxyApi}/git-tokens/{host}`,
    summary: 'Gives the runtime the own Git token for a host, sealed. The provider is asked about it first.',
    auth: 'user',
    needs: 'member',
    act: 'git-token.put',
    secret: true,
    params: Type.Object({ host: gitHost }),
    body: Type.Object({
      provider: GitProviderKind,
      /** Default: `https://` and the host. */
      url: Type.Optional(Type.String({ maxLength: 300, pattern: '^https?://[^/@?#\\s]+/?$' })),
      /** For providers that want a user name beside the token: Gerrit always, Bitbucket the e-mail of an API token. */
      username: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\s:/]+$' })),
      sealed: Sealed,
    }),
    response: GitTokenRow,
  }),
  deleteGitToken: appProxyRoute({
    method: 'DELETE',
    path: `${appProxyApi}/git-tokens/{host}`,
    summary: 'The runtime forgets the own token for a host. At the provider it stays: revoke it there.',
    auth: 'user',
    needs: 'member',
    act: 'git-token.delete',
    status: 204,
    params: Type.Object({ host: gitHost }),
    response: Type.Null(),
  }),
} as const;
