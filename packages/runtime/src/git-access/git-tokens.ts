// Every user's own Git tokens, in the runtime's cluster alone: one Secret a user, one encrypted entry a host.
// Promises: a token is stored only after it was opened for this very user and host and after its provider took it; it is
// given back to nobody but the git commands of that user's own acts.
import { type Clock, systemClock } from '@fairlead/base';
import {
  type GitProviderKind,
  type GitTokenRow,
  gitTokenPurpose,
  type Sealed,
  SealedError,
  unseal,
} from '@fairlead/contracts';
import { isAlreadyExists, isNotFound, type KubeClient } from '@fairlead/kube';
import { fieldsOf, secretOf, secretRef } from '../identity/index.ts';
import { GitAccessError } from './errors.ts';
import { probeToken } from './probe-token.ts';
import { ensureSealingKey, publicPartOf, type SealingKey } from './sealing-key.ts';
import { tokenRow } from './token-row.ts';
import { decryptToken, encryptToken, entryNameOf, type StoredToken, secretNameOf } from './token-secret.ts';

interface GitTokensOptions {
  /** Throws while there is no cluster. */
  readonly cluster: () => KubeClient;
  readonly namespace: string;
  /** PEM for a host; undefined: whom the machine believes. */
  readonly authoritiesFor?: (hostname: string) => string | undefined;
  readonly clock?: Clock;
}

/** A token with what is needed to speak to its provider. */
export interface UsableToken extends StoredToken {
  readonly authority?: string | undefined;
}

interface NewToken {
  readonly userId: string;
  readonly host: string;
  readonly provider: GitProviderKind;
  readonly url: string;
  readonly username?: string | undefined;
  readonly sealed: Sealed;
}

interface Call {
  readonly signal?: AbortSignal | undefined;
}

const maxHosts = 20;

export class GitTokens {
  readonly #options: GitTokensOptions;
  readonly #clock: Clock;
  #key: Promise<SealingKey> | undefined;

  constructor(options: GitTokensOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async publicKey(): Promise<ReturnType<typeof publicPartOf>> {
    return publicPartOf(await this.#sealingKey());
  }

  async list(userId: string, call: Call = {}): Promise<GitTokenRow[]> {
    const entries = await this.#entries(userId, call);
    return entries.map((stored) => tokenRow(stored, this.#clock.now())).sort((a, b) => (a.host < b.host ? -1 : 1));
  }

  /** The user's token for the host, undefined when there is none. */
  async find(userId: string, host: string, call: Call = {}): Promise<UsableToken | undefined> {
    const found = (await this.#entries(userId, call)).find((stored) => stored.host === host.toLowerCase());
    return found && { ...found, authority: this.#authorityOf(found.url) };
  }

  async put(wanted: NewToken, call: Call = {}): Promise<GitTokenRow> {
    const { userId, provider, username } = wanted;
    const host = wanted.host.toLowerCase();
    const url = wanted.url.replace(/\/+$/, '');
    if (new URL(url).host !== host) {
      throw new GitAccessError(
        'bad_request',
        `body field url: ${url} is not at host ${host}; give the URL of that host`,
      );
    }
    const key = await this.#sealingKey();
    const token = await this.#open(wanted, { key, host });
    const probed = await probeToken({ provider, url, username, token, authority: this.#authorityOf(url) }, call);
    const stored: StoredToken = {
      host,
      url,
      provider,
      ...(username ? { username } : {}),
      token,
      ...probed,
      addedAt: new Date(this.#clock.now()).toISOString(),
    };
    const known = await this.#entries(userId, call);
    if (known.length >= maxHosts && !known.some((entry) => entry.host === host)) {
      throw new GitAccessError('invalid', `you have tokens for ${maxHosts} hosts in this runtime; remove one first`);
    }
    const entry = entryNameOf(host);
    await this.#write(userId, { [entry]: encryptToken(stored, { key, userId, entry }) }, call);
    return tokenRow(stored, this.#clock.now());
  }

  async remove(userId: string, host: string, call: Call = {}): Promise<void> {
    if (!(await this.find(userId, host, call))) {
      throw new GitAccessError('not_found', `you have no Git token for ${host} in this runtime`);
    }
    const ref = secretRef(this.#options.namespace, secretNameOf(userId));
    const data = { [entryNameOf(host.toLowerCase())]: null };
    await this.#options.cluster().patch(ref, { data }, { type: 'merge', ...call });
  }

  #authorityOf(url: string): string | undefined {
    return this.#options.authoritiesFor?.(new URL(url).hostname);
  }

  async #open({ sealed, userId }: NewToken, { key, host }: { key: SealingKey; host: string }): Promise<string> {
    try {
      const token = (await unseal(sealed, { key, purpose: gitTokenPurpose({ userId, host }) })).trim();
      if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
      throw new GitAccessError('bad_request', `body field sealed: ${error.message}`);
    }
    throw new GitAccessError('bad_request', 'body field sealed: what is in it is not a token (empty, or with spaces)');
  }

  async #entries(userId: string, { signal }: Call): Promise<StoredToken[]> {
    const client = this.#options.cluster();
    const key = await this.#sealingKey();
    try {
      const secret = await client.get(secretRef(this.#options.namespace, secretNameOf(userId)), { signal });
      const fields = Object.entries(fieldsOf(secret));
      return fields.flatMap(([entry, text]) => decryptToken(text, { key, userId, entry }) ?? []);
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  #sealingKey(): Promise<SealingKey> {
    const { cluster, namespace } = this.#options;
    const client = cluster();
    this.#key ??= ensureSealingKey(client, { namespace }).catch((error: unknown) => {
      this.#key = undefined; // the next call tries again
      throw error;
    });
    return this.#key;
  }

  async #write(userId: string, fields: Readonly<Record<string, string>>, { signal }: Call): Promise<void> {
    const { cluster, namespace } = this.#options;
    const name = secretNameOf(userId);
    const secret = secretOf(name, namespace, fields);
    try {
      await cluster().create(secret, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await cluster().patch(secretRef(namespace, name), { data: secret['data'] }, { type: 'merge', signal });
    }
  }
}
