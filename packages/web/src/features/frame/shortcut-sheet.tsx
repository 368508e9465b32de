import { type Shortcut, shortcutGroups } from '../../keyboard/index.ts';
import { ModalDialog } from '../../ui/index.ts';
import { isMac } from './top-bar.tsx';

export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  return (
    <ModalDialog title="Keyboard shortcuts" isOpen onClose={onClose} width="max-w-[680px]">
      <div className="gap-8 sm:columns-2">
        {shortcutGroups.map(({ title, shortcuts }) => (
          <section key={title} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-xs text-faint">{title}</h3>
            <dl className="text-sm">
              {shortcuts.map((shortcut) => (
                <ShortcutRow key={shortcut.does} shortcut={shortcut} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </ModalDialog>
  );
}

function ShortcutRow({ shortcut: { keys, does } }: { readonly shortcut: Shortcut }) {
  const parts = keys
    .replace('mod+', isMac() ? '⌘ ' : 'Ctrl ')
    .replace('Escape', 'Esc')
    .split(' ');
  return (
    <div className="flex h-7 items-center gap-3">
      <dt className="flex w-20 shrink-0 gap-1">
        {parts.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd className="min-w-0 truncate">{does}</dd>
    </div>
  );
}
