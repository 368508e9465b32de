import { ApiError } from '@fairlead/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Notice, TextInput } from '../../ui/index.ts';

/** Name and password. Wrong input gives one line that does not tell which of the two was wrong. */
export function PasswordForm() {
  const api = useApi();
  const client = useQueryClient();
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.call('signInByPassword', { body: { user, password } }),
    onSuccess: (me) => client.setQueryData(keys.me, me),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {signIn.error ? <Notice kind="error" title={refusalWords(signIn.error)} /> : null}
      <TextInput label="Name" value={user} onChange={setUser} isRequired />
      <TextInput type="password" label="Password" value={password} onChange={setPassword} isRequired />
      <Button type="submit" kind="primary" isPending={signIn.isPending} isDisabled={user === '' || password === ''}>
        Sign in
      </Button>
    </form>
  );
}

function refusalWords(error: Error): string {
  if (!(error instanceof ApiError)) return 'The server did not answer. Try again in a moment.';
  if (error.status === 429) return 'Too many attempts. Wait a minute, then try again.';
  return error.status < 500 ? 'Name or password is wrong.' : 'The server could not sign you in. Try again in a moment.';
}
