// Acts whose line is cut at any byte of request and answer: what both ends know of each afterwards. For `cuts.test.ts` and, at
// full size, `cuts.prove.ts`.
import { createServer } from 'node:http';
import type { Random } from '@fairlead/base';
import { atEnd, dial, eventually, startOrigin, startPlatform, startRelay } from './testing.ts';
import { TunnelCutError } from './wire/index.ts';

interface Outcome {
  readonly answered: number;
  /** Cut, and the platform cannot know whether the runtime has acted. */
  readonly unknown: number;
  /** Cut, and the platform says that the runtime has not seen it. */
  readonly unseen: number;
  /** What must not be: acts that were done twice, done though unseen, or answered though not done. */
  readonly wrong: readonly string[];
}

const bodyBytes = 4_000;
/** A little more than request and answer take on the line, so that some cuts come after both. */
const lineBytes = 9_000;

export async function cutActs({ acts, random }: { readonly acts: number; readonly random: Random }): Promise<Outcome> {
  const done = new Map<string, number>();
  const platform = await startPlatform({ onSession: () => undefined });
  atEnd(() => platform.stop());
  const origin = await startOrigin(
    createServer((request, response) => {
      const { url = '' } = request;
      request.resume();
      request.on('end', () => {
        done.set(url, (done.get(url) ?? 0) + 1);
        response.writeHead(201).end('x'.repeat(bodyBytes));
      });
    }),
  );
  atEnd(() => origin.stop());
  const relay = await startRelay(platform.port);
  atEnd(() => relay.stop());
  dial({ url: relay.url, origin: origin.url, onState: () => undefined });

  const outcomes = new Map<string, 'answered' | 'unknown' | 'unseen'>();
  let last: object | undefined;
  for (let act = 0; act < acts; act++) {
    const session = await eventually('a session', () => {
      const current = platform.tunnels.session('runtime-1');
      return current !== undefined && current !== last && current.isOpen && current;
    });
    last = session;
    relay.cutAfter(Math.floor(random() * lineBytes));
    outcomes.set(`/${act}`, await outcomeOf(session, `/${act}`));
    relay.cut();
  }
  await eventually('the last is over', () => platform.tunnels.session('runtime-1') !== last);
  const count = (kind: string) => [...outcomes.values()].filter((each) => each === kind).length;
  const wrong = [...outcomes].flatMap(([path, outcome]) => {
    const times = done.get(path) ?? 0;
    const isRight = times <= 1 && (outcome !== 'unseen' || times === 0) && (outcome !== 'answered' || times === 1);
    return isRight ? [] : [`${path}: ${outcome}, done ${times} times`];
  });
  return { answered: count('answered'), unknown: count('unknown'), unseen: count('unseen'), wrong };
}

type Session = NonNullable<ReturnType<Awaited<ReturnType<typeof startPlatform>>['tunnels']['session']>>;

async function outcomeOf(session: Session, path: string): Promise<'answered' | 'unknown' | 'unseen'> {
  try {
    const body = Buffer.alloc(bodyBytes, 'a');
    const answer = await session.request({ method: 'POST', path, body, signal: new AbortController().signal });
    for await (const _chunk of answer.body);
    if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}`);
    return 'answered';
  } catch (error) {
    if (!(error instanceof TunnelCutError)) throw error;
    return error.maybeDelivered ? 'unknown' : 'unseen';
  }
}
