import type { ApiKeyRow, KeyScope } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiKeysQuery, fieldProblems, isAtField } from '../../api/index.ts';
import { useApi, useChange, useNow } from '../../services/index.ts';
import {
  Button,
  CheckField,
  Choice,
  ConfirmDialog,
  Empty,
  Failure,
  FormEnd,
  ModalDialog,
  Notice,
  OnceShown,
  Panel,
  Skeleton,
  Table,
  TextInput,
} from '../../ui/index.ts';
import { ageOf, momentWords, shortAgo } from '../../words/index.ts';
import type { SectionProps } from './settings-page.tsx';

const columns = ['Name', 'Acts as', 'Begins with', 'May', 'Last used', 'Expires', '(Actions)'];

export function ApiKeysSection({ isAdmin }: SectionProps) {
  const { data, error, refetch } = useQuery(apiKeysQuery(useApi(), isAdmin));
  const [isMaking, setMaking] = useState(false);
  const valid = data?.filter(({ revokedAt }) => !revokedAt);
  return (
    <Panel
      title="API keys"
      hint="For programs and the command line. A key is shown once, when it is made."
      actions={
        <Button kind="primary" onPress={() => setMaking(true)}>
          New key…
        </Button>
      }
    >
      {valid ? (
        valid.length === 0 ? (
          <Empty title="No API keys" />
        ) : (
          <Table label="API keys" columns={columns}>
            {valid.map((key) => (
              <KeyLine key={key.id} apiKey={key} />
            ))}
          </Table>
        )
      ) : error ? (
        <Failure what="the API keys" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-24" />
      )}
      {isMaking ? <NewKeyDialog onClose={() => setMaking(false)} /> : null}
    </Panel>
  );
}

function KeyLine({ apiKey }: { readonly apiKey: ApiKeyRow }) {
  const api = useApi();
  const [isRevoking, setRevoking] = useState(false);
  const revoke = useChange(() => api.call('revokeApiKey', { params: { key: apiKey.id } }), [['api-keys']]);
  const usedMs = ageOf(apiKey.lastUsedAt, useNow(60_000));
  return (
    <tr>
      <th scope="row">{apiKey.name}</th>
      <td>{apiKey.user}</td>
      <td className="font-mono text-xs">{apiKey.prefix}…</td>
      <td className="text-muted">{apiKey.scopes.join(', ')}</td>
      <td className="text-muted">{usedMs === undefined ? 'never' : shortAgo(usedMs)}</td>
      <td className="text-muted">{apiKey.expiresAt ? momentWords(apiKey.expiresAt) : 'never'}</td>
      <td className="text-right">
        <Button
          className="h-7!"
          kind="danger"
          aria-label={`Revoke key ${apiKey.name}`}
          onPress={() => setRevoking(true)}
        >
          Revoke…
        </Button>
        {isRevoking ? (
          <ConfirmDialog
            title={`Revoke key ${apiKey.name}`}
            verb="Revoke"
            isPending={revoke.isPending}
            error={revoke.error}
            onClose={() => setRevoking(false)}
            onConfirm={() => revoke.mutate(undefined)}
          >
            <p>Whatever uses it is refused from now on. It cannot be brought back.</p>
          </ConfirmDialog>
        ) : null}
      </td>
    </tr>
  );
}

const scopes: readonly { readonly scope: KeyScope; readonly hint: string }[] = [
  { scope: 'read', hint: 'See what you see.' },
  { scope: 'act', hint: 'Synchronize, refresh, change.' },
  { scope: 'admin', hint: 'What only administrators may, if you are one.' },
];
const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Never' },
];

function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly KeyScope[]>(['read']);
  const [days, setDays] = useState('90');
  const make = useChange(
    () =>
      api.call('createApiKey', { body: { name, scopes: [...chosen], ...(days && { expiresInDays: Number(days) }) } }),
    [['api-keys']],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(undefined);
  };
  if (make.data) {
    return (
      <ModalDialog title="New API key" isOpen onClose={onClose}>
        <OnceShown title={`The key ${make.data.row.name}`} value={make.data.key}>
          It is shown only now. Keep it like a password.
        </OnceShown>
      </ModalDialog>
    );
  }
  return (
    <ModalDialog title="New API key" isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextInput
          label="Name"
          value={name}
          onChange={setName}
          error={fieldProblems(make.error)['name']}
          placeholder="ci-deploys"
          isRequired
        />
        <fieldset className="grid gap-3 sm:grid-cols-3">
          <legend className="mb-2 text-sm font-medium">It may</legend>
          {scopes.map(({ scope, hint }) => (
            <CheckField
              key={scope}
              label={scope}
              hint={hint}
              isSelected={chosen.includes(scope)}
              onChange={(isIn) => setChosen(isIn ? [...chosen, scope] : chosen.filter((other) => other !== scope))}
            />
          ))}
        </fieldset>
        <Choice label="Expires after" value={days} options={lifetimes} onChange={setDays} />
        {make.error && !isAtField(make.error, ['name']) ? (
          <Notice kind="error" title="No key was made.">
            {make.error.message}
          </Notice>
        ) : null}
        <FormEnd onCancel={onClose} isPending={make.isPending} isDisabled={name === '' || chosen.length === 0}>
          Make the key
        </FormEnd>
      </form>
    </ModalDialog>
  );
}
