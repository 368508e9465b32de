/** What the `?` sheet lists. Pages bind the keys; this is the one place where they are told. */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

export const shortcutGroups: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: 'mod+k', does: 'Search, go to, act' },
      { keys: '/', does: 'Focus the search of the page' },
      { keys: 'g h', does: 'Go to Home' },
      { keys: 'g a', does: 'Go to Applications' },
      { keys: 'g r', does: 'Go to Runtimes' },
      { keys: 'g p', does: 'Go to Plan' },
      { keys: 'g u', does: 'Go to Audit' },
      { keys: 'g s', does: 'Go to Settings' },
      { keys: '?', does: 'Show this sheet' },
      { keys: 'Escape', does: 'Close, clear, step back' },
    ],
  },
  {
    title: 'Lists',
    shortcuts: [
      { keys: 'j', does: 'Next row' },
      { keys: 'k', does: 'Previous row' },
      { keys: 'Enter', does: 'Open the row' },
    ],
  },
  {
    title: 'Resource tree',
    shortcuts: [
      { keys: 'Right', does: 'To the first child' },
      { keys: 'Left', does: 'To the parent' },
      { keys: 'Up Down', does: 'Up and down in the column' },
      { keys: 'Enter', does: 'Open the resource, or the group' },
      { keys: '+', does: 'Zoom in' },
      { keys: '-', does: 'Zoom out' },
      { keys: '0', does: 'Fit into the window' },
    ],
  },
];
