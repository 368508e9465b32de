import type { ApplicationId } from '@fairlead/contracts';
import { storedValue, useStored } from './stored.ts';

/** More would be no favourites; the oldest go. */
const most = 50;
const keyOf = ({ runtime, namespace, name }: ApplicationId): string => `${runtime}/${namespace}/${name}`;

const favourites = storedValue<ReadonlySet<string>>('fairlead.favourites', (stored) => {
  const keys = Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  return new Set(keys.slice(-most));
});

function toggle(id: ApplicationId): void {
  const key = keyOf(id);
  const keys = [...favourites.read()];
  const next = keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key].slice(-most);
  favourites.write(asStored(next));
}

/** A set that JSON writes as a list. */
const asStored = (keys: readonly string[]): ReadonlySet<string> => Object.assign(new Set(keys), { toJSON: () => keys });

export function useFavourites() {
  const keys = useStored(favourites);
  return { keys, has: (id: ApplicationId) => keys.has(keyOf(id)), toggle, ids: () => [...keys].map(idOf) };
}

function idOf(key: string): ApplicationId {
  const [runtime = '', namespace = '', ...name] = key.split('/');
  return { runtime, namespace, name: name.join('/') };
}
