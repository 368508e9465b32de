import { useEffect, useRef, useState } from 'react';
import { type ApplicationsSearch, filtersOf, withSearch } from '../../api/index.ts';
import { useClock } from '../../services/index.ts';

const settleMs = 250;

/**
 * The text of the search field. The list follows each key at once; the URL follows when the typing rests, since moving
 * the router costs more than asking the server. A change of the URL by itself (Back, a saved view) wins.
 */
export function useTypedSearch(search: ApplicationsSearch, onSettled: (search: ApplicationsSearch) => void) {
  const inUrl = search.search ?? '';
  const [text, setText] = useState(inUrl);
  const sent = useRef(inUrl);
  const cancel = useRef(() => {});
  const clock = useClock();
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    if (inUrl === sent.current) return;
    cancel.current();
    sent.current = inUrl;
    setText(inUrl);
  }, [inUrl]);
  useEffect(() => () => cancel.current(), []);
  const change = (next: string) => {
    setText(next);
    cancel.current();
    cancel.current = clock.after(settleMs, () => {
      sent.current = next.trim() === '' ? '' : next;
      const { view, only } = latest.current;
      onSettled({ ...withSearch(filtersOf(latest.current), next), ...(view && { view }), ...(only && { only }) });
    });
  };
  return [text, change] as const;
}
