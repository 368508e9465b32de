import { Circle, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { classNames } from './class-names.ts';

export interface StepLine {
  readonly title: string;
  readonly status: 'waiting' | 'running' | 'done' | 'failed';
}

const icons = {
  waiting: { icon: Circle, color: 'text-faint' },
  running: { icon: LoaderCircle, color: 'text-progressing turn' },
  done: { icon: CircleCheck, color: 'text-healthy' },
  failed: { icon: CircleX, color: 'text-degraded' },
} as const;

/** How far something is that takes a while; each step by icon and word. */
export function StepList({ steps }: { readonly steps: readonly StepLine[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {steps.map(({ title, status }) => {
        const { icon: Icon, color } = icons[status];
        return (
          <li key={title} className={classNames('flex items-center gap-2', status === 'waiting' && 'text-muted')}>
            <Icon size={14} aria-hidden className={classNames('shrink-0', color)} /> {title}
            <span className="sr-only">{status}</span>
          </li>
        );
      })}
    </ul>
  );
}
