import type { ApplicationId } from '@fairlead/contracts';
import { X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { type PaneName, paneNames, parseResourceRef, type ResourceRef } from '../../api/index.ts';
import { type GraphNode, kindBadge, type ResourceGraph, rootKey } from '../../graph/index.ts';
import { useKeys } from '../../keyboard/index.ts';
import { Button, Empty, Skeleton, StatusGlyph, tabClass, tabListClass, useSelectedInView } from '../../ui/index.ts';
import { EventsPane } from './events-pane.tsx';
import { ManifestPane } from './manifest-pane.tsx';
import { ResourceMenu } from './resource-menu.tsx';
import { ResourceSummary } from './resource-summary.tsx';
import { useApplicationPage } from './use-application-page.ts';

const ResourceLog = lazy(async () => ({ default: (await import('../logs/index.ts')).ResourceLog }));

interface ResourceDrawerProps {
  readonly id: ApplicationId;
  readonly graph: ResourceGraph;
  /** As in the URL; perhaps of a resource that is gone. */
  readonly resource: string;
  readonly onClose: () => void;
}

const titles: Record<PaneName, string> = {
  ...{ summary: 'Summary', desired: 'Desired', live: 'Live', diff: 'Diff', events: 'Events', logs: 'Logs' },
};

/** Beside the tree on a wide window, over it on a narrow one. Escape closes. */
export function ResourceDrawer({ id, graph, resource, onClose }: ResourceDrawerProps) {
  const { search, change } = useApplicationPage();
  const ref = parseResourceRef(resource);
  const node = resource === rootKey ? undefined : graph.nodes.get(resource);
  const heading = useFocusOnOpen(resource);
  useKeys({ Escape: onClose });
  const panes = node ? panesOf(node, search.at !== undefined) : [];
  const pane = panes.find((other) => other === search.pane) ?? 'summary';
  const tabs = useSelectedInView<HTMLDivElement>(pane);
  const name = ref ? `${ref.kind} ${ref.name}` : 'Resource';
  return (
    <aside
      aria-label={name}
      className="flex min-h-0 flex-col border-line bg-surface max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-30 max-xl:w-[min(640px,100vw)] max-xl:border-l max-xl:shadow-lift xl:w-[clamp(440px,42%,820px)] xl:rounded-lg xl:border"
    >
      <header className="flex items-center gap-2.5 py-2 pr-2 pl-4">
        {node ? <StatusGlyph health={node.health} sync={node.sync} /> : null}
        <h2 ref={heading} tabIndex={-1} className="min-w-0 flex-1 truncate text-lg font-semibold outline-none">
          {ref?.name ?? resource}
        </h2>
        <span className="rounded bg-surface-2 px-1.5 py-0.5 font-mono text-2xs text-muted">
          {kindBadge(ref?.kind ?? '')}
        </span>
        {ref && node && !search.at && node.health !== 'Missing' ? (
          <ResourceMenu id={id} resource={ref} isManaged={node.sync !== undefined} />
        ) : null}
        <Button kind="quiet" square aria-label="Close" onPress={onClose}>
          <X size={16} aria-hidden />
        </Button>
      </header>
      {ref && node ? (
        <Tabs
          selectedKey={pane}
          onSelectionChange={(pane) =>
            change(
              { pane: paneNames.find((other) => other === pane && other !== 'summary') as typeof search.pane },
              true,
            )
          }
          className="flex min-h-0 flex-1 flex-col"
        >
          <TabList ref={tabs} aria-label="Resource" className={`${tabListClass} shrink-0 px-4`}>
            {panes.map((other) => (
              <Tab key={other} id={other} className={tabClass}>
                {titles[other]}
              </Tab>
            ))}
          </TabList>
          {panes.map((other) => (
            <TabPanel key={other} id={other} className="min-h-0 flex-1 overflow-y-auto">
              <Pane {...{ id, node }} resource={ref} pane={other} at={search.at} />
            </TabPanel>
          ))}
        </Tabs>
      ) : (
        <Empty title="This resource is gone">
          <p>It is neither in Git nor in the cluster any more.</p>
        </Empty>
      )}
    </aside>
  );
}

interface PaneProps {
  readonly id: ApplicationId;
  readonly node: GraphNode;
  readonly resource: ResourceRef;
  readonly pane: PaneName;
  readonly at: string | undefined;
}

function Pane({ id, node, resource, pane, at }: PaneProps) {
  switch (pane) {
    case 'summary':
      return <ResourceSummary node={node} />;
    case 'events':
      return <EventsPane {...{ id, resource }} />;
    case 'logs':
      return (
        <Suspense fallback={<Skeleton className="m-4 h-24" />}>
          <ResourceLog {...{ id, resource }} />
        </Suspense>
      );
    default:
      return <ManifestPane {...{ id, resource, pane, at }} isManaged={node.sync !== undefined} />;
  }
}

const withPods: readonly string[] = [
  ...['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Rollout'],
];

/**
 * What Git does not manage (a Pod, a ReplicaSet) has no desired manifest and nothing to compare; what is not in the
 * cluster, or not any more, says nothing.
 */
function panesOf(node: GraphNode, isPast: boolean): readonly PaneName[] {
  const manifests = node.sync === undefined ? (['live'] as const) : (['desired', 'live', 'diff'] as const);
  if (isPast || node.health === 'Missing') return ['summary', ...manifests];
  return ['summary', ...manifests, 'events', ...(withPods.includes(node.kind) ? (['logs'] as const) : [])];
}

/** The focus goes to the drawer when it opens, and back to where it came from when it closes. */
function useFocusOnOpen(resource: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const cameFrom = useRef<Element | null>(null);
  useEffect(() => {
    cameFrom.current = document.activeElement;
    return () => {
      if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another resource is another opening
  useEffect(() => heading.current?.focus({ preventScroll: true }), [resource]);
  return heading;
}
