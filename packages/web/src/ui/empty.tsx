import type { ReactNode } from 'react';

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** True when it stands for the whole page, whose heading it then is. */
  readonly isPage?: boolean;
}

export function Empty({ title, children, isPage = false }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-16 text-center">
      <Heading className="text-lg font-semibold">{title}</Heading>
      {children ? (
        <div className="flex max-w-[60ch] flex-col items-center gap-3 text-sm text-muted">{children}</div>
      ) : null}
    </div>
  );
}
