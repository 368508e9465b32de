import type { ClusterRow, GitSourceRow, RuntimeRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { clustersQuery, gitSourcesQuery, meQuery, runtimesQuery, versionsQuery } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { Empty, Failure, Notice, PageHead, Panel, Skeleton, Table } from '../../ui/index.ts';
import { ageOf, counted, longAgo } from '../../words/index.ts';
import { AddRuntime, ForgetRuntime, PendingRuntime } from '../add-runtime/index.ts';
import { ClusterLine, clusterColumns } from '../clusters/index.ts';
import { GitSourceLine, gitSourceColumns } from '../git-sources/index.ts';
import { RuntimeWorkloads } from '../reported-workloads/index.ts';
import { UpgradeNotice } from '../upgrades/index.ts';
import { Components } from './components.tsx';
import { Connectivity } from './connectivity.tsx';
import { issuesOf } from './issues.ts';
import { StatusBoxes } from './status-boxes.tsx';

export function RuntimePage() {
  const { runtime: name } = useParams({ from: '/frame/runtimes/$runtime' });
  const api = useApi();
  const { data: runtimes, error, refetch } = useQuery(runtimesQuery(api));
  const { data: clusters = [] } = useQuery(clustersQuery(api));
  const { data: gitSources = [] } = useQuery(gitSourcesQuery(api));
  const runtime = runtimes?.find((row) => row.name === name);
  const mine = <T extends { readonly runtime: string }>(rows: readonly T[]) =>
    rows.filter((row) => row.runtime === name);
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>{`${name} · Fairlead`}</title>
      {runtime ? (
        <Loaded runtime={runtime} clusters={mine(clusters)} gitSources={mine(gitSources)} />
      ) : runtimes ? (
        <Empty isPage title={`There is no runtime ${name}`}>
          <Link to="/runtimes" className="text-accent underline">
            To the runtimes
          </Link>
        </Empty>
      ) : error ? (
        <>
          <h1 className="text-xl font-semibold">{name}</h1>
          <Failure what="the runtime" error={error} onRetry={() => void refetch()} />
        </>
      ) : (
        <>
          <h1 className="text-xl font-semibold">{name}</h1>
          <Skeleton className="h-64 rounded-lg" />
        </>
      )}
    </div>
  );
}

interface LoadedProps {
  readonly runtime: RuntimeRow;
  readonly clusters: readonly ClusterRow[];
  readonly gitSources: readonly GitSourceRow[];
}

function Loaded({ runtime, clusters, gitSources }: LoadedProps) {
  const now = useNow(1000);
  const { data: me } = useQuery(meQuery(useApi()));
  const { data: versions } = useQuery(versionsQuery(useApi()));
  const own = versions?.runtimes.find(({ name }) => name === runtime.name);
  const [isInstalling, setInstalling] = useState(false);
  const isAdmin = me?.user.role === 'admin';
  const isExpected = runtime.status === 'pending' && runtime.kind === 'hybrid' && isAdmin;
  const age = ageOf(runtime.lastHeardAt, now);
  const issues = issuesOf({ runtime, clusters, gitSources });
  return (
    <>
      <nav aria-label="Breadcrumb" className="-mb-3 text-sm text-muted">
        <Link to="/runtimes" className="hover:text-accent hover:underline">
          Runtimes
        </Link>{' '}
        /
      </nav>
      <PageHead
        title={runtime.name}
        answer={
          <>
            <b>{issues.length === 0 ? 'All is well.' : `${counted(issues.length, 'thing')} to look at.`}</b>{' '}
            {runtime.kind === 'hosted' ? 'A hosted runtime' : 'A hybrid runtime'}
            {runtime.report ? ` of version ${runtime.report.version}` : ''}
            {age === undefined ? ', never heard of yet.' : `, last heard ${longAgo(age)}.`}
          </>
        }
        actions={isAdmin && runtime.status === 'offline' ? <ForgetRuntime runtime={runtime} /> : null}
      />
      {isExpected ? <PendingRuntime runtime={runtime} onInstall={() => setInstalling(true)} /> : null}
      {isInstalling ? <AddRuntime name={runtime.name} onClose={() => setInstalling(false)} /> : null}
      {own?.upgrade ? <UpgradeNotice of={runtime.name} version={own.version} upgrade={own.upgrade} /> : null}
      <StatusBoxes {...{ runtime, clusters, gitSources }} />
      {issues
        .filter(({ isAwaited }) => !(isAwaited && isExpected))
        .map(({ title, detail, kind }) => (
          <Notice key={title} kind={kind} title={title}>
            {detail}
          </Notice>
        ))}
      <div id="components">
        <Components runtime={runtime} isAdmin={isAdmin} />
      </div>
      <div id="git-sources">
        <Panel title="Git Sources" hint="The folders that applications come from.">
          {gitSources.length === 0 ? (
            <p className="text-sm text-muted">None yet.</p>
          ) : (
            <Table label="Git Sources" columns={gitSourceColumns.filter((title) => title !== 'Runtime')}>
              {gitSources.map((row) => (
                <GitSourceLine key={row.name} row={row} isOfOneRuntime />
              ))}
            </Table>
          )}
        </Panel>
      </div>
      <div id="clusters">
        <Panel title="Clusters" hint="Where it deploys to.">
          <Table label="Clusters" columns={clusterColumns.filter((title) => title !== 'Runtime')}>
            {clusters.map((row) => (
              <ClusterLine key={row.server} row={row} isOfOneRuntime />
            ))}
          </Table>
        </Panel>
      </div>
      {isAdmin && runtime.report ? <RuntimeWorkloads runtime={runtime.name} /> : null}
      <div id="connectivity">
        <Connectivity runtime={runtime} nowMs={now} />
      </div>
    </>
  );
}
