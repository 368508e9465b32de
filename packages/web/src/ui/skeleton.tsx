import { classNames } from './class-names.ts';

/** A grey bar in the place of a text that is on its way. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={classNames('block h-3 rounded bg-surface-2 breathe', className)} />;
}
