import { attachedHomes, type Home, holderOf, runtimeHomes, stateOf } from '../../home/index.ts';

/** Runtimes whose components this machine runs, by name, in words: the hosted one's are those of `fairlead up`. */
export function runningHere(home: Home): ReadonlyMap<string, string> {
  const embedded = runtimeHomes(home).map((place) => [place.name, stateOf(place)?.phase ?? 'starting'] as const);
  const attached = attachedHomes(home).map((place) => {
    const pid = holderOf(place);
    return [place.name, pid === undefined ? 'stopped' : `${stateOf(place)?.phase ?? 'starting'}, pid ${pid}`] as const;
  });
  return new Map([...embedded, ...attached]);
}
