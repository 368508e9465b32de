import type { ApplicationDetail } from '@fairlead/contracts';
import { List, Network } from 'lucide-react';
import { useMemo, useSyncExternalStore } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { formatResourceRef } from '../../api/index.ts';
import { buildGraph, filterGraph } from '../../graph/index.ts';
import { classNames, SearchBox, useSearchText } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { pageSearchId } from '../frame/index.ts';
import { ResourceTree } from '../resource-tree/index.ts';
import { isTrouble } from './explanation-words.ts';
import { ResourceDrawer } from './resource-drawer.tsx';
import { ResourceList } from './resource-list.tsx';
import { useApplicationPage } from './use-application-page.ts';
import { WhyPanel } from './why-panel.tsx';

/** The resources of the application, as a tree or as a list, and the chosen one in the drawer. */
export function CurrentState({ detail }: { readonly detail: ApplicationDetail }) {
  const { id, search, change } = useApplicationPage();
  const isWide = useSyncExternalStore(subscribeWidth, () => matchMedia('(width >= 700px)').matches);
  const view = search.view ?? (isWide ? 'tree' : 'list');
  const [find, setFind] = useSearchText(search.find ?? '', (text) => change({ find: text }, true));
  const graph = useMemo(() => buildGraph(detail), [detail]);
  const filtered = useMemo(() => filterGraph(graph, find), [graph, find]);
  const select = (key: string | undefined) => change({ resource: key, pane: key ? search.pane : undefined });
  return (
    <div className="flex min-h-0 flex-1 gap-4 max-lg:flex-col">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <SearchBox
            id={pageSearchId}
            label="Find resources"
            placeholder="Find by name, kind or image"
            value={find}
            onChange={setFind}
            className="w-64 max-sm:w-full"
          />
          <span role="status" className="text-xs text-faint">
            {find ? counted(filtered.matches.size, 'match', 'matches') : counted(graph.nodes.size - 1, 'resource')}
          </span>
          <ViewSwitch view={view} onView={(next) => change({ view: next }, true)} />
        </div>
        {view === 'list' ? (
          <ResourceList graph={filtered} selected={search.resource} onSelect={select} />
        ) : (
          <ResourceTree graph={filtered} selected={search.resource} onSelect={select} />
        )}
      </div>
      {search.resource === undefined ? (
        <Why detail={detail} onSelect={select} />
      ) : (
        <ResourceDrawer {...{ id, graph }} resource={search.resource} onClose={() => select(undefined)} />
      )}
    </div>
  );
}

function Why({ detail, onSelect }: { readonly detail: ApplicationDetail; readonly onSelect: (key: string) => void }) {
  const { explanation } = detail.report;
  if (!explanation || !isTrouble(explanation)) return null;
  return <WhyPanel {...{ detail, explanation }} onSelect={(object) => onSelect(formatResourceRef(object))} />;
}

function subscribeWidth(listener: () => void): () => void {
  const media = matchMedia('(width >= 700px)');
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

interface ViewSwitchProps {
  readonly view: 'tree' | 'list';
  readonly onView: (view: 'tree' | 'list') => void;
}

function ViewSwitch({ view, onView }: ViewSwitchProps) {
  return (
    <ToggleButtonGroup
      aria-label="View"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[view]}
      onSelectionChange={(keys) => onView(keys.has('list') ? 'list' : 'tree')}
      className="ml-auto flex rounded-md border border-line bg-surface p-0.5 text-sm"
    >
      {[
        { id: 'tree', title: 'Tree', icon: Network },
        { id: 'list', title: 'List', icon: List },
      ].map(({ id, title, icon: Icon }) => (
        <ToggleButton
          key={id}
          id={id}
          className={classNames(
            'flex h-6.5 items-center gap-1.5 rounded px-2 text-muted',
            'data-[selected]:bg-surface-2 data-[selected]:font-medium data-[selected]:text-text',
          )}
        >
          <Icon size={14} aria-hidden /> {title}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
