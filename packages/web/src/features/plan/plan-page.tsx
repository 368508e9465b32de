// The blast radius of a change in Git: which applications of a runtime would change, object by object, before anything
// does. The question is in the URL; the runtime answers it by rendering both sides.
import type { RuntimeRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { facetsQuery, type PlanSearch, planQuery, readPlanSearch, runtimesQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Empty, Failure, PageHead, Skeleton } from '../../ui/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { PlanForm } from './plan-form.tsx';
import { PlanOutcome } from './plan-outcome.tsx';
import { PlanPending } from './plan-pending.tsx';
import { planWords } from './plan-words.ts';

const question = 'Which applications would a commit, a branch or a pull request change, before it is merged?';

export function PlanPage() {
  const search = useSearch({ from: '/frame/plan' });
  const api = useApi();
  const { data: runtimes, error, refetch } = useQuery(runtimesQuery(api));
  const { data: plan } = useQuery(planQuery(api, search));
  const words = plan && planWords(plan);
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Plan · Fairlead</title>
      <PageHead
        title="Plan"
        answer={
          words ? (
            <span role="status">
              <b>{words.lead}</b> {words.rest}
            </span>
          ) : (
            question
          )
        }
      />
      {runtimes ? (
        runtimes.length === 0 ? (
          <Empty title="There is no runtime to ask">
            <p>A runtime renders the change. Install one, and its applications can be planned for.</p>
          </Empty>
        ) : (
          <Asked {...{ search, runtimes }} />
        )
      ) : error ? (
        <Failure what="the plan" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-40 rounded-lg" />
      )}
    </div>
  );
}

function Asked({ search, runtimes }: { readonly search: PlanSearch; readonly runtimes: readonly RuntimeRow[] }) {
  const api = useApi();
  const navigate = useNavigate();
  const ask = (next: PlanSearch, replace = false) =>
    void navigate({ to: '/plan', search: readPlanSearch({ ...next }), replace });
  const runtime = search.runtime ?? runtimes[0]?.name ?? '';
  const facets = useQuery(facetsQuery(api, { runtime }));
  const plan = useQuery(planQuery(api, search));
  const repositories = facets.data?.repo.values.map(({ value }) => value);
  if (facets.error && !repositories) {
    return <Failure what="the repositories" error={facets.error} onRetry={() => void facets.refetch()} />;
  }
  return (
    <>
      {repositories ? (
        <PlanForm
          key={JSON.stringify([search.runtime, search.repo, search.change, search.onto])}
          {...{ search, runtimes, runtime, repositories }}
          isPending={plan.isFetching}
          onRuntime={(name) => ask({ runtime: name, ...(search.change && { change: search.change }) })}
          onAsk={(next) => (isSame(next, search) ? void plan.refetch() : ask(next))}
        />
      ) : (
        <Skeleton className="h-40 rounded-lg" />
      )}
      {plan.isFetching ? (
        <PlanPending />
      ) : plan.error ? (
        <GitFailure what="the plan" error={plan.error} onRetry={() => void plan.refetch()} />
      ) : plan.data ? (
        <PlanOutcome
          {...{ runtime, plan: plan.data, find: search.find ?? '' }}
          onFind={(find) => ask({ ...search, find }, true)}
        />
      ) : null}
    </>
  );
}

const isSame = (a: PlanSearch, b: PlanSearch): boolean =>
  (['runtime', 'repo', 'change', 'onto'] as const).every((name) => (a[name] ?? '') === (b[name] ?? ''));
