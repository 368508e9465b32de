import { compareDigest, ingestBatch, readCompatibleEvent } from '../../ingest/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'reportEvents' | 'exchangeDigest' | 'reportCompatibleEvent';

export function eventHandlers({ store, log, ingestMetrics }: HandlerDeps): HandlersOf<Names> {
  const deps = { store, log, metrics: ingestMetrics };
  return {
    reportEvents: ({ caller, body }) => ingestBatch(deps, { runtime: caller, batch: body }),
    reportCompatibleEvent({ caller, body }) {
      const object = readCompatibleEvent(body, { now: new Date(store.clock.now()) });
      // What is not taken is acknowledged: sending it again would not help.
      if (!object) return Promise.resolve({ applied: 0, ignored: 1, missingContents: [], quarantined: [] });
      const batch = { reporter: 'compatible', objects: [object], contents: {} };
      return ingestBatch(deps, { runtime: caller, batch });
    },
    exchangeDigest: ({ caller, body }) => compareDigest(store, { runtime: caller, digest: body }),
  };
}
