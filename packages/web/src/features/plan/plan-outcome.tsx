import type { PlanAnswer } from '@fairlead/contracts';
import { useMemo, useState } from 'react';
import { Button, Empty, Notice, SearchBox, ToArrow, useSearchText } from '../../ui/index.ts';
import { counted, formatCount, shortRevision } from '../../words/index.ts';
import { pageSearchId } from '../frame/index.ts';
import { matchingChanges } from './plan-words.ts';
import { PlannedApplication } from './planned-application.tsx';

interface PlanOutcomeProps {
  readonly runtime: string;
  readonly plan: PlanAnswer;
  readonly find: string;
  readonly onFind: (text: string) => void;
}

const step = 50;
/** Up to so many are open at once, so that a small plan needs no click. */
const opened = 3;

export function PlanOutcome({ runtime, plan, find, onFind }: PlanOutcomeProps) {
  const [text, setText] = useSearchText(find, onFind);
  const [shown, setShown] = useState(step);
  const found = useMemo(() => matchingChanges(plan.applications, text), [plan, text]);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
        <p>
          {plan.onto} <span className="font-mono text-xs">{shortRevision(plan.from)}</span> <ToArrow />{' '}
          <span className="font-mono text-xs font-semibold text-text">{shortRevision(plan.to)}</span>,{' '}
          {counted(plan.changedFiles, 'file')} changed;{' '}
          {plan.following === 1 ? 'one application follows it' : `${counted(plan.following, 'application')} follow it`}.
        </p>
        {plan.applications.length > opened ? (
          <SearchBox
            id={pageSearchId}
            label="Find an application or object"
            placeholder="Find an application or object"
            value={text}
            onChange={setText}
            className="ml-auto w-72 max-sm:w-full"
          />
        ) : null}
      </div>
      {plan.truncated ? (
        <Notice kind="warning" title="The plan is too large to be shown whole.">
          Some manifests were left out; what changes is complete, what it looks like is not.
        </Notice>
      ) : null}
      {found.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface">
          {text.trim() === '' ? (
            <Empty title="Nothing would change">
              <p>
                All applications that follow {plan.onto} render to the same objects before and after. It is safe to
                merge as far as this runtime goes.
              </p>
            </Empty>
          ) : (
            <Empty title={`Nothing with “${text}” would change`}>
              <Button onPress={() => setText('')}>Show all</Button>
            </Empty>
          )}
        </div>
      ) : (
        <ul aria-label="Applications that would change" className="flex flex-col gap-3">
          {found.slice(0, shown).map((application) => (
            <PlannedApplication
              key={`${application.namespace}/${application.name}`}
              {...{ runtime, application }}
              isOpenAtFirst={plan.applications.length <= opened}
            />
          ))}
        </ul>
      )}
      {found.length > shown ? (
        <Button className="self-center" onPress={() => setShown(shown + step)}>
          {formatCount(found.length - shown)} more
        </Button>
      ) : null}
    </>
  );
}
