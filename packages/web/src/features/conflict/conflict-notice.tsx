import { lazy, Suspense } from 'react';
import { Button, Notice, Skeleton } from '../../ui/index.ts';
import type { Conflict } from './conflict.ts';

const TextDiff = lazy(async () => ({ default: (await import('../../editor/index.ts')).TextDiff }));

interface ConflictNoticeProps {
  readonly conflict: Conflict;
  readonly onResolve: (keepMine: boolean) => void;
}

/** Two people changed one file: both versions, and the choice. Nothing was committed, nothing is lost. */
export function ConflictNotice({ conflict: { theirs, yours }, onResolve }: ConflictNoticeProps) {
  return (
    <>
      <Notice
        kind="warning"
        title={
          theirs === ''
            ? 'Somebody else removed this file in the meantime.'
            : 'Somebody else changed this file in the meantime.'
        }
      >
        Nothing was committed. Red is theirs, green is yours.
      </Notice>
      <Changes original={theirs} text={yours} sides={['theirs', 'yours']} />
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => onResolve(false)}>Take theirs and go on</Button>
        <Button kind="danger" onPress={() => onResolve(true)}>
          Keep mine over theirs
        </Button>
      </div>
    </>
  );
}

interface ChangesProps {
  readonly original: string;
  readonly text: string;
  readonly sides: readonly [string, string];
}

export function Changes({ original, text, sides }: ChangesProps) {
  return (
    <div className="h-80 overflow-hidden rounded-md border border-line">
      <Suspense fallback={<Skeleton className="m-4 h-24" />}>
        <TextDiff {...{ original, text, sides }} label="Changes" />
      </Suspense>
    </div>
  );
}
