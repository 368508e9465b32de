import type { AccessRules, GitRightsSetting } from '@fairlead/contracts';
import { useState } from 'react';
import { keys } from '../../api/index.ts';
import { useApi, useChange } from '../../services/index.ts';
import { Button, Choice, Failure, Panel } from '../../ui/index.ts';

const options: readonly { readonly value: GitRightsSetting; readonly label: string }[] = [
  { value: 'off', label: 'Off: access rules alone decide' },
  { value: 'acts', label: 'For acts: who may push acts, who may read sees logs' },
  { value: 'all', label: 'For everything: who may not read sees nothing of it' },
];

const meanings: Readonly<Record<GitRightsSetting, string>> = {
  off: 'What members see and do is decided by access rules alone.',
  acts: 'A member acts on an application only if their own Git token may push to the repository that holds its manifest, and sees its logs and live objects only if it may read there.',
  all: 'A member sees an application only if their own Git token may read the repository that holds its manifest, and acts on it only if it may push there. What nothing in Git brought is for administrators.',
};

/** Whether rights follow Git: a file of the Shared Configuration Repository. */
export function GitRightsPanel({ rules }: { readonly rules: AccessRules }) {
  const api = useApi();
  const { enforce, commit } = rules.gitRights;
  const [chosen, setChosen] = useState<GitRightsSetting>();
  const wanted = chosen ?? enforce;
  const change = useChange(async () => {
    await api.call('setGitRights', { body: { enforce: wanted } });
    setChosen(undefined);
  }, [keys.accessRules]);
  const mayChange = rules.source !== undefined || enforce !== 'off';
  return (
    <Panel
      title="Git rights"
      hint="Besides the access rules: members may do what their own Git tokens may. Administrators are not held to it."
    >
      <div className="flex flex-wrap items-end gap-2">
        <Choice
          label="Rights follow Git"
          value={wanted}
          options={options}
          onChange={setChosen}
          isDisabled={!mayChange || change.isPending}
          className="max-w-full"
        />
        {wanted === enforce ? null : (
          <Button kind="primary" isPending={change.isPending} onPress={() => change.mutate(undefined)}>
            Commit
          </Button>
        )}
      </div>
      <p className="mt-2 max-w-prose text-sm text-muted">
        {mayChange
          ? meanings[wanted]
          : 'It is a file of the Shared Configuration Repository: connect one to a runtime to switch it on.'}
        {commit && wanted === enforce ? ` Since commit ${commit.slice(0, 7)}.` : ''}
      </p>
      {change.error ? (
        <Failure what="the Git rights" error={change.error} onRetry={() => change.mutate(undefined)} />
      ) : null}
    </Panel>
  );
}
