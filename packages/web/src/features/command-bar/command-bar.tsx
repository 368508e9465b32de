// Ctrl-K: go to a page, find anything by its name (the server searches), act on what is open.
import type { SearchHit } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { Boxes, FolderGit2, Search, Server } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Input, SearchField } from 'react-aria-components/SearchField';
import { foundQuery, jumpQuery } from '../../api/index.ts';
import { idKey } from '../../live/index.ts';
import { useApi } from '../../services/index.ts';
import { StatusGlyph } from '../../ui/index.ts';
import { counted, visibleText } from '../../words/index.ts';
import { type Command, matchCommands } from './commands.ts';
import { useCommands } from './use-commands.ts';

interface CommandBarProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** Applications shown before anything is typed: those that need attention most. */
const unaskedRows = 4;

export function CommandBar({ onClose, onShortcuts }: CommandBarProps) {
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const api = useApi();
  const { data: worst = [] } = useQuery(jumpQuery(api, ''));
  const { data: found = [], isFetching } = useQuery(foundQuery(api, search));
  const { commands, openHit } = useCommands({ onClose, onShortcuts });
  const hits: readonly SearchHit[] =
    search === ''
      ? worst.slice(0, unaskedRows).map(({ id, health, sync }) => ({
          ...{ kind: 'application' as const, id, health: health.status, sync: sync.status },
        }))
      : found;
  const entries = [
    ...(search === '' ? [] : hits).map((hit) => ({ type: 'hit' as const, id: hitKey(hit), hit })),
    ...matchCommands(commands, text).map((command) => ({ type: 'command' as const, id: command.id, command })),
    ...(search === '' ? hits : []).map((hit) => ({ type: 'hit' as const, id: hitKey(hit), hit })),
  ];
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => open || onClose()}
      className="fixed inset-0 z-50 flex items-start justify-center bg-overlay p-3 pt-[10vh]"
    >
      <Modal className="w-full max-w-[600px]">
        <Dialog
          aria-label="Command bar"
          className="overflow-hidden rounded-lg border border-line bg-surface shadow-lift outline-none"
        >
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Search or jump to" autoFocus className="flex h-12 items-center gap-3 px-4">
              <Search size={16} aria-hidden className="text-faint" />
              <Input
                placeholder="Search or jump to…"
                className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
              />
              <kbd aria-hidden>Esc</kbd>
            </SearchField>
            <Menu
              aria-label="Results"
              items={entries}
              className="max-h-[60vh] overflow-y-auto border-t border-line p-1 text-sm outline-none"
            >
              {(entry) =>
                entry.type === 'command' ? (
                  <CommandItem command={entry.command} />
                ) : (
                  <HitItem hit={entry.hit} onOpen={openHit} />
                )
              }
            </Menu>
            {entries.length === 0 ? (
              <p role="status" className="px-4 pb-5 text-center text-sm text-muted">
                {isFetching ? 'Searching…' : `Nothing matches “${text}”.`}
              </p>
            ) : null}
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const itemClass =
  'flex h-9 cursor-default items-center gap-2.5 rounded-md px-3 outline-none data-[focused]:bg-accent-weak';

const hitKey = (hit: SearchHit): string =>
  hit.kind === 'application' ? `application/${idKey(hit.id)}` : `${hit.kind}/${hit.name}`;

interface HitItemProps {
  readonly hit: SearchHit;
  readonly onOpen: (hit: SearchHit) => void;
}

const hitIcons = { runtime: Server, project: FolderGit2, cluster: Boxes } as const;

function HitItem({ hit, onOpen }: HitItemProps) {
  const name = hit.kind === 'application' ? hit.id.name : hit.name;
  return (
    <MenuItem textValue={name} onAction={() => onOpen(hit)} className={itemClass}>
      <HitGlyph hit={hit} />
      <span className="min-w-0 truncate font-medium">{visibleText(name)}</span>
      <span className="ml-auto min-w-0 truncate text-muted">
        {hit.kind === 'application' ? `in ${hit.id.runtime}` : hit.kind}
        {'applications' in hit ? `, ${counted(hit.applications, 'application')}` : ''}
      </span>
    </MenuItem>
  );
}

function HitGlyph({ hit }: { readonly hit: SearchHit }) {
  if (hit.kind === 'application') return <StatusGlyph health={hit.health} sync={hit.sync} />;
  const Icon = hitIcons[hit.kind];
  return <Icon size={16} aria-hidden className="shrink-0 text-muted" />;
}

function CommandItem({ command: { title, keys, run, icon: Icon } }: { readonly command: Command }) {
  return (
    <MenuItem textValue={title} onAction={run} className={itemClass}>
      <Icon size={16} aria-hidden className="text-muted" />
      <span>{title}</span>
      {keys ? (
        <span aria-hidden className="ml-auto flex gap-1">
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      ) : null}
    </MenuItem>
  );
}
