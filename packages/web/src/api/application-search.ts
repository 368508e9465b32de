export const paneNames = ['summary', 'desired', 'live', 'diff', 'events', 'logs'] as const;
export type PaneName = (typeof paneNames)[number];

export const tabNames = ['timeline', 'services', 'configuration'] as const;
export type TabName = (typeof tabNames)[number];

/** The state of the page, all of it in the URL. Absent means the default. */
export interface ApplicationSearch {
  readonly tab?: TabName;
  readonly view?: 'tree' | 'list';
  /** The resource in the drawer, as `formatResourceRef` writes it. */
  readonly resource?: string;
  readonly pane?: Exclude<PaneName, 'summary'>;
  readonly find?: string;
  /** A past moment at which the resources are shown. */
  readonly at?: string;
  /** Two moments that are compared; without `to`, with now. */
  readonly from?: string;
  readonly to?: string;
  /** The dialog that is open. */
  readonly act?: 'synchronize' | 'delete' | 'roll-back';
}

export function readApplicationSearch(query: Readonly<Record<string, unknown>>): ApplicationSearch {
  const oneOf = <T extends string>(name: string, allowed: readonly T[]) =>
    allowed.find((value) => value === query[name]);
  const text = (name: string) => (typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined);
  const moment = (name: string) => (Number.isNaN(Date.parse(text(name) ?? '')) ? undefined : text(name));
  const read = {
    tab: oneOf('tab', tabNames),
    view: oneOf('view', ['tree', 'list'] as const),
    resource: text('resource'),
    pane: oneOf('pane', ['desired', 'live', 'diff', 'events', 'logs'] as const),
    find: text('find'),
    at: moment('at'),
    from: moment('from'),
    to: moment('to'),
    act: oneOf('act', ['synchronize', 'delete', 'roll-back'] as const),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
