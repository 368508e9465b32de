import { TextInput } from '../../ui/index.ts';
import type { LimitName, LimitsForm } from './limits-form.ts';

interface LimitsFieldsProps {
  readonly form: LimitsForm;
  readonly problems: Partial<Record<LimitName, string>>;
  readonly onChange: (form: LimitsForm) => void;
}

const fields: readonly { name: LimitName; label: string; hint: string; placeholder: string; rows: number }[] = [
  {
    ...{ name: 'destinations', label: 'Destinations', placeholder: 'in-cluster/team-a-*', rows: 3 },
    hint: 'cluster/namespace, one a line; ! before a part denies. Never the namespaces of the runtime.',
  },
  {
    ...{ name: 'repos', label: 'Repositories', placeholder: 'https://git.example/team-a/*', rows: 3 },
    hint: 'What its applications may be read from, one a line. Empty: only its own.',
  },
  {
    ...{ name: 'clusterKinds', label: 'Kinds of the cluster', placeholder: 'Namespace', rows: 2 },
    hint: 'group/Kind, one a line. Empty: none.',
  },
  {
    ...{ name: 'kinds', label: 'Kinds in namespaces', placeholder: 'apps/Deployment', rows: 2 },
    hint: 'Empty: all.',
  },
  {
    ...{ name: 'deniedKinds', label: 'But not', placeholder: 'apps/DaemonSet', rows: 2 },
    hint: 'Kinds in namespaces that are refused.',
  },
];

/** What the applications of a restricted Git Source may do. */
export function LimitsFields({ form, problems, onChange }: LimitsFieldsProps) {
  return (
    <fieldset className="grid gap-4 rounded-md border border-line p-3 sm:grid-cols-2">
      <legend className="px-1 text-sm font-medium">Limits of its applications</legend>
      {fields.map(({ name, ...field }) => (
        <TextInput
          key={name}
          {...field}
          value={form[name]}
          error={problems[name]}
          onChange={(value) => onChange({ ...form, [name]: value })}
          isRequired={name === 'destinations'}
          isMono
        />
      ))}
    </fieldset>
  );
}
