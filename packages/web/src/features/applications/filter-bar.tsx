import type { ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import { ArrowDownWideNarrow } from 'lucide-react';
import {
  type ApplicationFilters,
  type FacetName,
  facetNames,
  facetValues,
  isFiltered,
  type SortName,
  sortNames,
  withFacet,
  withSearch,
} from '../../api/index.ts';
import { Button, DropDown, DropDownItem, SearchBox, useSearchText } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { pageSearchId } from '../frame/index.ts';
import { FacetChip } from './facet-chip.tsx';
import { facetOptions, facetTitles } from './facet-options.ts';

interface FilterBarProps {
  readonly filters: ApplicationFilters;
  readonly onChange: (filters: ApplicationFilters) => void;
  readonly runtimes: readonly RuntimeRow[];
  readonly rows: readonly ApplicationRow[];
  readonly matched: number | undefined;
}

const closedFacets: readonly FacetName[] = ['health', 'sync', 'runtime'];

export function FilterBar({ filters, onChange, runtimes, rows, matched }: FilterBarProps) {
  const [text, setText] = useSearchText(filters.search ?? '', (search) => onChange(withSearch(filters, search)));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        id={pageSearchId}
        label="Search applications"
        placeholder="Name, namespace, repository, image…"
        value={text}
        onChange={setText}
        className="w-72 max-sm:w-full"
      />
      {facetNames.map((facet) => {
        const chosen = facetValues(filters, facet);
        return (
          <FacetChip
            key={facet}
            title={facetTitles[facet]}
            options={facetOptions(facet, { runtimes, rows, chosen })}
            chosen={chosen}
            onChoose={(values) => onChange(withFacet(filters, facet, values))}
            isOpen={!closedFacets.includes(facet)}
          />
        );
      })}
      {isFiltered(filters) ? (
        <Button kind="quiet" className="h-7!" onPress={() => onChange(filters.sort ? { sort: filters.sort } : {})}>
          Clear
        </Button>
      ) : null}
      <span className="ml-auto flex items-center gap-1 text-xs text-faint">
        <span role="status">{matched === undefined ? '' : counted(matched, 'application')}</span>
        <SortMenu sort={filters.sort ?? 'attention'} onSort={(sort) => onChange({ ...filters, sort })} />
      </span>
    </div>
  );
}

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
