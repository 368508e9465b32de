// Fields of forms: a name above, what it is for below, what is wrong with it in red.
import { type ReactNode, useId } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField } from 'react-aria-components/TextField';
import { classNames } from './class-names.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly isMono?: boolean;
  readonly type?: 'text' | 'email' | 'password' | 'datetime-local' | 'number';
  /** What the browser offers while one types; anything else may be typed too. */
  readonly suggestions?: readonly string[];
  /** More than one line. */
  readonly rows?: number;
  readonly className?: string;
}

const box =
  'rounded-md border border-line-strong bg-surface px-2.5 text-sm placeholder:text-faint data-[disabled]:opacity-60 data-[invalid]:border-degraded';

export function TextInput(props: FieldProps) {
  const { label, value, onChange, hint, error, placeholder, isMono, rows, className } = props;
  const listId = useId();
  const list = props.suggestions && props.suggestions.length > 0 ? { list: listId } : {};
  const look = classNames(box, isMono && 'font-mono text-xs!');
  return (
    <TextField
      value={value}
      onChange={onChange}
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={classNames('flex min-w-0 flex-col gap-1 text-sm', className)}
    >
      <Label className="font-medium">{label}</Label>
      {rows ? (
        <TextArea rows={rows} {...(placeholder ? { placeholder } : {})} className={classNames(look, 'py-1.5')} />
      ) : (
        <Input
          type={props.type ?? 'text'}
          autoComplete={props.type === 'password' ? 'current-password' : 'off'}
          {...(placeholder ? { placeholder } : {})}
          {...list}
          className={classNames(look, 'h-8')}
        />
      )}
      {props.suggestions ? (
        <datalist id={listId}>
          {props.suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      ) : null}
      {hint ? (
        <Text slot="description" className="text-xs text-muted">
          {hint}
        </Text>
      ) : null}
      <FieldError className="text-xs text-degraded">{error}</FieldError>
    </TextField>
  );
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
  readonly isLabelHidden?: boolean;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

/** One of few, by the browser's own list. */
export function Choice<V extends string>(props: ChoiceProps<V>) {
  const { label, value, options, onChange, isLabelHidden = false, className } = props;
  const id = useId();
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1 text-sm', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-medium'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={props.isDisabled ?? false}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
        className="h-8 min-w-0 overflow-hidden rounded-md border border-line-strong bg-surface px-2 text-sm text-ellipsis disabled:opacity-60"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
