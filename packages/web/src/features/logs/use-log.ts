import type { LogLine } from '@fairlead/contracts';
import { useEffect, useState } from 'react';
import { useApi, useClock } from '../../services/index.ts';
import { addLines, type LogLines, noLines } from './log-lines.ts';
import type { LogOptions, LogSource } from './log-source.ts';

export interface LogState extends LogLines {
  readonly phase: 'reading' | 'ended' | 'failed';
  readonly error: Error | undefined;
}

const flushMs = 60;

/** Reads the log from its tail on, until it ends or nobody looks any more. `turn` starts over. */
export function useLog(source: LogSource, options: LogOptions, turn: number): LogState {
  const api = useApi();
  const clock = useClock();
  const [state, setState] = useState<LogState>({ ...noLines, phase: 'reading', error: undefined });
  const { follow, previous, tail } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log or turn is read from its start, the same one under a new object is not
  useEffect(() => {
    const abort = new AbortController();
    let waiting: LogLine[] = [];
    let cancelFlush: (() => void) | undefined;
    const flush = () => {
      cancelFlush = undefined;
      const fresh = waiting;
      waiting = [];
      setState((before) => ({ ...before, ...addLines(before, fresh) }));
    };
    const read = async () => {
      setState({ ...noLines, phase: 'reading', error: undefined });
      for await (const line of source.read(api, { follow, previous, tail }, abort.signal)) {
        waiting.push(line);
        cancelFlush ??= clock.after(flushMs, flush);
      }
    };
    read().then(
      () => {
        flush();
        if (!abort.signal.aborted) setState((before) => ({ ...before, phase: 'ended' }));
      },
      (error: Error) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, phase: 'failed', error }));
      },
    );
    return () => {
      abort.abort();
      cancelFlush?.();
    };
  }, [api, clock, source.key, follow, previous, tail, turn]);
  return state;
}
