// How commands reach the platform: by the home folder, or the context in use.
import { errorMessage, FairleadError } from '@fairlead/base';
import { type ApiClient, ApiError, createApiClient } from '@fairlead/contracts';
import { type Target, targetOf } from './contexts/index.ts';

export interface GlobalOptions {
  readonly home?: string;
}

export function platformClient(options: GlobalOptions): ApiClient {
  return clientOf(targetOf(options.home, process.env));
}

export function clientOf({ url: platform, apiKey }: Target): ApiClient {
  return createApiClient({
    baseUrl: platform,
    headers: () => ({ authorization: `Bearer ${apiKey}` }),
    fetch: async (url, init) => {
      try {
        return await fetch(url, init);
      } catch (cause) {
        throw new FairleadError(
          'platform_unreachable',
          `no answer from ${platform}; is it running? fairlead status tells, fairlead up starts it`,
          { cause: undefined, details: { cause: String(cause) } },
        );
      }
    },
  });
}

/** One clear line for people, whatever was thrown. */
export function describeError(thrown: unknown): string {
  if (thrown instanceof ApiError) return `${thrown.message} (${thrown.code})`;
  return errorMessage(thrown);
}
