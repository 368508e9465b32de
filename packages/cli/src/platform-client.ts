// How commands reach the platform: by the home folder, or the context in use. What stands between (no answer, a key that is not
// taken, another server at that address) is told with the place that the address came from, since that is what to mend.
import { errorMessage, FairleadError } from '@fairlead/base';
import { type ApiClient, ApiError, createApiClient } from '@fairlead/contracts';
import { type Target, targetOf } from './contexts/index.ts';
import { platformAnswer } from './platform-answer.ts';

export interface GlobalOptions {
  readonly home?: string;
}

export function platformClient(options: GlobalOptions): ApiClient {
  return clientOf(targetOf(options.home, process.env));
}

export function clientOf(target: Target): ApiClient {
  return createApiClient({
    baseUrl: target.url,
    headers: () => ({ authorization: `Bearer ${target.apiKey}` }),
    fetch: async (url, init) => {
      const answer = await fetch(url, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
        throw noAnswer(target, cause);
      });
      const taken = platformAnswer(target, answer);
      if (taken.status === 401) throw keyRefused(target);
      return taken;
    },
  });
}

function noAnswer({ url, from, isHome }: Target, cause: unknown): FairleadError {
  const remedy = isHome
    ? 'is it running? fairlead status tells, fairlead up starts it'
    : 'check the address, and that this machine can reach it';
  return new FairleadError('platform_unreachable', `${from}: no answer from ${url}; ${remedy}`, {
    details: { cause: String(cause) },
  });
}

function keyRefused({ url, from, isHome }: Target): FairleadError {
  const remedy = isHome
    ? 'stop and start Fairlead there, which makes the key of the home known again'
    : 'make a new one there under Settings, API keys, and give it with fairlead context add';
  return new FairleadError('not_signed_in', `${from}: ${url} does not take the API key (revoked, expired?); ${remedy}`);
}

/** One clear line for people, whatever was thrown. `listing` is the command that shows what there is. */
export function describeError(thrown: unknown, listing?: string): string {
  if (!(thrown instanceof ApiError)) return errorMessage(thrown);
  const remedy = thrown.code === 'not_found' && listing ? `; ${listing} shows what there is` : '';
  return `${thrown.message}${remedy} (${thrown.code})`;
}
