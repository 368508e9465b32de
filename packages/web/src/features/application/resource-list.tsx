import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { describeNode, type FilteredGraph, type GraphNode, kindBadge, rootKey } from '../../graph/index.ts';
import { useNow } from '../../services/index.ts';
import { classNames, Empty, StatusGlyph } from '../../ui/index.ts';
import { ageOf, shortAge } from '../../words/index.ts';

interface ResourceListProps {
  readonly graph: FilteredGraph;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

/** Depth first, as the tree is drawn; what does not match but leads to a match is left out. */
export function listedNodes({ nodes, children, matches }: FilteredGraph) {
  const listed: { readonly node: GraphNode; readonly depth: number }[] = [];
  const walk = (key: string, depth: number) => {
    for (const child of children.get(key) ?? []) {
      const node = nodes.get(child);
      const isShown = matches.size === 0 || matches.has(child);
      if (node && isShown) listed.push({ node, depth: matches.size === 0 ? depth : 0 });
      walk(child, depth + 1);
    }
  };
  walk(rootKey, 0);
  return listed;
}

export function ResourceList({ graph, selected, onSelect }: ResourceListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const nowMs = useNow(10_000);
  const listed = listedNodes(graph);
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 36,
    overscan: 10,
  });
  if (listed.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <Empty title="No resources to show" />
      </div>
    );
  }
  return (
    <div
      ref={scroll}
      className="min-h-0 flex-1 overflow-y-auto rounded-lg border border-line bg-surface max-md:max-h-[70vh]"
    >
      <ul aria-label="Resources" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const item = listed[index];
          return item ? (
            <li key={key} className="absolute inset-x-0 top-0 h-9" style={{ transform: `translateY(${start}px)` }}>
              <ResourceRow {...item} {...{ nowMs, onSelect }} isSelected={item.node.key === selected} />
            </li>
          ) : null;
        })}
      </ul>
    </div>
  );
}

interface ResourceRowProps {
  readonly node: GraphNode;
  readonly depth: number;
  readonly nowMs: number;
  readonly isSelected: boolean;
  readonly onSelect: (key: string) => void;
}

function ResourceRow({ node, depth, nowMs, isSelected, onSelect }: ResourceRowProps) {
  const age = ageOf(node.createdAt, nowMs);
  return (
    <button
      type="button"
      aria-label={describeNode(node)}
      aria-current={isSelected || undefined}
      onClick={() => onSelect(node.key)}
      className={classNames(
        'flex h-full w-full items-center gap-2.5 border-b border-line px-3 text-left text-sm hover:bg-surface-2 focus-visible:-outline-offset-2',
        isSelected && 'bg-accent-weak',
      )}
      style={{ paddingLeft: 12 + depth * 20 }}
    >
      <StatusGlyph health={node.health} sync={node.sync} silent />
      <span className="w-14 shrink-0 rounded bg-surface-2 text-center font-mono text-2xs text-muted max-sm:w-auto max-sm:px-1.5">
        {kindBadge(node.kind)}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">{node.name}</span>
      <span className="max-w-[50%] min-w-0 truncate text-muted max-sm:hidden">{node.healthMessage}</span>
      <span className="w-14 shrink-0 text-right max-sm:w-auto text-xs text-faint">
        {age === undefined ? '' : shortAge(age)}
      </span>
    </button>
  );
}
