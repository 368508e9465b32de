import { useMemo } from 'react';
import { manifestText } from './manifest-text.ts';
import { readOnlyYaml } from './setup.ts';
import { useEditor } from './use-editor.ts';

interface YamlViewProps {
  readonly value: unknown;
  readonly label: string;
}

export function YamlView({ value, label }: YamlViewProps) {
  return <YamlText text={useMemo(() => manifestText(value), [value])} label={label} />;
}

/** A text that is YAML already. */
export function YamlText({ text, label }: { readonly text: string; readonly label: string }) {
  const extensions = useMemo(() => readOnlyYaml(label), [label]);
  return <div ref={useEditor(text, extensions)} className="h-full" />;
}
