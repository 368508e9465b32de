// What answers at the address of a platform need not be one: a sign-in page of a proxy, a redirect, a server that never
// ends. Commands learn which, instead of failing at what they cannot read.
import { FairleadError } from '@fairlead/base';
import type { Target } from './contexts/index.ts';

/** More than any answer of the platform that is read as one. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** The answer to go on with; throws when it cannot be the platform's. */
export function platformAnswer(target: Target, answer: Response, { maxBytes = maxAnswerBytes } = {}): Response {
  const { url, from } = target;
  if (answer.status >= 300 && answer.status < 400) {
    // Following it would show the API key to whoever is there, or write nothing after a POST became a GET.
    const place = answer.headers.get('location') ?? 'another address';
    throw notPlatform(`${from}: ${url} sends us on to ${place}; give the platform's own address`);
  }
  const type = answer.headers.get('content-type') ?? '';
  if (!isOfFairlead(answer.ok, type)) {
    throw notPlatform(
      `${from}: ${url} answered ${answer.status}, but not as Fairlead does; check the address, and what stands in between`,
    );
  }
  if (!answer.body || !/^application\/(.+\+)?json\b/.test(type)) return answer; // streams end when they are left
  return new Response(answer.body.pipeThrough(bounded(target, maxBytes)), answer);
}

/** Web pages, and errors in words of their own, come from something else at that address, or in between. */
const isOfFairlead = (isOk: boolean, type: string) => (isOk ? !type.includes('text/html') : type.includes('json'));

function bounded({ url, from }: Target, maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBytes) controller.enqueue(chunk);
      else
        controller.error(notPlatform(`${from}: ${url} answers with more than ${maxBytes} bytes; none of it was used`));
    },
  });
}

const notPlatform = (message: string) => new FairleadError('platform_unreachable', message);
