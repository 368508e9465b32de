import { ChevronsUpDown } from 'lucide-react';
import {
  type DrawnNode,
  describeDrawn,
  groupTitle,
  kindBadge,
  nodeHeight,
  nodeWidth,
  type Place,
} from '../../graph/index.ts';
import { classNames, StatusGlyph } from '../../ui/index.ts';

interface TreeNodeProps {
  readonly node: DrawnNode;
  readonly place: Place;
  readonly isSelected: boolean;
  readonly isMatch: boolean;
  readonly isFocusable: boolean;
  readonly onFocus: () => void;
  readonly onActivate: () => void;
}

export function TreeNode({ node, place, isSelected, isMatch, isFocusable, onFocus, onActivate }: TreeNodeProps) {
  const shown = node.type === 'resource' ? node.node : node.members[0];
  if (!shown) return null;
  const isBad = shown.health === 'Degraded';
  return (
    <button
      type="button"
      data-node={node.key}
      tabIndex={isFocusable ? 0 : -1}
      aria-label={describeDrawn(node)}
      aria-current={isSelected || undefined}
      {...(node.type === 'group' ? { 'aria-expanded': false } : {})}
      title={shown.healthMessage ?? describeDrawn(node)}
      onFocus={onFocus}
      onClick={onActivate}
      className={classNames(
        'absolute flex items-center gap-2 rounded-lg border bg-surface px-2.5 text-left text-sm focus-visible:rounded-lg',
        isSelected
          ? 'border-accent shadow-[0_0_0_3px_var(--accent-weak)]'
          : isBad
            ? 'border-degraded shadow-[0_0_0_3px_var(--degraded-weak)]'
            : 'border-line hover:border-line-strong',
        node.type === 'group' && 'border-dashed border-line-strong',
        isMatch && !isSelected && 'bg-accent-weak',
      )}
      style={{ left: place.x, top: place.y, width: nodeWidth, height: nodeHeight }}
    >
      <StatusGlyph health={shown.health} sync={shown.sync} silent />
      <span className="line-clamp-2 min-w-0 flex-1 leading-tight break-all">
        {node.type === 'group' ? groupTitle(node.members) : shown.name}
      </span>
      {node.type === 'group' ? (
        <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-faint" />
      ) : (
        <span className="rounded bg-surface-2 px-1.5 py-0.5 font-mono text-[10px] font-semibold text-muted">
          {kindBadge(shown.kind)}
        </span>
      )}
    </button>
  );
}
