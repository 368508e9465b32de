import type { ApplicationId } from '@fairlead/contracts';
import { Star } from 'lucide-react';
import { useFavourites } from '../../storage/index.ts';
import { classNames } from '../../ui/index.ts';

interface FavouriteButtonProps {
  readonly id: ApplicationId;
  /** At the end of the name's cell, and only there while it is of use. */
  readonly isOnRow?: boolean;
}

/** A plain button: rows come and go by the dozen while scrolling. */
export function FavouriteButton({ id, isOnRow = false }: FavouriteButtonProps) {
  const { has, toggle } = useFavourites();
  const isFavourite = has(id);
  return (
    <button
      type="button"
      aria-pressed={isFavourite}
      aria-label={`Favourite ${id.name}`}
      onClick={() => toggle(id)}
      className={classNames(
        'z-10 grid size-6 shrink-0 place-items-center rounded',
        isFavourite ? 'text-missing' : 'text-faint hover:text-text',
        isOnRow ? 'absolute top-1/2 right-0 -translate-y-1/2' : 'relative',
        isOnRow && !isFavourite && 'opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100',
      )}
    >
      <Star size={14} aria-hidden {...(isFavourite ? { fill: 'currentColor' } : {})} />
    </button>
  );
}
