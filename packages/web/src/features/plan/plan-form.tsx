import type { RuntimeRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { branchesQuery, type PlanSearch } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button, Choice, Empty, TextInput } from '../../ui/index.ts';

interface PlanFormProps {
  readonly search: PlanSearch;
  readonly runtimes: readonly RuntimeRow[];
  readonly runtime: string;
  /** Those that applications of the runtime follow: a change in any other changes nothing. */
  readonly repositories: readonly string[];
  readonly isPending: boolean;
  readonly onRuntime: (name: string) => void;
  readonly onAsk: (search: PlanSearch) => void;
}

export function PlanForm(props: PlanFormProps) {
  const { search, runtimes, runtime, repositories, isPending, onRuntime, onAsk } = props;
  const [repo, setRepo] = useState(search.repo ?? repositories[0] ?? '');
  const [change, setChange] = useState(search.change ?? '');
  const [onto, setOnto] = useState(search.onto ?? '');
  const { data: branches } = useQuery(branchesQuery(useApi(), runtime, repo));
  const known = repositories.includes(repo) || repo === '' ? repositories : [repo, ...repositories];
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (change.trim() === '' || repo === '') return;
    onAsk({ runtime, repo, change: change.trim(), ...(onto.trim() && { onto: onto.trim() }) });
  };
  const names = runtimes.map(({ name }) => ({ value: name, label: name }));
  return (
    <form onSubmit={ask} className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2 xl:flex">
      <Choice label="Runtime" value={runtime} options={names} onChange={onRuntime} className="xl:w-44" />
      {known.length === 0 ? (
        <div className="sm:col-span-2 xl:flex-1">
          <Empty title="No application of this runtime follows a repository yet">
            <p>Deploy one first; then this page tells what a change would do to it.</p>
          </Empty>
        </div>
      ) : (
        <>
          <Choice
            label="Repository"
            value={repo}
            options={known.map((value) => ({ value, label: value }))}
            onChange={setRepo}
            className="xl:flex-[2]"
          />
          <TextInput
            label="Change"
            value={change}
            onChange={setChange}
            placeholder="branch, commit, #12 or a link"
            hint="A branch, tag or commit, or a pull request."
            isRequired
            suggestions={branches?.items ?? []}
            className="xl:flex-1"
          />
          <TextInput
            label="Into"
            value={onto}
            onChange={setOnto}
            placeholder={branches?.defaultBranch ?? 'the default branch'}
            hint="The branch it would go into."
            suggestions={branches?.items ?? []}
            className="xl:w-56"
          />
          <Button
            type="submit"
            kind="primary"
            className="self-start max-xl:justify-self-start xl:mt-6"
            isDisabled={change.trim() === ''}
            isPending={isPending}
          >
            Show what changes
          </Button>
        </>
      )}
    </form>
  );
}
