import { storedValue, useStored } from './stored.ts';

/** A list as somebody likes to see it: its filters, as the URL writes them. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

const most = 30;

const views = storedValue<readonly SavedView[]>('fairlead.views', (stored) =>
  Array.isArray(stored) ? stored.filter(isView).slice(0, most) : [],
);

function isView(stored: unknown): stored is SavedView {
  const { name, search } = (stored ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}

/** One of the same name is replaced. */
const save = (view: SavedView): void =>
  views.write([...views.read().filter(({ name }) => name !== view.name), view].slice(-most));

const remove = (name: string): void => views.write(views.read().filter((view) => view.name !== name));

export const useSavedViews = () => ({ views: useStored(views), save, remove });
