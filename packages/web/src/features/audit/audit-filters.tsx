import { type AuditFilter, readAuditFilter } from '../../api/index.ts';
import { Button, Choice, TextInput, useSearchText } from '../../ui/index.ts';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

const actions = [
  { value: '', label: 'any' },
  { value: 'application.', label: 'applications' },
  { value: 'runtime.', label: 'runtimes' },
  { value: 'user.', label: 'users' },
  { value: 'team.', label: 'teams' },
  { value: 'access-rule.', label: 'access rules' },
  { value: 'api-key.', label: 'API keys' },
  { value: 'session.', label: 'sign-ins and sessions' },
];
const outcomes = ['', 'done', 'requested', 'failed', 'denied'].map((value) => ({ value, label: value || 'any' }));

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const set = (part: AuditFilter) => onChange(readAuditFilter({ ...filter, ...part }));
  const [actor, setActor] = useSearchText(filter.actor ?? '', (text) => set({ actor: text }));
  const [entity, setEntity] = useSearchText(filter.entity ?? '', (text) => set({ entity: text }));
  const known = actions.some(({ value }) => value === (filter.action ?? ''));
  return (
    <search className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
      <TextInput label="Who" value={actor} onChange={setActor} placeholder="anybody" className="sm:w-40" />
      <Choice
        label="Action"
        value={filter.action ?? ''}
        options={known ? actions : [...actions, { value: filter.action ?? '', label: filter.action ?? '' }]}
        onChange={(action) => set({ action })}
      />
      <TextInput label="On" value={entity} onChange={setEntity} placeholder="anything" className="sm:w-48" />
      <Choice
        label="Outcome"
        value={filter.outcome ?? ''}
        options={outcomes}
        onChange={(outcome) => set({ outcome })}
      />
      <TextInput
        type="datetime-local"
        label="From"
        value={localTime(filter.from)}
        onChange={(at) => set({ from: momentOf(at) })}
      />
      <TextInput
        type="datetime-local"
        label="To"
        value={localTime(filter.to)}
        onChange={(at) => set({ to: momentOf(at) })}
      />
      {Object.keys(filter).length > 0 ? (
        <Button kind="quiet" onPress={() => onChange({})}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}

/** As the browser's field writes it, in the reader's zone. */
function localTime(moment: string | undefined): string {
  const at = Date.parse(moment ?? '');
  if (Number.isNaN(at)) return '';
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function momentOf(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
