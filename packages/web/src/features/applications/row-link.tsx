import type { ApplicationId } from '@fairlead/contracts';
import type { MouseEvent } from 'react';
import { visibleText } from '../../words/index.ts';

interface RowLinkProps {
  readonly id: ApplicationId;
  readonly index: number;
  readonly onOpen: (id: ApplicationId) => void;
}

/**
 * The name as a link over the whole row. A plain anchor: the router's own link subscribes to the router, which costs too
 * much for rows that come and go by the dozen while scrolling.
 */
export function RowLink({ id, index, onOpen }: RowLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <a
      href={`/applications/${[id.runtime, id.namespace, id.name].map(encodeURIComponent).join('/')}`}
      data-row={index}
      onClick={open}
      className="font-semibold after:absolute after:inset-0 focus-visible:outline-offset-0"
    >
      {visibleText(id.name)}
    </a>
  );
}
