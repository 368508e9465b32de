import { sleep } from '@fairlead/base';

const refusalWithinMs = 500;

/** The first value is waited for a moment, so that a refusal is an answer of its own and not an event. */
export async function primed<T>(values: AsyncGenerator<T, void, undefined>): Promise<AsyncIterable<T>> {
  const first = values.next();
  const early = await Promise.race([first, sleep(refusalWithinMs)]);
  return (async function* () {
    try {
      for (let next = early ?? (await first); !next.done; next = await values.next()) yield next.value;
    } finally {
      await values.return(undefined);
    }
  })();
}
