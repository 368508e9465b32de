import { compareDigest, ingestBatch } from '../../ingest/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'reportEvents' | 'exchangeDigest';

export function eventHandlers({ store, log, ingestMetrics }: HandlerDeps): HandlersOf<Names> {
  return {
    reportEvents: ({ caller, body }) =>
      ingestBatch({ store, log, metrics: ingestMetrics }, { runtime: caller, batch: body }),
    exchangeDigest: ({ caller, body }) => compareDigest(store, { runtime: caller, digest: body }),
  };
}
