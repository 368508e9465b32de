import { ApiError, type ApplicationDetail } from '@fairlead/contracts';
import { useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components/TextField';
import { CheckField, FormEnd, Notice } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';
import { SyncPlan } from './sync-plan.tsx';
import { isRunning, previewSync } from './sync-preview.ts';

export interface SyncOptions {
  /** '' for the application's target revision. */
  readonly revision: string;
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
}

interface SyncFormProps {
  readonly detail: ApplicationDetail;
  readonly onSubmit: (options: SyncOptions) => void;
  readonly onClose: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

export function SyncForm({ detail, onSubmit, onClose, isPending, error }: SyncFormProps) {
  const [options, setOptions] = useState<SyncOptions>({ revision: '', prune: false, dryRun: false, force: false });
  const set = (part: Partial<SyncOptions>) => setOptions({ ...options, ...part });
  const preview = previewSync(detail.report.resources);
  const busy = isRunning(detail.row.operation);
  const source = detail.report.spec.source ?? detail.report.spec.sources?.[0];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(options);
      }}
    >
      <SyncPlan preview={preview} prune={options.prune} />
      <TextField
        value={options.revision}
        onChange={(revision) => set({ revision })}
        className="flex flex-col gap-1 text-sm"
      >
        <Label className="font-medium">Revision</Label>
        <Input
          placeholder={source?.targetRevision ?? 'HEAD'}
          className="h-8 rounded-md border border-line-strong bg-surface px-2.5 font-mono text-xs placeholder:text-faint"
        />
      </TextField>
      <div className="grid gap-3 sm:grid-cols-2">
        <CheckField
          label="Prune"
          hint="Deletes what is no longer in Git."
          isSelected={options.prune}
          onChange={(prune) => set({ prune })}
        />
        <CheckField
          label="Dry run"
          hint="Asks the cluster, changes nothing."
          isSelected={options.dryRun}
          onChange={(dryRun) => set({ dryRun })}
        />
        <CheckField
          label="Force"
          hint="Deletes and creates again what cannot be changed in place."
          isSelected={options.force}
          onChange={(force) => set({ force })}
        />
      </div>
      <Warnings options={options} extras={preview.extras.length} />
      {busy ? <Notice kind="info" title="A synchronization is running; another can start when it is done." /> : null}
      {error ? <Refused error={error} /> : null}
      <FormEnd onCancel={onClose} isPending={isPending} isDisabled={busy}>
        Synchronize
      </FormEnd>
    </form>
  );
}

function Warnings({
  options: { prune, force, dryRun },
  extras,
}: {
  readonly options: SyncOptions;
  readonly extras: number;
}) {
  if (dryRun) return null;
  return (
    <>
      {prune && extras > 0 ? (
        <Notice kind="warning" title={`Prune deletes ${counted(extras, 'resource')} from the cluster.`}>
          What they hold, such as volumes or load balancers, goes with them.
        </Notice>
      ) : null}
      {force ? (
        <Notice kind="warning" title="Force may interrupt what is running.">
          A resource that is deleted and created again serves nobody in between.
        </Notice>
      ) : null}
    </>
  );
}

function Refused({ error }: { readonly error: Error }) {
  return (
    <Notice kind="error" title="The synchronization was not accepted.">
      <span className="whitespace-pre-wrap">{error.message}</span>
      {error instanceof ApiError ? (
        <span className="block font-mono text-xs">
          {error.code}
          {error.body.requestId ? `, request ${error.body.requestId}` : ''}
        </span>
      ) : null}
    </Notice>
  );
}
