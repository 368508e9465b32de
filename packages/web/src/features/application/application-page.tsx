import { ApiError, type ApplicationDetail } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { applicationQuery } from '../../api/index.ts';
import { useApi, useFeedState } from '../../services/index.ts';
import { Button, Empty, Notice, Skeleton, tabClass, tabListClass } from '../../ui/index.ts';
import { Conditions } from './conditions.tsx';
import { CurrentState } from './current-state.tsx';
import { conditionsBeside } from './explanation-words.ts';
import { ApplicationHeader } from './header.tsx';
import { History } from './history.tsx';
import { SyncDialog } from './sync-dialog.tsx';
import { useApplicationPage } from './use-application-page.ts';

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
  const { search, change } = useApplicationPage();
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
        onSelectionChange={(tab) => change({ tab: tab === 'history' ? 'history' : undefined })}
        className="flex min-h-0 flex-1 flex-col gap-4"
      >
        <TabList aria-label="Application" className={tabListClass}>
          <Tab id="state" className={tabClass}>
            Current state
          </Tab>
          <Tab id="history" className={tabClass}>
            History
          </Tab>
        </TabList>
        <TabPanel id="state" className="flex min-h-0 flex-1 flex-col outline-offset-2">
          <CurrentState detail={detail} />
        </TabPanel>
        <TabPanel id="history" className="min-h-0 flex-1 md:overflow-y-auto">
          <History detail={detail} />
        </TabPanel>
      </Tabs>
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
    <div className="p-4 md:px-6 md:py-5">
      <Notice
        kind="error"
        title={`${name} could not be loaded.`}
        actions={<Button onPress={onRetry}>Try again</Button>}
      >
        {error.message}
      </Notice>
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
