import type { ApplicationId, ResourceAction } from '@fairlead/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { keys, type ResourceRef, resourceActionsQuery, resourceQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, CheckField, ConfirmDialog, DropDown, DropDownItem, TextInput } from '../../ui/index.ts';

interface ResourceMenuProps {
  readonly id: ApplicationId;
  readonly resource: ResourceRef;
  readonly isManaged: boolean;
}

/** What can be done to one resource: the actions its kind has, and its deletion. */
export function ResourceMenu({ id, resource, isManaged }: ResourceMenuProps) {
  const { data: actions = [] } = useQuery(resourceActionsQuery(useApi(), id, resource));
  const [asked, setAsked] = useState<ResourceAction | 'delete'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <DropDown
        label="Actions on this resource"
        disabledKeys={actions.filter(({ disabled }) => disabled).map(({ name }) => name)}
        onAction={(key) => setAsked(key === '+delete' ? 'delete' : actions.find(({ name }) => name === key))}
        trigger={
          <Button kind="quiet" square aria-label="Actions on this resource">
            <Ellipsis size={16} aria-hidden />
          </Button>
        }
      >
        {actions.map(({ name, title }) => (
          <DropDownItem key={name} id={name}>
            <Play size={14} aria-hidden /> {actionTitle(title ?? name)}…
          </DropDownItem>
        ))}
        <DropDownItem id="+delete">
          <Trash2 size={14} aria-hidden /> Delete…
        </DropDownItem>
      </DropDown>
      {asked === 'delete' ? (
        <DeleteResource {...{ id, resource, isManaged }} onClose={close} />
      ) : asked ? (
        <RunAction {...{ id, resource }} action={asked} onClose={close} />
      ) : null}
    </>
  );
}

const actionTitle = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

interface RunActionProps {
  readonly id: ApplicationId;
  readonly resource: ResourceRef;
  readonly action: ResourceAction;
  readonly onClose: () => void;
}

function RunAction({ id, resource, action, onClose }: RunActionProps) {
  const api = useApi();
  const client = useQueryClient();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(action.parameters.map(({ name, default: value }) => [name, value ?? ''])),
  );
  const run = useMutation({
    mutationFn: () =>
      api.call('runResourceAction', {
        params: id,
        body: {
          ...resourceQuery(resource),
          action: action.name,
          ...(action.parameters.length > 0 && { parameters: { ...values } }),
        },
      }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.manifests(id) });
    },
  });
  return (
    <ConfirmDialog
      title={`${actionTitle(action.title ?? action.name)} ${resource.name}`}
      verb={actionTitle(action.title ?? action.name)}
      isPending={run.isPending}
      error={run.error}
      onConfirm={() => run.mutate()}
      onClose={onClose}
    >
      <p>
        The action <b>{action.name}</b> is run on {resource.kind} {resource.name} in the cluster. Where it changes what
        Git says, self-heal may take it back.
      </p>
      {action.parameters.map(({ name }) => (
        <TextInput
          key={name}
          label={name}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
    </ConfirmDialog>
  );
}

interface DeleteResourceProps extends ResourceMenuProps {
  readonly onClose: () => void;
}

function DeleteResource({ id, resource, isManaged, onClose }: DeleteResourceProps) {
  const api = useApi();
  const client = useQueryClient();
  const [orphan, setOrphan] = useState(false);
  const [force, setForce] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      api.call('deleteLiveResource', {
        params: id,
        query: { ...resourceQuery(resource), ...(orphan && { orphan }), ...(force && { force }) },
      }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.detail(id) });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${resource.kind} ${resource.name}`}
      verb="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        {isManaged
          ? 'It is deleted from the cluster. Git still has it, so the next synchronization (or self-heal, at once) makes it anew.'
          : 'It is deleted from the cluster. The controller that made it usually makes another.'}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <CheckField
          label="Leave what it owns"
          hint="Pods of a deleted ReplicaSet go on."
          isSelected={orphan}
          onChange={setOrphan}
        />
        <CheckField label="Force" hint="At once, without a graceful end." isSelected={force} onChange={setForce} />
      </div>
    </ConfirmDialog>
  );
}
