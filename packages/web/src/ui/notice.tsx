import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const kinds = {
  error: { box: 'border-degraded/40 bg-degraded-weak', icon: CircleAlert, color: 'text-degraded' },
  warning: { box: 'border-missing/40 bg-missing-weak', icon: TriangleAlert, color: 'text-missing' },
  info: { box: 'border-line bg-surface-2', icon: Info, color: 'text-muted' },
} as const;

interface NoticeProps {
  readonly kind: keyof typeof kinds;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** What happened, in one line, then the words of whoever said so, then what to do. Errors are announced. */
export function Notice({ kind, title, children, actions }: NoticeProps) {
  const { box, icon: Icon, color } = kinds[kind];
  return (
    <div
      role={kind === 'error' ? 'alert' : undefined}
      className={classNames('flex gap-3 rounded-lg border px-3 py-2.5 text-sm', box)}
    >
      <Icon size={16} aria-hidden className={classNames('mt-0.5 shrink-0', color)} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {children ? <div className="mt-0.5 break-words text-muted">{children}</div> : null}
        {actions ? <div className="mt-2 flex flex-wrap gap-2">{actions}</div> : null}
      </div>
    </div>
  );
}
