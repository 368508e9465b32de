import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface PanelProps {
  readonly title: string;
  /** One line below the title. */
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A titled part of a page. */
export function Panel({ title, hint, actions, children, className }: PanelProps) {
  return (
    <section className={classNames('min-w-0 rounded-lg border border-line bg-surface p-4', className)}>
      <header className="mb-3 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <h2 className="text-base font-semibold">{title}</h2>
          {hint ? <p className="mt-0.5 text-sm text-muted">{hint}</p> : null}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
