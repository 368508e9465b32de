import type { LucideIcon } from 'lucide-react';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** The shortcut that does the same, if any. */
  readonly keys?: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

/** Commands in whose title every typed word begins some word; all of them when nothing is typed. */
export function matchCommands<C extends { readonly title: string }>(
  commands: readonly C[],
  text: string,
): readonly C[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ title }) => {
    const words = title.toLowerCase().split(/\s+/);
    return typed.every((part) => words.some((word) => word.startsWith(part)));
  });
}
