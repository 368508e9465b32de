// The second step of the set-up: a Git provider by the own token, which is sealed in this browser, then the organisation
// in which the two repositories are made.
import { type GitProviderKind, gitProviders, repositoryAddress } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keys, meQuery, putOwnGitToken } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, Choice, TextInput } from '../../ui/index.ts';
import { GitFailure } from '../git-failure/index.ts';
import { CredentialFields, connectableProviders, isOfToken, useCredential } from '../git-providers/index.ts';

interface Provider {
  readonly kind: GitProviderKind;
  readonly url: string;
  readonly organisations: readonly string[];
}

export function ConnectGit({ runtime }: { readonly runtime: string }) {
  const [provider, setProvider] = useState<Provider>();
  return provider ? (
    <MakeRepositories {...{ runtime, provider }} onBack={() => setProvider(undefined)} />
  ) : (
    <GiveToken runtime={runtime} onDone={setProvider} />
  );
}

function GiveToken({ runtime, onDone }: { readonly runtime: string; readonly onDone: (provider: Provider) => void }) {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const [kind, setKind] = useState<GitProviderKind>('github');
  const [address, setAddress] = useState('https://github.com');
  const credential = useCredential(kind);
  const { token, username } = credential;
  const choose = (chosen: GitProviderKind) => {
    setKind(chosen);
    setAddress(gitProviders[chosen].url ?? '');
  };
  const url = address.trim().replace(/\/+$/, '');
  const isAddress = /^https?:\/\/[^/@?#\s]+$/.test(url);
  const give = useChange(async (): Promise<Provider> => {
    await putOwnGitToken(api, { runtime, userId: me?.user.id ?? '', url, provider: kind, token, username });
    const { host } = new URL(url);
    const { items } = await api.call('listGitOrganisations', { params: { runtime }, query: { host } });
    return { kind, url, organisations: items.map(({ name }) => name) };
  }, [keys.gitTokens(runtime)]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give.mutate(undefined, { onSuccess: onDone });
  };
  return (
    <form aria-label="Git provider" onSubmit={submit} className="flex max-w-lg flex-col gap-3">
      <Choice label="Provider" value={kind} options={connectableProviders} onChange={choose} />
      <TextInput
        label="Address"
        value={address}
        onChange={setAddress}
        {...(address === '' || isAddress ? {} : { error: 'Scheme and host only, as in https://github.com.' })}
        isRequired
        isMono
      />
      <CredentialFields provider={kind} credential={credential} label="Your token" error={give.error} />
      {give.error && !isOfToken(give.error) ? (
        <GitFailure what="the Git provider" undone="The Git provider is not connected." error={give.error} />
      ) : null}
      <div>
        <Button
          type="submit"
          kind="primary"
          isPending={give.isPending}
          isDisabled={!me || !isAddress || !credential.isGiven}
        >
          Seal and send the token
        </Button>
      </div>
    </form>
  );
}

interface MakeRepositoriesProps {
  readonly runtime: string;
  readonly provider: Provider;
  readonly onBack: () => void;
}

function MakeRepositories({ runtime, provider: { kind, url, organisations }, onBack }: MakeRepositoriesProps) {
  const api = useApi();
  const [organisation, setOrganisation] = useState(organisations[0] ?? 'fairlead');
  const addressOf = (name: string) => repositoryAddress({ provider: kind, url, organisation, name });
  const paths = {
    sharedConfigRepo: addressOf('shared-config'),
    gitSource: { name: 'default', repoURL: addressOf('applications') },
  };
  const connect = useChange(
    () => api.call('connectConfiguration', { params: { runtime }, body: paths }),
    [keys.setup, keys.gitSources],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connect.mutate(undefined);
  };
  return (
    <form aria-label="Repositories" onSubmit={submit} className="flex max-w-lg flex-col gap-3">
      {organisations.length > 0 ? (
        <Choice
          label="Organisation"
          value={organisation}
          options={organisations.map((name) => ({ value: name, label: name }))}
          onChange={setOrganisation}
        />
      ) : (
        <TextInput label="Organisation" value={organisation} onChange={setOrganisation} isRequired isMono />
      )}
      <dl className="flex flex-col gap-1 text-xs">
        <dt className="text-muted">What is configured here is kept in</dt>
        <dd className="font-mono break-all">{paths.sharedConfigRepo}</dd>
        <dt className="text-muted">Applications come from</dt>
        <dd className="font-mono break-all">{paths.gitSource.repoURL}</dd>
      </dl>
      {connect.error ? (
        <GitFailure what="the repositories" undone="The repositories were not set up." error={connect.error} />
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" isPending={connect.isPending} isDisabled={organisation === ''}>
          Create
        </Button>
        <Button onPress={onBack}>Another provider</Button>
      </div>
    </form>
  );
}
