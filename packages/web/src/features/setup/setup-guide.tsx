// The way from nothing to the first deployment: three steps, each as far as it is. It goes by itself when all are done.
import type { HostedInstall, SetupState } from '@fairlead/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { keys, meQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, classNames, Notice, Panel, StatusGlyph, StepList } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { ConnectCommand } from '../clusters/index.ts';
import { ConnectGit } from './connect-git.tsx';

export function SetupGuide({ setup }: { readonly setup: SetupState }) {
  const done = [setup.runtime, setup.git, setup.cluster].filter(({ status }) => status === 'done').length;
  return (
    <Panel
      title="Set up Fairlead"
      hint={done === 0 ? 'Three steps to the first deployment.' : `${done} of 3 steps are done.`}
    >
      <ol className="flex flex-col">
        <RuntimeStep setup={setup} />
        <GitStep setup={setup} />
        <ClusterStep setup={setup} />
      </ol>
    </Panel>
  );
}

type StepStatus = SetupState['runtime']['status'];

const icons = {
  todo: { icon: CircleDashed, color: 'text-faint', word: 'to do' },
  doing: { icon: LoaderCircle, color: 'text-progressing', word: 'under way' },
  done: { icon: CircleCheck, color: 'text-healthy', word: 'done' },
  failed: { icon: CircleX, color: 'text-degraded', word: 'failed' },
} as const;

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly status: StepStatus;
  readonly children: ReactNode;
}

function Step({ number, title, status, children }: StepProps) {
  const { icon: Icon, color, word } = icons[status];
  return (
    <li className="flex gap-3 border-b border-line py-4 first:pt-0 last:border-b-0 last:pb-0">
      <Icon size={20} aria-hidden className={classNames('mt-0.5 shrink-0', color, status === 'doing' && 'turn')} />
      <div className="flex min-w-0 flex-1 flex-col gap-2 text-sm">
        <h3 className="text-base font-semibold">
          {number}. {title} <span className={classNames('ml-1 text-xs font-normal', color)}>{word}</span>
        </h3>
        {children}
      </div>
    </li>
  );
}

function RuntimeStep({ setup: { runtime } }: { readonly setup: SetupState }) {
  const api = useApi();
  const client = useQueryClient();
  const isAdmin = useIsAdmin();
  const install = useMutation({
    mutationFn: () => api.call('installHostedRuntime', { body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.setup }),
  });
  return (
    <Step number={1} title="Install a runtime" status={runtime.status}>
      <p className="text-muted">
        A runtime watches Git and brings your clusters to what it says. The hosted one runs beside this platform.
      </p>
      {runtime.install && runtime.status !== 'done' ? <InstallProgress install={runtime.install} /> : null}
      {install.error ? (
        <Notice kind="error" title="The installation did not start.">
          {install.error.message}
        </Notice>
      ) : null}
      {runtime.status === 'done' && runtime.name ? (
        <p>
          <Link to="/runtimes/$runtime" params={{ runtime: runtime.name }} className="text-accent underline">
            View runtime {runtime.name}
          </Link>
        </p>
      ) : runtime.status === 'doing' ? null : isAdmin ? (
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" isPending={install.isPending} onPress={() => install.mutate()}>
            {runtime.status === 'failed' ? 'Install again' : 'Install the hosted runtime'}
          </Button>
        </div>
      ) : (
        <p>An administrator can install it.</p>
      )}
    </Step>
  );
}

function InstallProgress({ install: { steps, message } }: { readonly install: HostedInstall }) {
  return (
    <div aria-live="polite" className="rounded-md border border-line bg-bg px-3 py-2">
      <StepList steps={steps} />
      {steps.length === 0 ? <p className="text-muted">Asked for; the provisioner takes it up in a moment.</p> : null}
      {message ? <p className="mt-1 text-degraded">{message}</p> : null}
    </div>
  );
}

function GitStep({ setup: { git, runtime } }: { readonly setup: SetupState }) {
  const isAdmin = useIsAdmin();
  const canConnect = git.status === 'todo' && runtime.status === 'done' && runtime.name !== undefined;
  return (
    <Step number={2} title="Connect a Git provider" status={git.status}>
      <p className="text-muted">
        {git.status === 'done'
          ? `What is configured here is kept in Git, with ${counted(git.gitSources, 'Git Source')} for applications.`
          : 'What you configure is kept as files in a repository of yours: the Shared Configuration Repository.'}
      </p>
      {git.sharedConfigRepo ? <p className="font-mono text-xs break-all">{git.sharedConfigRepo}</p> : null}
      {canConnect && isAdmin && runtime.name ? <ConnectGit runtime={runtime.name} /> : null}
      {canConnect && !isAdmin ? <p>An administrator can connect it.</p> : null}
      {git.status === 'done' ? (
        <Link to="/git-sources" className="text-accent underline">
          View the Git Sources
        </Link>
      ) : null}
    </Step>
  );
}

function ClusterStep({ setup: { cluster, runtime, git } }: { readonly setup: SetupState }) {
  const isNext = cluster.status === 'todo' && git.status === 'done';
  return (
    <Step number={3} title="Connect a cluster" status={cluster.status}>
      {cluster.clusters.length === 0 ? (
        <p className="text-muted">Where your applications run. The runtime deploys to it from then on.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {cluster.clusters.map(({ runtime, name, server, status }) => (
            <li key={`${runtime} ${server}`} className="flex items-center gap-2">
              <StatusGlyph
                health={status === 'Successful' ? 'Healthy' : status === 'Failed' ? 'Degraded' : 'Unknown'}
                size={14}
              />
              <b className="font-semibold">{name}</b> <span className="font-mono text-xs text-muted">{server}</span>
            </li>
          ))}
        </ul>
      )}
      {isNext ? <ConnectCommand runtime={runtime.name ?? ''} /> : null}
    </Step>
  );
}

function useIsAdmin(): boolean {
  const { data: me } = useQuery(meQuery(useApi()));
  return me?.user.role === 'admin';
}
