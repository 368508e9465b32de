import type { ApplicationId, LogLine } from '@fairlead/contracts';
import { useEffect, useState } from 'react';
import type { ResourceRef } from '../../api/index.ts';
import { resourceQuery } from '../../api/index.ts';
import { useApi, useClock } from '../../services/index.ts';
import { addLines, type LogLines, noLines } from './log-lines.ts';

export interface LogOptions {
  readonly follow: boolean;
  /** Of the container before its last restart. */
  readonly previous: boolean;
  readonly tail: number;
}

export interface LogState extends LogLines {
  readonly phase: 'reading' | 'ended' | 'failed';
  readonly error: Error | undefined;
}

const flushMs = 60;

/** Reads the log from its tail on, until it ends or nobody looks any more. `turn` starts over. */
export function useLog(id: ApplicationId, resource: ResourceRef, options: LogOptions, turn: number): LogState {
  const api = useApi();
  const clock = useClock();
  const [state, setState] = useState<LogState>({ ...noLines, phase: 'reading', error: undefined });
  const { runtime, namespace, name } = id;
  const { group, kind, namespace: inNamespace, name: resourceName } = resource;
  const { follow, previous, tail } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn reads again
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
      const params = { runtime, namespace, name };
      const of =
        kind === 'Pod'
          ? { pod: resourceName, ...(inNamespace && { namespace: inNamespace }) }
          : resourceQuery({ group, kind, namespace: inNamespace, name: resourceName });
      const query = { ...of, tail, ...(follow && { follow }), ...(previous && { previous }) };
      for await (const line of api.stream('streamLogs', { params, query }, { signal: abort.signal })) {
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
  }, [api, clock, runtime, namespace, name, group, kind, inNamespace, resourceName, follow, previous, tail, turn]);
  return state;
}
