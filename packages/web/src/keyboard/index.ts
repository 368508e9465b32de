export { type Shortcut, shortcutGroups } from './shortcuts.ts';
export { type KeyBindings, useKeys } from './use-keys.ts';
