import { unifiedMergeView } from '@codemirror/merge';
import { useMemo } from 'react';
import { manifestText } from './manifest-text.ts';
import { readOnlyYaml } from './setup.ts';
import { useEditor } from './use-editor.ts';

interface DiffViewProps {
  /** What is in the cluster; undefined when it is not there. */
  readonly before: unknown;
  /** What Git wants; undefined when it is not there. */
  readonly after: unknown;
  readonly label: string;
}

/** One column: red lines are in the cluster, green ones come from Git. Long equal stretches are folded. */
export function DiffView({ before, after, label }: DiffViewProps) {
  const [original, text] = useMemo(() => [manifestText(before), manifestText(after)], [before, after]);
  const extensions = useMemo(
    () => [
      readOnlyYaml(label),
      unifiedMergeView({
        ...{ original, mergeControls: false, highlightChanges: true, gutter: true },
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
    ],
    [original, label],
  );
  const parent = useEditor(text, extensions);
  return (
    <div className="flex h-full flex-col">
      <p className="flex gap-4 border-b border-line px-4 py-1.5 text-xs text-muted">
        <span>
          <b className="mr-1 rounded bg-degraded-weak px-1 font-mono text-degraded">−</b>in the cluster
        </span>
        <span>
          <b className="mr-1 rounded bg-healthy-weak px-1 font-mono text-healthy">+</b>in Git
        </span>
      </p>
      <div ref={parent} className="min-h-0 flex-1" />
    </div>
  );
}
