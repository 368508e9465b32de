// From a name to a connected runtime: a one-time token, the command that takes it, and how far the installation is, live.
import type { RuntimeRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { keys, runtimesQuery } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { CheckField, Choice, FormEnd, ModalDialog, Notice, TextInput } from '../../ui/index.ts';
import { nameProblem, type Place, placesFor } from './install-command.ts';
import { Installing } from './installing.tsx';

interface AddRuntimeProps {
  /** Of a pending runtime that gets a new token. */
  readonly name?: string;
  readonly onClose: () => void;
}

const placeWords: Record<Place, string> = {
  cluster: 'A Kubernetes cluster of yours',
  embedded: 'This machine, with an embedded cluster',
};

export function AddRuntime({ name: given, onClose }: AddRuntimeProps) {
  const api = useApi();
  const { data: runtimes = [] } = useQuery(runtimesQuery(api));
  const [name, setName] = useState(given ?? '');
  const [place, setPlace] = useState<Place>('cluster');
  const [besideArgoCd, setBeside] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const make = useChange(() => api.call('createRuntime', { body: { name, kind: 'hybrid' } }), [keys.runtimes]);
  const navigate = useNavigate();
  const onDone = () => (given ? onClose() : void navigate({ to: '/runtimes/$runtime', params: { runtime: name } }));
  const problem = isAsked ? undefined : nameProblem(name, runtimes);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || problem) return;
    if (place === 'embedded') setAsked(true);
    else make.mutate(undefined, { onSuccess: () => setAsked(true) });
  };
  return (
    <ModalDialog
      title={given ? `Install runtime ${given}` : 'Add a runtime'}
      isOpen
      onClose={onClose}
      width="max-w-[680px]"
    >
      {isAsked ? (
        <Installing
          {...{ name, place, besideArgoCd, onClose, onDone }}
          token={make.data?.installToken}
          expiresAt={make.data?.expiresAt}
          runtime={rowOf(runtimes, name)}
        />
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4 text-sm">
          <p className="text-muted">
            A runtime watches Git and brings one or more clusters to what it says. It dials out to this platform;
            nothing has to be opened towards it.
          </p>
          {placesFor(location.hostname).length > 1 ? (
            <Choice
              label="Where"
              value={place}
              options={placesFor(location.hostname).map((value) => ({ value, label: placeWords[value] }))}
              onChange={setPlace}
            />
          ) : null}
          {given ? null : (
            <TextInput
              label="Name"
              value={name}
              onChange={setName}
              error={problem}
              placeholder="edge"
              isRequired
              isMono
            />
          )}
          {place === 'cluster' ? (
            <CheckField
              label="The cluster has an Argo CD already"
              hint="The runtime uses it and changes nothing of it. Otherwise it brings an engine of its own."
              isSelected={besideArgoCd}
              onChange={setBeside}
            />
          ) : null}
          {make.error ? (
            <Notice kind="error" title="No install token was made.">
              {make.error.message}
            </Notice>
          ) : null}
          <FormEnd onCancel={onClose} isPending={make.isPending} isDisabled={name === '' || problem !== undefined}>
            {place === 'embedded' ? 'Show the command' : 'Make an install token'}
          </FormEnd>
        </form>
      )}
    </ModalDialog>
  );
}

const rowOf = (runtimes: readonly RuntimeRow[], name: string) => runtimes.find((row) => row.name === name);
