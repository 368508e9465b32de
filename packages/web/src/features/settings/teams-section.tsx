import type { TeamRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldProblems, isAtField, keys, teamsQuery, usersQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import {
  Button,
  CheckField,
  ConfirmDialog,
  Empty,
  Failure,
  FormEnd,
  ModalDialog,
  Notice,
  Panel,
  Skeleton,
  Table,
  TextInput,
} from '../../ui/index.ts';
import type { SectionProps } from './settings-page.tsx';

const columns = ['Team', 'Members', '(Actions)'];

export function TeamsSection({ isAdmin }: SectionProps) {
  const { data, error, refetch } = useQuery(teamsQuery(useApi()));
  const [edited, setEdited] = useState<TeamRow | 'new'>();
  return (
    <Panel
      title="Teams"
      hint="Access rules speak of teams."
      actions={
        isAdmin ? (
          <Button kind="primary" onPress={() => setEdited('new')}>
            New team…
          </Button>
        ) : undefined
      }
    >
      {data ? (
        data.length === 0 ? (
          <Empty title="No teams yet">
            <p>Make one to say who may do what with which applications.</p>
          </Empty>
        ) : (
          <Table label="Teams" columns={columns}>
            {data.map((team) => (
              <TeamLine key={team.id} team={team} isAdmin={isAdmin} onEdit={() => setEdited(team)} />
            ))}
          </Table>
        )
      ) : error ? (
        <Failure what="the teams" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
      {edited ? <TeamDialog team={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} /> : null}
    </Panel>
  );
}

interface TeamLineProps {
  readonly team: TeamRow;
  readonly isAdmin: boolean;
  readonly onEdit: () => void;
}

function TeamLine({ team, isAdmin, onEdit }: TeamLineProps) {
  const api = useApi();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useChange(() => api.call('deleteTeam', { params: { team: team.name } }), [keys.teams, keys.users]);
  return (
    <tr>
      <th scope="row">{team.name}</th>
      <td className="text-muted">{team.members.join(', ') || 'nobody'}</td>
      <td className="text-right whitespace-nowrap">
        {isAdmin ? (
          <span className="inline-flex gap-2">
            <Button className="h-7!" aria-label={`Members of ${team.name}`} onPress={onEdit}>
              Members…
            </Button>
            <Button
              className="h-7!"
              kind="danger"
              aria-label={`Delete team ${team.name}`}
              onPress={() => setDeleting(true)}
            >
              Delete…
            </Button>
          </span>
        ) : null}
        {isDeleting ? (
          <ConfirmDialog
            title={`Delete team ${team.name}`}
            verb="Delete"
            isPending={remove.isPending}
            error={remove.error}
            onClose={() => setDeleting(false)}
            onConfirm={() => remove.mutate(undefined)}
          >
            <p>Its members stay users. What access rules gave them through this team, they lose.</p>
          </ConfirmDialog>
        ) : null}
      </td>
    </tr>
  );
}

function TeamDialog({ team, onClose }: { readonly team: TeamRow | undefined; readonly onClose: () => void }) {
  const api = useApi();
  const { data: users = [] } = useQuery(usersQuery(api));
  const [name, setName] = useState(team?.name ?? '');
  const [members, setMembers] = useState<readonly string[]>(team?.members ?? []);
  const save = useChange(
    () =>
      team
        ? api.call('updateTeam', { params: { team: team.name }, body: { members: [...members] } })
        : api.call('createTeam', { body: { name, members: [...members] } }),
    [keys.teams, keys.users],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <ModalDialog title={team ? `Members of ${team.name}` : 'New team'} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {team ? null : (
          <TextInput
            label="Name"
            value={name}
            onChange={setName}
            hint="Lower-case letters, digits and hyphens."
            error={fieldProblems(save.error)['name']}
            isRequired
          />
        )}
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">Members</legend>
          {users.map((user) => (
            <CheckField
              key={user.id}
              label={user.name}
              hint={user.email ?? user.kind}
              isSelected={members.includes(user.name)}
              onChange={(isIn) =>
                setMembers(isIn ? [...members, user.name] : members.filter((other) => other !== user.name))
              }
            />
          ))}
        </fieldset>
        {save.error && !isAtField(save.error, ['name']) ? (
          <Notice kind="error" title="The team was not saved.">
            {save.error.message}
          </Notice>
        ) : null}
        <FormEnd onCancel={onClose} isPending={save.isPending} isDisabled={name === ''}>
          Save
        </FormEnd>
      </form>
    </ModalDialog>
  );
}
