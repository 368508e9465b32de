import type { ApplicationId } from '@fairlead/contracts';
import { useCallback, useMemo, useState } from 'react';
import { idKey } from '../../live/index.ts';

/** As many as one act may be asked of at once. */
const most = 200;

/** Applications chosen for an act on all of them; they stay chosen while filters change. */
export function useChosen() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ApplicationId>>(new Map());
  const choose = useCallback((id: ApplicationId, isChosen: boolean) => {
    setChosen((before) => {
      const next = new Map(before);
      if (!isChosen) next.delete(idKey(id));
      else if (next.size < most) next.set(idKey(id), id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setChosen(new Map()), []);
  const ids = useMemo(() => [...chosen.values()], [chosen]);
  return { chosen, ids, choose, clear };
}
