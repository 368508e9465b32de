import { Check } from 'lucide-react';
import { useId } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';

interface CheckFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A checkbox whose consequence stands below its name. */
export function CheckField({ label, hint, isSelected, onChange }: CheckFieldProps) {
  const hintId = useId();
  return (
    <div>
      <Checkbox
        isSelected={isSelected}
        onChange={onChange}
        {...(hint ? { 'aria-describedby': hintId } : {})}
        className="group inline-flex items-center gap-2 rounded text-sm font-medium data-[focus-visible]:outline-2 data-[focus-visible]:outline-offset-2 data-[focus-visible]:outline-accent"
      >
        <span className="grid size-4 shrink-0 place-items-center rounded border border-line-strong bg-surface text-on-accent group-data-[selected]:border-accent group-data-[selected]:bg-accent">
          {isSelected ? <Check size={12} strokeWidth={3} aria-hidden /> : null}
        </span>
        {label}
      </Checkbox>
      {hint ? (
        <p id={hintId} className="pl-6 text-xs text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
