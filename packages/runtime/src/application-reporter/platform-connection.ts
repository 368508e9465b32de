// How reports travel: gzip JSON over HTTPS, with a runtime token.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { withDeadline } from '@fairlead/base';
import {
  ApiError,
  createApiClient,
  type DigestAnswer,
  type ReportBatch,
  type ReportDigest,
  type ReportReceipt,
  routes,
} from '@fairlead/contracts';
import type { RuntimeTokens } from '../identity/index.ts';

const compress = promisify(gzip);
const withinMs = 30_000;

interface Call {
  readonly signal: AbortSignal;
}

export class PlatformConnection {
  readonly #url: string;
  readonly #tokens: RuntimeTokens;

  constructor(url: string, tokens: RuntimeTokens) {
    this.#url = url;
    this.#tokens = tokens;
  }

  /** Rejects with ApiError when the platform did not take it. */
  async report(batch: ReportBatch, { signal }: Call): Promise<ReportReceipt> {
    const answer = await fetch(`${this.#url}${routes.reportEvents.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await this.#tokens.token()}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: await compress(JSON.stringify(batch), { level: 1 }),
      signal: withDeadline(signal, withinMs),
    });
    if (answer.ok) return (await answer.json()) as ReportReceipt; // the platform is held to the contract
    const text = await answer.text();
    throw new ApiError(answer.status, {
      code: 'internal',
      message: `${answer.status} ${text.slice(0, 300)}`,
      requestId: '',
    });
  }

  exchangeDigest(digest: ReportDigest, { signal }: Call): Promise<DigestAnswer> {
    const headers = async () => ({ authorization: `Bearer ${await this.#tokens.token()}` });
    const api = createApiClient({ baseUrl: this.#url, headers });
    return api.call('exchangeDigest', { body: digest }, { signal: withDeadline(signal, withinMs) });
  }
}
