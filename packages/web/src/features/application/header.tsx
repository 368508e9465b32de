import type { ApplicationDetail } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, Square } from 'lucide-react';
import { useEffect } from 'react';
import { runtimesQuery, staleForMs } from '../../api/index.ts';
import { useApi, useClock, useNow } from '../../services/index.ts';
import { Button, Notice, PageHead, StatusGlyph } from '../../ui/index.ts';
import { shortAge, visibleText } from '../../words/index.ts';

import { answerOf } from './answer.ts';
import { Facts } from './facts.tsx';
import { OperationStrip } from './operation-strip.tsx';
import { isRunning } from './sync-preview.ts';
import { useActs } from './use-acts.ts';
import { useApplicationPage } from './use-application-page.ts';

export function ApplicationHeader({ detail }: { readonly detail: ApplicationDetail }) {
  const now = useNow(1000);
  const { row } = detail;
  const { lead, rest } = answerOf(detail, now);
  const { data: runtimes = [] } = useQuery(runtimesQuery(useApi()));
  const runtime = runtimes.find(({ name }) => name === row.id.runtime);
  const staleMs = staleForMs(row, runtime, now);
  return (
    <header className="flex flex-col gap-3">
      <PageHead
        title={
          <>
            <StatusGlyph
              health={row.health.status}
              sync={row.sync.status}
              size={18}
              className={staleMs === undefined ? '' : 'opacity-50'}
            />
            <span className="min-w-0 truncate">{visibleText(row.id.name)}</span>
          </>
        }
        answer={
          <>
            {staleMs === undefined ? null : 'Last known: '}
            <b>{lead}</b> {rest}
          </>
        }
        actions={<Actions detail={detail} />}
      />
      {staleMs === undefined ? null : (
        <Notice kind="warning" title={`Runtime ${row.id.runtime} has been silent for ${shortAge(staleMs)}.`}>
          This is its last known state; it may have changed since. Acts reach it again when it is back.
        </Notice>
      )}
      <OperationStrip detail={detail} nowMs={now} />
      <Facts detail={detail} nowMs={now} />
    </header>
  );
}

function Actions({ detail: { row } }: { readonly detail: ApplicationDetail }) {
  const { id, change } = useApplicationPage();
  const { refresh, terminate } = useActs(id);
  const busy = isRunning(row.operation);
  const failed = refresh.error ?? terminate.error;
  useForget(refresh.isSuccess, refresh.reset);
  return (
    <div className="flex flex-col items-end gap-1 max-md:items-start">
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => refresh.mutate()} isPending={refresh.isPending}>
          <RefreshCw size={14} aria-hidden className={refresh.isPending ? 'turn' : ''} /> Refresh
        </Button>
        {busy ? (
          <Button kind="danger" onPress={() => terminate.mutate()} isPending={terminate.isPending}>
            <Square size={12} aria-hidden /> Terminate
          </Button>
        ) : null}
        <Button onPress={() => change({ act: 'roll-back' })}>Roll back…</Button>
        <Button kind="danger" onPress={() => change({ act: 'delete' })}>
          Delete…
        </Button>
        <Button kind="primary" isDisabled={busy} onPress={() => change({ act: 'synchronize' })}>
          Synchronize…
        </Button>
      </div>
      <p role="status" className="min-h-4 max-w-[420px] text-xs leading-4 text-muted md:text-right">
        {failed ? (
          <span className="text-degraded">{failed.message}</span>
        ) : busy ? (
          'A synchronization is running; another can start when it is done.'
        ) : (
          (refresh.data?.message ?? '')
        )}
      </p>
    </div>
  );
}

const receiptMs = 6000;

/** An answer that was read need not stay. */
function useForget(isDone: boolean, forget: () => void): void {
  const clock = useClock();
  useEffect(() => (isDone ? clock.after(receiptMs, forget) : undefined), [isDone, forget, clock]);
}
