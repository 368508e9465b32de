// Who somebody is: the engine's own key (the account `admin`), sessions and tokens of local accounts, tokens of project
// roles. What may be taken back counts only as long as it stands in `argocd-secret` or in the project.
import { randomBytes } from 'node:crypto';
import type { Clock, Logger } from '@fairlead/base';
import { argoGroup } from '@fairlead/contracts';
import {
  Informer,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type ResourceRef,
  recordAt,
  retryOnConflict,
  stringAt,
} from '@fairlead/kube';
import { compare } from 'bcryptjs';
import { durationMs } from '../project/index.ts';
import type { Caller } from './access-rules.ts';
import { type Account, adminName, parseAccounts, secretPrefix } from './accounts.ts';
import { IdentityError } from './errors.ts';
import { isSameToken, parseRoleSubject, roleTokens } from './project-roles.ts';
import { isSameSecret } from './same-secret.ts';
import { SignInAttempts } from './sign-in-attempts.ts';
import { type Claims, issuer, issueToken, type NewToken, readToken } from './tokens.ts';

interface IdentitiesOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly apiKey: string;
  /** The data of `argocd-cm`. */
  readonly settings: () => Readonly<Record<string, unknown>>;
  readonly projectOf: (name: string) => KubeObject | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const secretName = 'argocd-secret';
const keyField = 'server.secretkey';
const defaultSession = '24h';
/** Compared where there is no account, so that the answer takes as long. */
const nobodysHash = '$2b$10$CwTycUXWue0Thq9StjUM0uJ8.NjQjPpO7bOzKzJfYyWc0eSZ0l3Ii';

export class Identities {
  readonly #options: IdentitiesOptions;
  readonly #informer: Informer;
  readonly #attempts: SignInAttempts;

  constructor(options: IdentitiesOptions) {
    this.#options = options;
    this.#attempts = new SignInAttempts(options.clock);
    const { client, namespace, log } = options;
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, fieldSelector: `metadata.name=${secretName}` };
    this.#informer = new Informer({ client, query, log });
  }

  async start({ signal }: { signal: AbortSignal }): Promise<{ running: Promise<void> }> {
    const running = this.#informer.run({ signal });
    await this.#informer.synced({ signal });
    return { running };
  }

  accounts(secret: KubeObject | undefined = this.#informer.list()[0]): readonly Account[] {
    return parseAccounts(this.#options.settings(), secret);
  }

  /** Throws an IdentityError that says why not. */
  async callerOf(token: string): Promise<Caller> {
    if (isSameSecret(token, this.#options.apiKey)) {
      return { subject: adminName, claims: { iss: issuer, sub: adminName } };
    }
    const key = signingKey(this.#informer.list()[0]);
    if (!key) throw new IdentityError('token is not valid');
    const claims = await readToken(key, token, this.#options.clock);
    const role = parseRoleSubject(claims.subject);
    const subject = role ? claims.subject : await this.#accountBehind(claims);
    if (role) await this.#checkRoleToken(role, claims);
    return { subject, issuedAt: claims.issuedAt, claims: { ...claims.all, sub: subject } };
  }

  /** A session of an account with a password; the engine's own key is the password of `admin`. */
  async signIn(name: string, password: string): Promise<string> {
    if (name === '' || password === '') throw new IdentityError('no credentials supplied');
    if (name === adminName && isSameSecret(password, this.#options.apiKey)) return this.#options.apiKey;
    const wrong = () => new IdentityError('Invalid username or password');
    if (this.#attempts.isBlocked(name)) throw wrong();
    const account = this.accounts().find((candidate) => candidate.name === name);
    const isRight = await compare(password, account?.passwordHash || nobodysHash);
    if (!isRight || !account?.passwordHash) {
      this.#attempts.failed(name);
      throw wrong();
    }
    if (!account.enabled) throw new IdentityError(`Account ${name} is disabled`);
    if (!account.capabilities.includes('login'))
      throw new IdentityError(`User ${name} does not have capability: login`);
    this.#attempts.succeeded(name);
    const asked = String(this.#options.settings()['users.session.duration'] ?? defaultSession);
    const expiresInSeconds = Math.round((durationMs(asked) ?? durationMs(defaultSession) ?? 0) / 1000);
    return (await this.issue({ subject: `${name}:login`, expiresInSeconds })).token;
  }

  /** A new signing key is made when there is none yet. */
  async issue(wanted: NewToken): Promise<{ readonly token: string; readonly claims: Claims }> {
    const key = signingKey(this.#informer.list()[0]) ?? (await this.#makeKey());
    return issueToken(key, wanted, this.#options.clock);
  }

  /** A token of an account; what it is called is kept, so that it can be taken back. */
  async issueAccountToken(name: string, id: string, expiresInSeconds: number): Promise<string> {
    const { token, claims } = await this.issue({ subject: `${name}:apiKey`, id, expiresInSeconds });
    await this.#changeTokens(name, ({ tokens, capabilities }) => {
      if (!capabilities.includes('apiKey')) {
        throw new IdentityError(`account '${name}' does not have apiKey capability`, 'invalid');
      }
      if (tokens.some((known) => known.id === claims.id)) {
        throw new IdentityError(`account already has token with id '${claims.id}'`, 'invalid');
      }
      const { expiresAt } = claims;
      return [...tokens, { id: claims.id, iat: claims.issuedAt, ...(expiresAt ? { exp: expiresAt } : {}) }];
    });
    return token;
  }

  async revokeAccountToken(name: string, id: string): Promise<void> {
    await this.#changeTokens(name, ({ tokens }) => {
      if (tokens.every((known) => known.id !== id)) {
        throw new IdentityError(`token with id '${id}' does not exist`, 'missing');
      }
      return tokens.filter((known) => known.id !== id);
    });
  }

  /** The watch may be behind a token that was given out just now, so a refusal is asked for once more. */
  async #checkRoleToken({ project, role }: { project: string; role: string }, claims: Claims): Promise<void> {
    const ref = { group: argoGroup, version: 'v1alpha1', kind: 'AppProject', name: project };
    const isIn = (found: KubeObject | undefined) =>
      found !== undefined &&
      roleTokens(found, role).some((token) => isSameToken(token, { id: claims.id, iat: claims.issuedAt }));
    if (isIn(this.#options.projectOf(project)) || isIn(await this.#find(ref))) return;
    const when = `issued at '${claims.issuedAt}'`;
    throw new IdentityError(`JWT token for role '${role}' ${when} does not exist in project '${project}'`);
  }

  async #accountBehind({ subject, id, issuedAt }: Claims): Promise<string> {
    const [name = '', use] = subject.split(':');
    const capability = use === 'login' ? 'login' : 'apiKey';
    const find = (secret?: KubeObject) => this.accounts(secret).find((candidate) => candidate.name === name);
    const isKnown = (candidate: Account | undefined) =>
      capability === 'login' || candidate?.tokens.some((token) => token.id === id) === true;
    let account = find();
    if (account && !isKnown(account)) account = find(await this.#readSecret());
    if (!account) throw new IdentityError(`account '${name}' does not exist`);
    if (!account.enabled) throw new IdentityError(`account ${name} is disabled`);
    if (!account.capabilities.includes(capability)) {
      throw new IdentityError(`account ${name} does not have '${capability}' capability`);
    }
    if (id === '')
      throw new IdentityError('token does not have a unique identifier (jti claim) and cannot be validated');
    if (!isKnown(account)) throw new IdentityError(`account ${name} does not have token with id ${id}`);
    if (account.passwordChangedAt !== undefined && issuedAt < account.passwordChangedAt) {
      throw new IdentityError('account password has changed since token issued');
    }
    return name;
  }

  async #changeTokens(name: string, change: (account: Account) => Account['tokens']): Promise<void> {
    await this.#changeSecret((secret) => {
      const account = this.accounts(secret).find((candidate) => candidate.name === name);
      if (!account) throw new IdentityError(`account '${name}' does not exist`, 'missing');
      return { [`${secretPrefix(name)}.tokens`]: JSON.stringify(change(account)) };
    });
  }

  async #makeKey(): Promise<Uint8Array> {
    const fresh = randomBytes(32).toString('base64');
    const made = await this.#changeSecret((present) => (signingKey(present) ? {} : { [keyField]: fresh }));
    return signingKey(made) ?? Buffer.from(fresh, 'utf8');
  }

  /** Reads, changes and writes with the version checked: what others write meanwhile is not lost. */
  async #changeSecret(change: (secret: KubeObject) => Record<string, string>): Promise<KubeObject> {
    const { client, namespace } = this.#options;
    const empty = { apiVersion: 'v1', kind: 'Secret', metadata: { name: secretName, namespace }, type: 'Opaque' };
    const write = async () => {
      const present = await this.#readSecret();
      const fields = Object.entries(change(present ?? empty));
      if (present && fields.length === 0) return present;
      const encoded = fields.map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')]);
      const next = { ...(present ?? empty), data: { ...recordAt(present, 'data'), ...Object.fromEntries(encoded) } };
      return present ? client.update(next) : client.create(next);
    };
    return retryOnConflict(write, { isStale: (error) => isConflict(error) || isAlreadyExists(error) });
  }

  #readSecret(): Promise<KubeObject | undefined> {
    return this.#find({ group: '', version: 'v1', kind: 'Secret', name: secretName });
  }

  async #find(ref: ResourceRef): Promise<KubeObject | undefined> {
    const { client, namespace } = this.#options;
    try {
      return await client.get({ ...ref, namespace });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function signingKey(secret: KubeObject | undefined): Uint8Array | undefined {
  const encoded = stringAt(recordAt(secret, 'data'), keyField);
  return encoded ? Buffer.from(encoded, 'base64') : undefined;
}
