import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys, meQuery, usersQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, Notice, Panel, TextInput } from '../../ui/index.ts';

const leastPassword = 12;

/** Who one is, and the own password. */
export function AccountSection() {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const { data: users } = useQuery(usersQuery(api));
  const own = users?.find(({ id }) => id === me?.user.id);
  const facts = [
    { title: 'Name', value: me?.user.name },
    { title: 'E-mail', value: me?.user.email ?? 'none' },
    { title: 'Role', value: me?.user.role === 'admin' ? 'administrator' : 'member' },
    { title: 'Teams', value: me?.user.teams?.join(', ') || 'none' },
    { title: 'Account', value: me?.account.name },
  ];
  return (
    <>
      <Panel title="You">
        <dl className="grid grid-cols-[90px_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          {facts.map(({ title, value }) => (
            <div key={title} className="contents">
              <dt className="text-faint">{title}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <PasswordPanel hasPassword={own?.hasPassword ?? false} />
    </>
  );
}

function PasswordPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const api = useApi();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const set = useChange(
    (body: { password: string; current?: string }) => api.call('setPassword', { body }),
    [keys.users, ['sessions']],
  );
  const isShort = password !== '' && password.length < leastPassword;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(
      { password, ...(hasPassword && { current }) },
      {
        onSuccess: () => {
          setCurrent('');
          setPassword('');
        },
      },
    );
  };
  return (
    <Panel
      title="Password"
      hint={
        hasPassword ? 'Other sessions end when you change it.' : 'With one you can sign in without a one-time link.'
      }
    >
      <form onSubmit={submit} className="flex max-w-sm flex-col gap-3">
        {hasPassword ? (
          <TextInput type="password" label="Current password" value={current} onChange={setCurrent} isRequired />
        ) : null}
        <TextInput
          type="password"
          label="New password"
          value={password}
          onChange={setPassword}
          hint={`At least ${leastPassword} characters.`}
          error={isShort ? `${leastPassword - password.length} more characters are needed.` : undefined}
          isRequired
        />
        {set.error ? (
          <Notice kind="error" title="The password was not set.">
            {set.error.message}
          </Notice>
        ) : null}
        {set.isSuccess ? (
          <p role="status" className="text-sm text-healthy">
            The password is set.
          </p>
        ) : null}
        <Button
          type="submit"
          kind="primary"
          className="self-start"
          isPending={set.isPending}
          isDisabled={password.length < leastPassword}
        >
          {hasPassword ? 'Change the password' : 'Set a password'}
        </Button>
      </form>
    </Panel>
  );
}
