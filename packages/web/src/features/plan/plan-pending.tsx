import { useState } from 'react';
import { useNow } from '../../services/index.ts';
import { Skeleton } from '../../ui/index.ts';
import { counted } from '../../words/index.ts';

const worthSayingMs = 3000;

/** A plan may take long when hundreds of applications are rendered: then it says for how long it has been at it. */
export function PlanPending() {
  const now = useNow(1000);
  const [begun] = useState(now);
  const seconds = Math.floor((now - begun) / 1000);
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-sm text-muted">
        The runtime renders both sides…
        {now - begun > worthSayingMs ? ` ${counted(seconds, 'second')} so far; the first time takes longest.` : ''}
      </p>
      <Skeleton className="h-24 rounded-lg" />
      <Skeleton className="h-24 rounded-lg" />
    </div>
  );
}
