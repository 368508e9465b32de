import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useRef, useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { type ApplicationFilters, type FacetName, facetsQuery, facetValues } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { SearchBox } from '../../ui/index.ts';
import { formatCount } from '../../words/index.ts';
import { chosenWords, facetOptions, facetTitles, valueWords } from './facet-options.ts';

interface FacetChipProps {
  readonly facet: FacetName;
  readonly filters: ApplicationFilters;
  readonly onChoose: (chosen: readonly string[]) => void;
}

/**
 * One facet: what is chosen, and what else there is, counted by the server under the other filters. A plain button, and
 * nothing of the list is made before it is opened: the page has eight of them, all drawn before its first row.
 */
export function FacetChip({ facet, filters, onChoose }: FacetChipProps) {
  const chosen = facetValues(filters, facet);
  const [isOpen, setOpen] = useState(false);
  const chip = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        ref={chip}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        className="inline-flex h-7 max-w-72 items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-[12.5px] text-muted hover:bg-surface-2"
      >
        {facetTitles[facet]} <b className="truncate font-semibold text-text">{chosenWords(chosen)}</b>
      </button>
      {isOpen ? (
        <Popover
          isOpen
          onOpenChange={setOpen}
          triggerRef={chip}
          aria-label={facetTitles[facet]}
          placement="bottom start"
          className="flex max-h-96! w-72 flex-col rounded-lg border border-line bg-surface p-1 text-sm shadow-lift outline-none"
        >
          <FacetList {...{ facet, filters, chosen, onChoose }} />
        </Popover>
      ) : null}
    </>
  );
}

function FacetList({ facet, filters, chosen, onChoose }: FacetChipProps & { readonly chosen: readonly string[] }) {
  const [text, setText] = useState('');
  const { data, isPending } = useQuery({ ...facetsQuery(useApi(), filters), enabled: facet !== 'label' });
  const { contains } = useFilter({ sensitivity: 'base' });
  const options = facetOptions(facet, data, chosen);
  const typed = text.trim();
  // The server tells the 200 most frequent values; any other can be typed.
  const isNew = typed !== '' && !typed.includes(',') && !options.some(({ value }) => value === typed);
  const canType = facet === 'label' || (facet !== 'health' && facet !== 'sync' && data?.[facet].more);
  const offered = isNew && canType ? [...options, { value: typed, count: undefined }] : options;
  return (
    <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
      <SearchBox
        label={`Find ${facetTitles[facet].toLowerCase()}`}
        placeholder={facet === 'label' ? 'team=payments, or a key' : 'Find'}
        isFocused
        className="mb-1"
      />
      <ListBox
        aria-label={facetTitles[facet]}
        items={offered.map(({ value, count }) => ({ id: value, count }))}
        selectionMode="multiple"
        escapeKeyBehavior="none"
        selectedKeys={chosen}
        onSelectionChange={(keys) =>
          onChoose(keys === 'all' ? options.map(({ value }) => value) : [...keys].map(String))
        }
        renderEmptyState={() => (
          <p className="px-2.5 py-3 text-muted">
            {facet === 'label' ? 'Type a label and press Enter.' : isPending ? 'Counting…' : 'Nothing matches.'}
          </p>
        )}
        className="min-h-0 overflow-y-auto outline-none"
      >
        {({ id, count }) => (
          <ListBoxItem
            textValue={id}
            className="flex h-8 cursor-default items-center gap-2 rounded-md px-2.5 outline-none data-[focused]:bg-surface-2"
          >
            {({ isSelected }) => (
              <>
                <Check size={14} aria-hidden className={isSelected ? 'text-accent' : 'invisible'} />
                <span className="min-w-0 flex-1 truncate">{valueWords(id)}</span>
                <span className="text-xs text-muted">{count === undefined ? '' : formatCount(count)}</span>
              </>
            )}
          </ListBoxItem>
        )}
      </ListBox>
    </Autocomplete>
  );
}
