import { classNames } from './class-names.ts';

const marks = {
  added: { sign: '+', color: 'bg-healthy-weak text-healthy' },
  removed: { sign: '−', color: 'bg-degraded-weak text-degraded' },
  changed: { sign: '~', color: 'bg-missing-weak text-missing' },
  failed: { sign: '!', color: 'bg-degraded-weak text-degraded' },
} as const;

/** What becomes of something: by sign and word, not by colour alone. */
export function ChangeMark({ change }: { readonly change: keyof typeof marks }) {
  const { sign, color } = marks[change];
  return (
    <span className={classNames('shrink-0 rounded px-1.5 font-mono text-xs', color)}>
      {sign} {change}
    </span>
  );
}
