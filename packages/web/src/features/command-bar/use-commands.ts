import type { ApplicationId, SearchHit } from '@fairlead/contracts';
import { useMatch, useNavigate } from '@tanstack/react-router';
import {
  Bell,
  Boxes,
  FolderGit2,
  GitCompareArrows,
  House,
  Keyboard,
  Layers,
  Monitor,
  Moon,
  Network,
  Plus,
  RefreshCw,
  ScrollText,
  Server,
  Settings,
  Sun,
} from 'lucide-react';
import { readApplicationSearch, sections } from '../../api/index.ts';
import { chooseTheme } from '../../ui/index.ts';
import type { Command } from './commands.ts';

interface CommandBarActs {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

interface Commands {
  readonly commands: readonly Command[];
  readonly openApplication: (id: ApplicationId) => void;
  readonly openHit: (hit: SearchHit) => void;
}

export function useCommands({ onClose, onShortcuts }: CommandBarActs): Commands {
  const navigate = useNavigate();
  const open = useMatch({ from: '/frame/applications/$runtime/$namespace/$name', shouldThrow: false });
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  const current: Command[] = open
    ? [
        {
          id: 'synchronize',
          title: `Synchronize ${open.params.name}…`,
          icon: RefreshCw,
          run: then(
            () =>
              void navigate({
                to: '/applications/$runtime/$namespace/$name',
                params: open.params,
                search: (search) => readApplicationSearch({ ...search, act: 'synchronize' }),
              }),
          ),
        },
      ]
    : [];
  const commands: Command[] = [
    ...current,
    {
      ...{ id: 'home', title: 'Go to Home', keys: 'g h', icon: House },
      run: then(() => void navigate({ to: '/' })),
    },
    {
      ...{ id: 'applications', title: 'Go to Applications', keys: 'g a', icon: Layers },
      run: then(() => void navigate({ to: '/applications' })),
    },
    {
      ...{ id: 'runtimes', title: 'Go to Runtimes', keys: 'g r', icon: Server },
      run: then(() => void navigate({ to: '/runtimes' })),
    },
    {
      ...{ id: 'plan', title: 'Plan: what a change would do', keys: 'g p', icon: GitCompareArrows },
      run: then(() => void navigate({ to: '/plan' })),
    },
    {
      ...{ id: 'notifications', title: 'Go to Notifications', icon: Bell },
      run: then(() => void navigate({ to: '/notifications' })),
    },
    {
      ...{ id: 'new-application', title: 'New application', icon: Plus },
      run: then(() => void navigate({ to: '/applications/new' })),
    },
    {
      ...{ id: 'git-sources', title: 'Go to Git Sources', icon: FolderGit2 },
      run: then(() => void navigate({ to: '/git-sources' })),
    },
    {
      ...{ id: 'clusters', title: 'Go to Clusters', icon: Boxes },
      run: then(() => void navigate({ to: '/clusters' })),
    },
    {
      ...{ id: 'topology', title: 'Go to Topology', icon: Network },
      run: then(() => void navigate({ to: '/topology' })),
    },
    {
      ...{ id: 'audit', title: 'Go to Audit', keys: 'g u', icon: ScrollText },
      run: then(() => void navigate({ to: '/audit' })),
    },
    ...sections.map(({ id, title }) => ({
      ...{ id: `settings-${id}`, title: `Settings: ${title}`, icon: Settings },
      run: then(() => void navigate({ to: '/settings/$section', params: { section: id } })),
    })),
    { id: 'light', title: 'Light theme', icon: Sun, run: then(() => chooseTheme('light')) },
    { id: 'dark', title: 'Dark theme', icon: Moon, run: then(() => chooseTheme('dark')) },
    { id: 'system', title: 'Theme of the system', icon: Monitor, run: then(() => chooseTheme('system')) },
    { id: 'shortcuts', title: 'Keyboard shortcuts', keys: '?', icon: Keyboard, run: onShortcuts },
  ];
  const openApplication = (id: ApplicationId) =>
    then(() => void navigate({ to: '/applications/$runtime/$namespace/$name', params: id }))();
  const openHit = (hit: SearchHit) => {
    if (hit.kind === 'application') openApplication(hit.id);
    else if (hit.kind === 'runtime')
      then(() => void navigate({ to: '/runtimes/$runtime', params: { runtime: hit.name } }))();
    else then(() => void navigate({ to: '/applications', search: { [hit.kind]: hit.name } }))();
  };
  return { commands, openApplication, openHit };
}
