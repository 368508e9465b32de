import { Search, X } from 'lucide-react';
import { Button, Input, SearchField } from 'react-aria-components/SearchField';
import { classNames } from './class-names.ts';

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  /** Left out inside an Autocomplete, which holds the text itself. */
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly onFocus?: () => void;
  /** The `/` key focuses the field of this id. */
  readonly id?: string;
  readonly isFocused?: boolean;
  readonly className?: string;
}

/** Escape clears it, and leaves it when it is empty. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, value, onChange, onFocus, id, isFocused = false, className } = props;
  return (
    <SearchField
      aria-label={label}
      autoFocus={isFocused}
      {...(value === undefined ? {} : { value })}
      {...(onChange ? { onChange } : {})}
      {...(onFocus ? { onFocus } : {})}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value === '' && event.target instanceof HTMLElement) event.target.blur();
      }}
      className={classNames(
        'group flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-accent',
        className,
      )}
    >
      <Search size={14} aria-hidden className="shrink-0 text-faint" />
      <Input
        {...(id ? { id } : {})}
        placeholder={placeholder}
        className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
      />
      <Button aria-label="Clear search" className="text-faint group-data-[empty]:hidden hover:text-text">
        <X size={14} aria-hidden />
      </Button>
    </SearchField>
  );
}
