import { unifiedMergeView } from '@codemirror/merge';
import { useMemo } from 'react';
import { manifestText } from './manifest-text.ts';
import { readOnlyYaml } from './setup.ts';
import { useEditor } from './use-editor.ts';

interface DiffViewProps {
  /** The older or live side; undefined when there is none. */
  readonly before: unknown;
  /** The newer or wanted side; undefined when there is none. */
  readonly after: unknown;
  readonly label: string;
  /** What the two sides are called. */
  readonly sides?: readonly [before: string, after: string];
}

const liveAndGit = ['in the cluster', 'in Git'] as const;

/** Two manifests; see `TextDiff`. */
export function DiffView({ before, after, label, sides = liveAndGit }: DiffViewProps) {
  const [original, text] = useMemo(() => [manifestText(before), manifestText(after)], [before, after]);
  return <TextDiff {...{ original, text, label, sides }} />;
}

interface TextDiffProps {
  readonly original: string;
  readonly text: string;
  readonly label: string;
  readonly sides: readonly [before: string, after: string];
}

/** One column: red lines are of the side before, green ones of the side after. Long equal stretches are folded. */
export function TextDiff({ original, text, label, sides }: TextDiffProps) {
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
          <b className="mr-1 rounded bg-degraded-weak px-1 font-mono text-degraded">−</b>
          {sides[0]}
        </span>
        <span>
          <b className="mr-1 rounded bg-healthy-weak px-1 font-mono text-healthy">+</b>
          {sides[1]}
        </span>
      </p>
      <div ref={parent} className="min-h-0 flex-1" />
    </div>
  );
}
