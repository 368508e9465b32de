import type { ApplicationProblem } from '@fairlead/contracts';
import { CheckField, TextInput } from '../../ui/index.ts';
import type { FormValues } from './form-values.ts';

interface ApplicationFormProps {
  readonly values: FormValues;
  readonly problems: readonly ApplicationProblem[];
  readonly onChange: (values: FormValues) => void;
}

const fields = [
  { of: 'name', label: 'Name', field: 'metadata.name', placeholder: 'shop-dev' },
  { of: 'project', label: 'Project', field: 'spec.project', placeholder: 'default' },
  { of: 'repoURL', label: 'Repository', field: 'spec.source.repoURL', placeholder: 'https://github.com/acme/shop.git' },
  { of: 'targetRevision', label: 'Revision', field: 'spec.source.targetRevision', placeholder: 'main' },
  { of: 'path', label: 'Path', field: 'spec.source.path', placeholder: 'dev' },
  { of: 'server', label: 'Cluster', field: 'spec.destination.server', placeholder: 'https://kubernetes.default.svc' },
  { of: 'namespace', label: 'Namespace', field: 'spec.destination.namespace', placeholder: 'shop-dev' },
] as const;

const checks = [
  { of: 'automated', label: 'Auto-sync', hint: 'Follows Git by itself.' },
  { of: 'prune', label: 'Prune', hint: 'Deletes what is no longer in Git.' },
  { of: 'selfHeal', label: 'Self-heal', hint: 'Takes back changes made in the cluster.' },
  { of: 'createNamespace', label: 'Make the namespace', hint: 'When it is not there.' },
] as const;

/** What most applications need; the rest is in the YAML beside it. */
export function ApplicationForm({ values, problems, onChange }: ApplicationFormProps) {
  const problemOf = (field: string) =>
    problems.find((problem) => problem.severity === 'error' && problem.field === field)?.reason;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ of, label, field, placeholder }) => (
          <TextInput
            key={of}
            {...{ label, placeholder }}
            value={values[of]}
            error={problemOf(field)}
            onChange={(value) => onChange({ ...values, [of]: value })}
            {...(of === 'repoURL' ? { className: 'sm:col-span-2' } : {})}
          />
        ))}
      </div>
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="mb-2 text-sm font-medium">Synchronization</legend>
        {checks.map(({ of, label, hint }) => (
          <CheckField
            key={of}
            {...{ label, hint }}
            isSelected={values[of]}
            onChange={(isOn) => onChange({ ...values, [of]: isOn })}
          />
        ))}
      </fieldset>
    </>
  );
}
