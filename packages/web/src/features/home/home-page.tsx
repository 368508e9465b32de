import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import {
  jumpQuery,
  meQuery,
  recentDeploymentsQuery,
  runtimesQuery,
  setupQuery,
  summaryQuery,
  versionsQuery,
} from '../../api/index.ts';
import { useApi, useClock, useNow } from '../../services/index.ts';
import { Choice, Failure, PageHead, Skeleton } from '../../ui/index.ts';
import { Unseen } from '../unseen/index.ts';
import { UpgradeNotice } from '../upgrades/index.ts';
import { Activity } from './activity.tsx';
import { Attention } from './attention.tsx';
import { Cards } from './cards.tsx';
import { figuresOf, type Period, periods } from './figures.ts';
import { answerOf, greeting } from './greeting.ts';
import { LatestDeployments } from './latest-deployments.tsx';
import { needsPeople } from './needs-people.ts';

const SetupGuide = lazy(async () => ({ default: (await import('../setup/index.ts')).SetupGuide }));

export function HomePage() {
  const api = useApi();
  const clock = useClock();
  const { days = 14 } = useSearch({ from: '/frame/' });
  const navigate = useNavigate();
  const now = useNow(60_000);
  const summary = useQuery(summaryQuery(api));
  const runtimes = useQuery(runtimesQuery(api));
  const worst = useQuery(jumpQuery(api, ''));
  const deployments = useQuery(recentDeploymentsQuery(api, days * 2, clock.now));
  const figures = useMemo(
    () => deployments.data && figuresOf(deployments.data.items, days, now),
    [deployments.data, days, now],
  );
  const setup = useQuery(setupQuery(api));
  const platform = useQuery(versionsQuery(api)).data?.platform;
  const tokens = useQuery(meQuery(api)).data?.gitTokenWarnings ?? [];
  const error = summary.error ?? runtimes.error;
  const troubled = worst.data?.filter((row) => needsPeople(row, now)) ?? [];
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Home · Fairlead</title>
      <PageHead
        title={greeting(new Date(now).getHours())}
        answer={
          summary.data && runtimes.data ? (
            <Answer words={answerOf(summary.data, runtimes.data, { worst: worst.data ?? [], tokens, nowMs: now })} />
          ) : error ? null : (
            <Skeleton className="mt-2 w-80 max-w-full" />
          )
        }
        actions={
          <Choice
            label="Period"
            isLabelHidden
            value={String(days)}
            options={periods.map((count) => ({ value: String(count), label: `Last ${count} days` }))}
            onChange={(chosen) => void navigate({ to: '/', search: { days: Number(chosen) as Period }, replace: true })}
          />
        }
      />
      {error && !(summary.data && runtimes.data) ? (
        <Failure
          what="the overview"
          error={error}
          onRetry={() => {
            void summary.refetch();
            void runtimes.refetch();
          }}
        />
      ) : null}
      {setup.data && !setup.data.complete ? (
        <Suspense fallback={<Skeleton className="h-72 rounded-lg" />}>
          <SetupGuide setup={setup.data} />
        </Suspense>
      ) : null}
      {summary.data?.unseen && summary.data.total === 0 ? <Unseen by={summary.data.unseen} /> : null}
      <Attention rows={troubled} runtimes={runtimes.data ?? []} tokens={tokens} nowMs={now} />
      {platform?.upgrade ? (
        <UpgradeNotice of="The platform" version={platform.version} upgrade={platform.upgrade} />
      ) : null}
      <Cards runtimes={runtimes.data} figures={figures} days={days} isCut={deployments.data?.isCut ?? false} />
      {deployments.error && !figures ? (
        <Failure what="the deployments" error={deployments.error} onRetry={() => void deployments.refetch()} />
      ) : (
        <>
          <Activity figures={figures} days={days} nowMs={now} />
          <LatestDeployments deployments={deployments.data?.items} nowMs={now} />
        </>
      )}
    </div>
  );
}

function Answer({ words }: { readonly words: { readonly lead: string; readonly rest: string } }) {
  return (
    <p>
      <b>{words.lead}</b> {words.rest}
    </p>
  );
}
