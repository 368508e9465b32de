import { type GitProviderKind, type GitTokenRow, gitProviders } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { gitTokensQuery, keys, meQuery, putOwnGitToken, runtimesQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import {
  Button,
  Choice,
  ConfirmDialog,
  Empty,
  Failure,
  ModalDialog,
  Notice,
  Panel,
  Skeleton,
  Table,
  TextInput,
} from '../../ui/index.ts';
import { momentWords } from '../../words/index.ts';
import { tokenProviders } from '../git-providers/index.ts';

const columns = ['Host', 'Speaks as', 'Rights', 'Status', 'Expires', '(Actions)'];

/** The own tokens, per runtime: what one's commits are made with. */
export function GitTokensSection() {
  const api = useApi();
  const { data: runtimes = [] } = useQuery(runtimesQuery(api));
  const [chosen, setChosen] = useState<string>();
  const runtime = chosen ?? runtimes.find(({ status }) => status === 'connected')?.name ?? '';
  const { data, error, refetch } = useQuery(gitTokensQuery(api, runtime));
  const [isAdding, setAdding] = useState(false);
  return (
    <Panel
      title="Git tokens"
      hint="Your commits are pushed with your own token. It is sealed in this browser to the runtime's key, kept in the runtime's cluster, and never readable here."
      actions={
        <Button kind="primary" isDisabled={runtime === ''} onPress={() => setAdding(true)}>
          Add a token…
        </Button>
      }
    >
      {runtimes.length > 1 ? (
        <Choice
          label="Runtime"
          value={runtime}
          options={runtimes.map(({ name }) => ({ value: name, label: name }))}
          onChange={setChosen}
          className="mb-3 w-60"
        />
      ) : null}
      {runtime === '' ? (
        <Empty title="No runtime is connected" />
      ) : data ? (
        data.length === 0 ? (
          <Empty title={`No tokens in ${runtime}`}>
            <p>Without one you can look and synchronize, but not commit.</p>
          </Empty>
        ) : (
          <Table label="Git tokens" columns={columns}>
            {data.map((token) => (
              <TokenLine key={token.host} {...{ runtime, token }} />
            ))}
          </Table>
        )
      ) : error ? (
        <Failure what="your Git tokens" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
      {isAdding ? <AddToken runtime={runtime} onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
}

const statuses = {
  valid: { words: 'valid', color: 'text-healthy' },
  'expires-soon': { words: 'expires soon', color: 'text-missing' },
  expired: { words: 'expired', color: 'text-degraded' },
  weak: { words: 'lacks rights', color: 'text-degraded' },
  unverified: { words: 'not verified', color: 'text-muted' },
} as const;

function TokenLine({ runtime, token }: { readonly runtime: string; readonly token: GitTokenRow }) {
  const api = useApi();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useChange(
    () => api.call('deleteGitToken', { params: { runtime, host: token.host } }),
    [keys.gitTokens(runtime)],
  );
  const { words, color } = statuses[token.status];
  return (
    <tr>
      <th scope="row">{token.host}</th>
      <td>{token.user}</td>
      <td className="text-xs text-muted">{token.scopes?.join(', ')}</td>
      <td className={color}>
        {words}
        {token.problem ? <span className="block text-xs">{token.problem}</span> : null}
      </td>
      <td className="text-muted">{token.expiresAt ? momentWords(token.expiresAt) : 'not told'}</td>
      <td className="text-right">
        <Button
          className="h-7!"
          kind="danger"
          aria-label={`Remove token for ${token.host}`}
          onPress={() => setDeleting(true)}
        >
          Remove…
        </Button>
        {isDeleting ? (
          <ConfirmDialog
            title={`Remove the token for ${token.host}`}
            verb="Remove"
            isPending={remove.isPending}
            error={remove.error}
            onClose={() => setDeleting(false)}
            onConfirm={() => remove.mutate(undefined)}
          >
            <p>
              You can no longer commit through {runtime} to this host. At the provider the token stays: revoke it there.
            </p>
          </ConfirmDialog>
        ) : null}
      </td>
    </tr>
  );
}

const urlOf = (host: string) => (/^https?:\/\//.test(host) ? host.replace(/\/+$/, '') : `https://${host}`);

function AddToken({ runtime, onClose }: { readonly runtime: string; readonly onClose: () => void }) {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const [provider, setProvider] = useState<GitProviderKind>('github');
  const [host, setHost] = useState('github.com');
  const [token, setToken] = useState('');
  const [username, setUsername] = useState('');
  const words = gitProviders[provider];
  const choose = (chosen: GitProviderKind) => {
    setProvider(chosen);
    setHost((gitProviders[chosen].url ?? '').replace(/^https:\/\//, ''));
  };
  const add = useChange(
    () => putOwnGitToken(api, { runtime, userId: me?.user.id ?? '', url: urlOf(host), provider, token, username }),
    [keys.gitTokens(runtime)],
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
        {words.username ? (
          <TextInput
            label={words.username.label}
            value={username}
            onChange={setUsername}
            hint={words.username.hint}
            isRequired={words.username.isRequired}
          />
        ) : null}
        <TextInput type="password" label="Token" value={token} onChange={setToken} isRequired hint={words.token} />
        {add.error ? (
          <Notice kind="error" title="The token was not taken.">
            {add.error.message}
          </Notice>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            isPending={add.isPending}
            isDisabled={!me || host === '' || token === '' || (words.username?.isRequired === true && username === '')}
          >
            Seal and send
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
