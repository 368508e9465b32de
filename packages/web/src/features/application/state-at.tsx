import type { ApplicationDetail } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { applicationAtQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Failure, Skeleton } from '../../ui/index.ts';
import { CurrentState } from './current-state.tsx';
import { useApplicationPage } from './use-application-page.ts';

const PastBanner = lazy(async () => ({ default: (await import('../timeline/index.ts')).PastBanner }));

/** The resources now, or at the past moment of the URL. */
export function StateAt({ detail }: { readonly detail: ApplicationDetail }) {
  const { id, search, change } = useApplicationPage();
  const past = useQuery(applicationAtQuery(useApi(), id, search.at));
  if (!search.at) return <CurrentState detail={detail} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Suspense fallback={<Skeleton className="h-11 rounded-lg" />}>
        <PastBanner id={id} at={search.at} onTravel={(at) => change({ at })} />
      </Suspense>
      {past.data ? (
        <CurrentState detail={past.data} />
      ) : past.error ? (
        <Failure what="the state of that moment" error={past.error} onRetry={() => void past.refetch()} />
      ) : (
        <Skeleton className="h-auto! min-h-80 flex-1 rounded-lg" />
      )}
    </div>
  );
}
