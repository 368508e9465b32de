import { useEffect, useRef, useState } from 'react';

/**
 * The text of a search field whose truth is the URL. The field answers at once; the URL follows, and wins when it
 * changes by itself (Back, a cleared filter).
 */
export function useSearchText(inUrl: string, onChange: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(inUrl);
  const sent = useRef(inUrl);
  useEffect(() => {
    if (inUrl === sent.current) return;
    sent.current = inUrl;
    setText(inUrl);
  }, [inUrl]);
  const change = (next: string) => {
    setText(next);
    sent.current = next.trim() === '' ? '' : next;
    onChange(next);
  };
  return [text, change];
}
