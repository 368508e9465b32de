import type { UserRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { keys, usersQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, Choice, ConfirmDialog, Failure, Notice, OnceShown, Panel, Skeleton, Table } from '../../ui/index.ts';
import { InviteDialog } from './invite-dialog.tsx';
import type { SectionProps } from './settings-page.tsx';

const columns = ['Name', 'E-mail', 'Kind', 'Role', 'Teams', 'Status', '(Actions)'];

export function UsersSection({ isAdmin }: SectionProps) {
  const { data, error, refetch } = useQuery(usersQuery(useApi()));
  const [isInviting, setInviting] = useState(false);
  return (
    <Panel
      title="Users"
      hint="People sign in; service accounts have API keys only."
      actions={
        isAdmin ? (
          <Button kind="primary" onPress={() => setInviting(true)}>
            <UserPlus size={14} aria-hidden /> Invite…
          </Button>
        ) : undefined
      }
    >
      {data ? (
        <Table label="Users" columns={columns}>
          {data.map((user) => (
            <UserLine key={user.id} user={user} isAdmin={isAdmin} />
          ))}
        </Table>
      ) : error ? (
        <Failure what="the users" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-32" />
      )}
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Panel>
  );
}

const statusColor = { active: 'text-healthy', invited: 'text-missing', deactivated: 'text-muted' } as const;

function UserLine({ user, isAdmin }: { readonly user: UserRow; readonly isAdmin: boolean }) {
  const api = useApi();
  const update = useChange(
    (body: { role?: UserRow['role']; status?: 'active' | 'deactivated' }) =>
      api.call('updateUser', { params: { user: user.name }, body }),
    [keys.users, keys.me],
  );
  const link = useChange(() => api.call('createUserLink', { params: { user: user.name } }), []);
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <tr>
        <th scope="row">{user.name}</th>
        <td className="text-muted">{user.email}</td>
        <td className="text-muted">{user.kind === 'service' ? 'service account' : 'person'}</td>
        <td>
          {isAdmin ? (
            <Choice
              label={`Role of ${user.name}`}
              isLabelHidden
              value={user.role}
              options={[
                { value: 'user', label: 'member' },
                { value: 'admin', label: 'administrator' },
              ]}
              isDisabled={update.isPending}
              onChange={(role) => update.mutate({ role })}
            />
          ) : user.role === 'admin' ? (
            'administrator'
          ) : (
            'member'
          )}
        </td>
        <td className="text-muted">{user.teams.join(', ')}</td>
        <td className={statusColor[user.status]}>{user.status}</td>
        <td className="text-right whitespace-nowrap">
          {isAdmin ? (
            <span className="inline-flex gap-2">
              {user.kind === 'person' && user.status !== 'deactivated' ? (
                <Button className="h-7!" onPress={() => link.mutate(undefined)} isPending={link.isPending}>
                  Sign-in link
                </Button>
              ) : null}
              {user.status === 'deactivated' ? (
                <Button className="h-7!" onPress={() => update.mutate({ status: 'active' })}>
                  Activate
                </Button>
              ) : (
                <Button className="h-7!" kind="danger" onPress={() => setLeaving(true)}>
                  Deactivate…
                </Button>
              )}
            </span>
          ) : null}
        </td>
      </tr>
      {update.error && !isLeaving ? (
        <tr>
          <td colSpan={columns.length}>
            <Notice kind="error" title={`${user.name} was not changed.`}>
              {update.error.message}
            </Notice>
          </td>
        </tr>
      ) : null}
      {link.data ? (
        <tr>
          <td colSpan={columns.length}>
            <OnceShown title={`A sign-in link for ${user.name}`} value={link.data.url}>
              It works once. Send it by a way that only they can read.
            </OnceShown>
          </td>
        </tr>
      ) : null}
      {isLeaving ? (
        <ConfirmDialog
          title={`Deactivate ${user.name}`}
          verb="Deactivate"
          isPending={update.isPending}
          error={update.error}
          onClose={() => setLeaving(false)}
          onConfirm={() => update.mutate({ status: 'deactivated' }, { onSuccess: () => setLeaving(false) })}
        >
          <p>All sessions and API keys of {user.name} stop at once. What they did stays in the audit log.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
