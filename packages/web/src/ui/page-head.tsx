import type { ReactNode } from 'react';

interface PageHeadProps {
  readonly title: ReactNode;
  /** The answer to the page's question, in one line. */
  readonly answer: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHead({ title, answer, actions }: PageHeadProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-[260px]">
        <h1 className="flex min-w-0 items-center gap-2.5 text-xl leading-tight font-semibold">{title}</h1>
        <div className="mt-1 min-h-[1.45em] break-words text-muted [&_b]:font-semibold [&_b]:text-text">{answer}</div>
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
