import type { GitTokenRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { gitTokensQuery, keys, runtimesQuery } from '../../api/index.ts';
import { useApi, useChange, useNow } from '../../services/index.ts';
import { Button, Choice, ConfirmDialog, Empty, Failure, Panel, Skeleton, Table } from '../../ui/index.ts';
import { endWords } from '../../words/index.ts';
import { AddToken, githubToken, type NewToken } from './add-git-token.tsx';
import { TokenTroubles } from './token-troubles.tsx';

const columns = ['Host', 'Speaks as', 'Rights', 'Status', 'Expires', '(Actions)'];

/** The own tokens, per runtime: what one's commits are made with. */
export function GitTokensSection() {
  const api = useApi();
  const { data: runtimes = [] } = useQuery(runtimesQuery(api));
  const [chosen, setChosen] = useState<string>();
  const runtime = chosen ?? runtimes.find(({ status }) => status === 'connected')?.name ?? '';
  const { data, error, refetch } = useQuery(gitTokensQuery(api, runtime));
  const [added, setAdded] = useState<NewToken>();
  return (
    <Panel
      title="Git tokens"
      hint="Your commits are pushed with your own token. It is sealed in this browser to the runtime's key, kept in the runtime's cluster, and never readable here."
      actions={
        <Button kind="primary" isDisabled={runtime === ''} onPress={() => setAdded(githubToken)}>
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
          <>
            <TokenTroubles tokens={data} onReplace={setAdded} />
            <Table label="Git tokens" columns={columns}>
              {data.map((token) => (
                <TokenLine key={token.host} {...{ runtime, token }} />
              ))}
            </Table>
          </>
        )
      ) : error ? (
        <Failure what="your Git tokens" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
      {added ? <AddToken runtime={runtime} initial={added} onClose={() => setAdded(undefined)} /> : null}
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
    [keys.gitTokens(runtime), keys.me],
  );
  const now = useNow(60_000);
  const { words, color } = statuses[token.status];
  return (
    <tr>
      <th scope="row">{token.host}</th>
      <td>{token.user}</td>
      <td className="text-xs text-muted">{token.scopes?.join(', ')}</td>
      <td className={color}>{words}</td>
      <td className="whitespace-nowrap text-muted">{token.expiresAt ? endWords(token.expiresAt, now) : 'not told'}</td>
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
