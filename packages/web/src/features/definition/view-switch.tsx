import { Button } from '../../ui/index.ts';

const views = [
  { of: 'form', title: 'Form' },
  { of: 'yaml', title: 'YAML' },
] as const;

interface ViewSwitchProps {
  readonly view: 'form' | 'yaml';
  readonly onChange: (view: 'form' | 'yaml') => void;
}

/** Two ways to edit the same text; neither loses what the other wrote. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Edit as</legend>
      {views.map(({ of, title }) => (
        <Button
          key={of}
          kind={view === of ? 'plain' : 'quiet'}
          className="h-7! px-2.5! text-xs!"
          aria-pressed={view === of}
          onPress={() => onChange(of)}
        >
          {title}
        </Button>
      ))}
    </fieldset>
  );
}
