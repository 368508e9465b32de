import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-16 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children ? (
        <div className="flex max-w-[60ch] flex-col items-center gap-3 text-sm text-muted">{children}</div>
      ) : null}
    </div>
  );
}
