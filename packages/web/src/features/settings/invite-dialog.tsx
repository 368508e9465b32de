import { type FormEvent, useState } from 'react';
import { fieldProblems, isAtField, keys } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, Choice, FormEnd, ModalDialog, Notice, OnceShown, TextInput } from '../../ui/index.ts';

const nameForm = /^[a-z0-9]([-._a-z0-9]{0,61}[a-z0-9])?$/;

interface Invited {
  readonly name: string;
  readonly email: string;
  readonly kind: 'person' | 'service';
  readonly role: 'user' | 'admin';
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const [user, setUser] = useState<Invited>({ name: '', email: '', kind: 'person', role: 'user' });
  const set = (part: Partial<Invited>) => setUser({ ...user, ...part });
  const invite = useChange(
    ({ name, email, kind, role }: Invited) =>
      api.call('inviteUser', { body: { name, kind, role, ...(email && { email }) } }),
    [keys.users],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(user);
  };
  const said = fieldProblems(invite.error);
  const isWrong = user.name !== '' && !nameForm.test(user.name);
  return (
    <ModalDialog title="Invite a user" isOpen onClose={onClose}>
      {invite.data ? (
        <div className="flex flex-col gap-4 text-sm">
          {invite.data.url ? (
            <OnceShown title={`${invite.data.user.name} signs in first with this link`} value={invite.data.url}>
              It works once and for seven days. Send it by a way that only they can read.
            </OnceShown>
          ) : (
            <Notice kind="info" title={`The service account ${invite.data.user.name} is there.`}>
              Make a key for it under API keys.
            </Notice>
          )}
          <Button className="self-end" onPress={onClose}>
            Close
          </Button>
        </div>
      ) : (
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <TextInput
            label="Name"
            value={user.name}
            onChange={(name) => set({ name })}
            error={isWrong ? 'Lower-case letters, digits, dots and hyphens only.' : said['name']}
            isRequired
          />
          <TextInput
            label="E-mail"
            type="email"
            value={user.email}
            onChange={(email) => set({ email })}
            hint="Optional; the author of their commits."
            error={said['email']}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Choice
              label="Kind"
              value={user.kind}
              options={[
                { value: 'person', label: 'Person' },
                { value: 'service', label: 'Service account' },
              ]}
              onChange={(kind) => set({ kind })}
            />
            <Choice
              label="Role"
              value={user.role}
              options={[
                { value: 'user', label: 'Member' },
                { value: 'admin', label: 'Administrator' },
              ]}
              onChange={(role) => set({ role })}
            />
          </div>
          {invite.error && !isAtField(invite.error, ['name', 'email']) ? (
            <Notice kind="error" title="Nobody was invited.">
              {invite.error.message}
            </Notice>
          ) : null}
          <FormEnd onCancel={onClose} isPending={invite.isPending} isDisabled={user.name === '' || isWrong}>
            Invite
          </FormEnd>
        </form>
      )}
    </ModalDialog>
  );
}
