import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from './class-names.ts';

const kinds = {
  plain: 'border-line bg-surface text-text hover:bg-surface-2',
  primary: 'border-accent bg-accent text-on-accent font-semibold hover:bg-accent-hover hover:border-accent-hover',
  danger: 'border-line bg-surface text-degraded hover:bg-degraded-weak',
  quiet: 'border-transparent text-muted hover:bg-surface-2 hover:text-text',
} as const;

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  readonly kind?: keyof typeof kinds;
  /** A square for one icon; give it an aria-label. */
  readonly square?: boolean;
  readonly className?: string;
}

export function Button({ kind = 'plain', square = false, className, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={classNames(
        'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border text-sm whitespace-nowrap select-none',
        'data-[disabled]:opacity-55 data-[disabled]:hover:bg-surface',
        square ? 'w-8' : 'px-3',
        kinds[kind],
        className,
      )}
    />
  );
}
