import { ArrowDownWideNarrow, LayoutGrid, Rows3, Star } from 'lucide-react';
import { memo } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import {
  type ApplicationsSearch,
  type FacetName,
  facetNames,
  facetValues,
  filtersOf,
  isFiltered,
  type SortName,
  sortNames,
  withFacet,
} from '../../api/index.ts';
import { Button, DropDown, DropDownItem, SearchBox } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { pageSearchId } from '../frame/index.ts';
import { FacetChip } from './facet-chip.tsx';

interface FilterBarProps {
  readonly search: ApplicationsSearch;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Somebody is about to type. */
  readonly onFocus: () => void;
  readonly onChange: (search: ApplicationsSearch) => void;
}

/** Health is the strip's; where Argo CD keeps its objects is asked for rarely. Shown when the URL has them. */
const rare: readonly FacetName[] = ['health', 'namespace'];

export function FilterBar({ search, text, onText, onFocus, onChange }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        id={pageSearchId}
        label="Search applications"
        placeholder="Name, namespace, repo, image…"
        value={text}
        onChange={onText}
        onFocus={onFocus}
        className="w-72 max-sm:w-full"
      />
      <Facets {...{ search, onChange }} />
    </div>
  );
}

/** Not drawn again at each key in the field beside it: the chips are most of the work of this page. */
const Facets = memo(function Facets({ search, onChange }: Pick<FilterBarProps, 'search' | 'onChange'>) {
  const filters = filtersOf(search);
  const shown = facetNames.filter((facet) => !rare.includes(facet) || facetValues(filters, facet).length > 0);
  return (
    // On a phone one line that is pushed sideways, so that the list begins on the first screen.
    <div className="-m-1 flex min-w-0 flex-wrap items-center gap-2 p-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:[&>*]:shrink-0">
      {shown.map((facet) => (
        <FacetChip
          key={facet}
          {...{ facet, filters }}
          onChoose={(values) => onChange({ ...looksOf(search), ...withFacet(filters, facet, values) })}
        />
      ))}
      <ToggleButton
        isSelected={search.only === 'favourites'}
        onChange={(isOn) => onChange(isOn ? { ...search, only: 'favourites' } : withoutOnly(search))}
        className="inline-flex h-7 items-center gap-1.5 rounded-full border border-line bg-surface px-2.5 text-[12.5px] text-muted hover:bg-surface-2 data-[selected]:border-accent data-[selected]:text-accent"
      >
        <Star size={13} aria-hidden /> Favourites
      </ToggleButton>
      {isFiltered(filters) || search.only ? (
        <Button kind="quiet" className="h-7!" onPress={() => onChange({ ...sortOf(search), ...viewOf(search) })}>
          Clear
        </Button>
      ) : null}
    </div>
  );
});

interface ListOrderProps {
  readonly search: ApplicationsSearch;
  readonly onChange: (search: ApplicationsSearch) => void;
  readonly matched: number | undefined;
}

/** How many there are, in which order, and how they are drawn. */
export function ListOrder({ search, onChange, matched }: ListOrderProps) {
  return (
    <span className="ml-auto flex items-center gap-1 text-xs text-faint">
      <span role="status">{matched === undefined ? '' : counted(matched, 'application')}</span>
      <SortMenu sort={search.sort ?? 'attention'} onSort={(sort) => onChange({ ...search, sort })} />
      <Button
        kind="quiet"
        square
        className="h-7!"
        aria-label={search.view === 'cards' ? 'Show as a list' : 'Show as cards'}
        onPress={() => onChange({ ...withoutView(search), ...(search.view ? {} : { view: 'cards' as const }) })}
      >
        {search.view === 'cards' ? <Rows3 size={14} aria-hidden /> : <LayoutGrid size={14} aria-hidden />}
      </Button>
    </span>
  );
}

const looksOf = ({ view, only }: ApplicationsSearch) => ({ ...(view && { view }), ...(only && { only }) });
const viewOf = ({ view }: ApplicationsSearch) => ({ ...(view && { view }) });
const sortOf = ({ sort }: ApplicationsSearch) => ({ ...(sort && { sort }) });
const withoutOnly = ({ only: _, ...rest }: ApplicationsSearch): ApplicationsSearch => rest;
const withoutView = ({ view: _, ...rest }: ApplicationsSearch): ApplicationsSearch => rest;

const sortWords: Record<SortName, string> = { attention: 'by attention', name: 'by name', changed: 'by last change' };

function SortMenu({ sort, onSort }: { readonly sort: SortName; readonly onSort: (sort: SortName) => void }) {
  return (
    <DropDown
      label="Sort"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[sort]}
      onAction={(key) => onSort(sortNames.find((name) => name === key) ?? 'attention')}
      trigger={
        <Button kind="quiet" className="h-7! px-2! text-xs!" aria-label={`Sorted ${sortWords[sort]}`}>
          <ArrowDownWideNarrow size={13} aria-hidden /> {sortWords[sort]}
        </Button>
      }
    >
      {sortNames.map((name) => (
        <DropDownItem key={name} id={name}>
          {sortWords[name]}
        </DropDownItem>
      ))}
    </DropDown>
  );
}
