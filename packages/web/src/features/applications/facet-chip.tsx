import { Check } from 'lucide-react';
import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Button } from 'react-aria-components/Button';
import { DialogTrigger } from 'react-aria-components/Dialog';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { SearchBox } from '../../ui/index.ts';
import { chosenWords } from './facet-options.ts';

interface FacetChipProps {
  readonly title: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
  /** Values that no row showed yet can be typed. */
  readonly isOpen: boolean;
}

/** One facet: what is chosen, and a list to choose from. */
export function FacetChip({ title, options, chosen, onChoose, isOpen }: FacetChipProps) {
  const [text, setText] = useState('');
  const { contains } = useFilter({ sensitivity: 'base' });
  const typed = text.trim();
  const offered = isOpen && typed && !typed.includes(',') && !options.includes(typed) ? [...options, typed] : options;
  return (
    <DialogTrigger onOpenChange={() => setText('')}>
      <Button className="inline-flex h-7 max-w-72 items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-[12.5px] text-muted hover:bg-surface-2">
        {title} <b className="truncate font-semibold text-text">{chosenWords(chosen)}</b>
      </Button>
      <Popover
        placement="bottom start"
        className="flex max-h-80! w-64 flex-col rounded-lg border border-line bg-surface p-1 text-sm shadow-lift outline-none"
      >
        <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
          <SearchBox
            label={`Find ${title.toLowerCase()}`}
            placeholder={isOpen ? 'Find or type a value' : 'Find'}
            isFocused
            className="mb-1"
          />
          <ListBox
            aria-label={title}
            items={offered.map((value) => ({ id: value }))}
            selectionMode="multiple"
            escapeKeyBehavior="none"
            selectedKeys={chosen}
            onSelectionChange={(keys) => onChoose(keys === 'all' ? options : [...keys].map(String))}
            renderEmptyState={() => <p className="px-2.5 py-3 text-muted">Nothing matches.</p>}
            className="min-h-0 overflow-y-auto outline-none"
          >
            {({ id }) => (
              <ListBoxItem
                textValue={id}
                className="flex h-8 cursor-default items-center gap-2 rounded-md px-2.5 outline-none data-[focused]:bg-surface-2"
              >
                {({ isSelected }) => (
                  <>
                    <Check size={14} aria-hidden className={isSelected ? 'text-accent' : 'invisible'} />
                    <span className="min-w-0 truncate">{id === 'OutOfSync' ? 'Out of sync' : id}</span>
                  </>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </Autocomplete>
      </Popover>
    </DialogTrigger>
  );
}
