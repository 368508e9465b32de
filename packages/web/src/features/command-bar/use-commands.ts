import type { ApplicationRow } from '@fairlead/contracts';
import { useMatch, useNavigate } from '@tanstack/react-router';
import { Keyboard, Layers, Monitor, Moon, RefreshCw, Server, Sun } from 'lucide-react';
import { chooseTheme } from '../../ui/index.ts';
import type { Command } from './commands.ts';

interface CommandBarActs {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

interface Commands {
  readonly commands: readonly Command[];
  readonly openApplication: (row: ApplicationRow) => void;
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
                search: (search) => ({ ...search, act: 'synchronize' as const }),
              }),
          ),
        },
      ]
    : [];
  const commands: Command[] = [
    ...current,
    {
      ...{ id: 'applications', title: 'Go to Applications', keys: 'g a', icon: Layers },
      run: then(() => void navigate({ to: '/applications' })),
    },
    {
      ...{ id: 'runtimes', title: 'Go to Runtimes', keys: 'g r', icon: Server },
      run: then(() => void navigate({ to: '/runtimes' })),
    },
    { id: 'light', title: 'Light theme', icon: Sun, run: then(() => chooseTheme('light')) },
    { id: 'dark', title: 'Dark theme', icon: Moon, run: then(() => chooseTheme('dark')) },
    { id: 'system', title: 'Theme of the system', icon: Monitor, run: then(() => chooseTheme('system')) },
    { id: 'shortcuts', title: 'Keyboard shortcuts', keys: '?', icon: Keyboard, run: onShortcuts },
  ];
  const openApplication = ({ id }: ApplicationRow) =>
    then(() => void navigate({ to: '/applications/$runtime/$namespace/$name', params: id }))();
  return { commands, openApplication };
}
