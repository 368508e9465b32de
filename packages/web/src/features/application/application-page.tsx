import { ApiError, type ApplicationDetail, type DeploymentRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { applicationQuery, formatResourceRef, tabNames } from '../../api/index.ts';
import { useApi, useFeedState } from '../../services/index.ts';
import { Empty, Failure, Notice, Skeleton, tabClass, tabListClass, useSelectedInView } from '../../ui/index.ts';
import { Conditions } from './conditions.tsx';
import { conditionsBeside } from './explanation-words.ts';
import { ApplicationHeader } from './header.tsx';
import { StateAt } from './state-at.tsx';
import { SyncDialog } from './sync-dialog.tsx';
import { useApplicationPage } from './use-application-page.ts';

const Timeline = lazy(async () => ({ default: (await import('../timeline/index.ts')).Timeline }));
const Workloads = lazy(async () => ({ default: (await import('../workloads/index.ts')).Workloads }));
const Configuration = lazy(async () => ({ default: (await import('../definition/index.ts')).Configuration }));
const DeleteDialog = lazy(async () => ({ default: (await import('../definition/index.ts')).DeleteDialog }));
const RollbackDialog = lazy(async () => ({ default: (await import('../definition/index.ts')).RollbackDialog }));
const RollbackToLast = lazy(async () => ({ default: (await import('../definition/index.ts')).RollbackToLast }));

export function ApplicationPage() {
  const { id } = useApplicationPage();
  const { data, error, refetch } = useQuery(applicationQuery(useApi(), id));
  return (
    <>
      <title>{`${id.name} · Fairlead`}</title>
      {data && !isGone(error) ? (
        <Loaded detail={data} error={error} />
      ) : error ? (
        <Failed name={id.name} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading name={id.name} />
      )}
    </>
  );
}

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

function Loaded({ detail, error }: { readonly detail: ApplicationDetail; readonly error: Error | null }) {
  const { id, search, change } = useApplicationPage();
  const [rolledBack, setRolledBack] = useState<DeploymentRow>();
  const tabs = useSelectedInView<HTMLDivElement>(search.tab ?? 'state');
  // The banner of the frame says it already.
  const isOffline = useFeedState().phase === 'lost';
  return (
    <div className="flex flex-col gap-3 p-4 md:h-full md:px-6 md:py-5">
      <ApplicationHeader detail={detail} />
      {error && !isOffline ? (
        <Notice kind="warning" title="This page could not be brought up to date.">
          {error.message}
        </Notice>
      ) : null}
      <Conditions conditions={conditionsBeside(detail.report.conditions, detail.report.explanation)} />
      <Tabs
        selectedKey={search.tab ?? 'state'}
        onSelectionChange={(tab) =>
          change({ tab: tabNames.find((name) => name === tab), at: undefined, from: undefined, to: undefined })
        }
        className="flex min-h-0 flex-1 flex-col gap-4"
      >
        <TabList ref={tabs} aria-label="Application" className={tabListClass}>
          <Tab id="state" className={tabClass}>
            Current state
          </Tab>
          <Tab id="timeline" className={tabClass}>
            Timeline
          </Tab>
          <Tab id="services" className={tabClass}>
            Services
          </Tab>
          <Tab id="configuration" className={tabClass}>
            Configuration
          </Tab>
        </TabList>
        <TabPanel id="state" className="flex min-h-0 flex-1 flex-col outline-offset-2">
          <StateAt detail={detail} />
        </TabPanel>
        <TabPanel id="timeline" className="min-h-0 flex-1 md:overflow-y-auto">
          <Suspense fallback={<Skeleton className="h-72 rounded-lg" />}>
            <Timeline
              {...{ id, from: search.from, to: search.to }}
              onTravel={(at) => change({ tab: undefined, at, from: undefined, to: undefined })}
              onCompare={(from, to) => change({ from, to })}
              onRollback={setRolledBack}
            />
          </Suspense>
        </TabPanel>
        <TabPanel id="services" className="min-h-0 flex-1 md:overflow-y-auto">
          <Suspense fallback={<Skeleton className="h-72 rounded-lg" />}>
            <Workloads
              detail={detail}
              onOpen={(resource) => change({ tab: undefined, resource: formatResourceRef(resource) })}
            />
          </Suspense>
        </TabPanel>
        <TabPanel id="configuration" className="min-h-0 flex-1 md:overflow-y-auto">
          <Suspense fallback={<Skeleton className="h-72 rounded-lg" />}>
            <Configuration id={id} />
          </Suspense>
        </TabPanel>
      </Tabs>
      <Suspense>
        {search.act === 'delete' ? <DeleteDialog id={id} onClose={() => change({ act: undefined }, true)} /> : null}
        {search.act === 'roll-back' ? (
          <RollbackToLast
            {...{ id, revision: detail.row.sync.revision }}
            onClose={() => change({ act: undefined }, true)}
          />
        ) : null}
        {rolledBack?.historyId === undefined ? null : (
          <RollbackDialog
            {...{ id, deployment: rolledBack, historyId: rolledBack.historyId }}
            onClose={() => setRolledBack(undefined)}
          />
        )}
      </Suspense>
      {search.act === 'synchronize' ? (
        <SyncDialog detail={detail} onClose={() => change({ act: undefined }, true)} />
      ) : null}
    </div>
  );
}

interface FailedProps {
  readonly name: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

function Failed({ name, error, onRetry }: FailedProps) {
  if (isGone(error)) {
    return (
      <Empty isPage title={`There is no application ${name} here`}>
        <p>
          It was deleted, renamed, or its runtime has not reported it yet. This page shows it as soon as it is there.
        </p>
        <Link to="/applications" className="text-accent underline">
          To the applications
        </Link>
      </Empty>
    );
  }
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <h1 className="text-xl leading-tight font-semibold">{name}</h1>
      <Failure what={`the application ${name}`} error={error} onRetry={onRetry} />
    </div>
  );
}

function Loading({ name }: { readonly name: string }) {
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <h1 className="text-xl leading-tight font-semibold">{name}</h1>
      <span role="status" className="sr-only">
        Loading {name}
      </span>
      <Skeleton className="w-96 max-w-full" />
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-[50vh] w-full rounded-lg" />
    </div>
  );
}
