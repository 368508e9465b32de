import { type GitProviderKind, gitProviders } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys, meQuery, putOwnGitToken } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Choice, FormEnd, ModalDialog, Notice, TextInput } from '../../ui/index.ts';
import { CredentialFields, isOfToken, tokenProviders, useCredential } from '../git-providers/index.ts';

export interface NewToken {
  readonly provider: GitProviderKind;
  /** A host or its address. */
  readonly host: string;
}

export const githubToken: NewToken = { provider: 'github', host: 'github.com' };

const urlOf = (host: string) => (/^https?:\/\//.test(host) ? host.replace(/\/+$/, '') : `https://${host}`);

interface AddTokenProps {
  readonly runtime: string;
  readonly initial: NewToken;
  readonly onClose: () => void;
}

export function AddToken({ runtime, initial, onClose }: AddTokenProps) {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const [provider, setProvider] = useState<GitProviderKind>(initial.provider);
  const [host, setHost] = useState(initial.host.replace(/^https:\/\//, ''));
  const credential = useCredential(provider);
  const { token, username } = credential;
  const choose = (chosen: GitProviderKind) => {
    setProvider(chosen);
    setHost((gitProviders[chosen].url ?? '').replace(/^https:\/\//, ''));
  };
  const add = useChange(
    () => putOwnGitToken(api, { runtime, userId: me?.user.id ?? '', url: urlOf(host), provider, token, username }),
    [keys.gitTokens(runtime), keys.me],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <ModalDialog title="Add a Git token" isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Choice label="Provider" value={provider} options={tokenProviders} onChange={choose} />
        <TextInput label="Host" value={host} onChange={setHost} isMono isRequired hint="or its address, http://… " />
        <CredentialFields {...{ provider, credential }} label="Token" error={add.error} />
        {add.error && !isOfToken(add.error) ? (
          <Notice kind="error" title="The token was not taken.">
            {add.error.message}
          </Notice>
        ) : null}
        <FormEnd onCancel={onClose} isPending={add.isPending} isDisabled={!me || host === '' || !credential.isGiven}>
          Seal and send
        </FormEnd>
      </form>
    </ModalDialog>
  );
}
