import type { ApplicationId, EventRow } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { eventsQuery, type ResourceRef } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { classNames, Empty, Failure, Skeleton } from '../../ui/index.ts';
import { ageOf, shortAgo, visibleText } from '../../words/index.ts';

interface EventsPaneProps {
  readonly id: ApplicationId;
  readonly resource: ResourceRef;
}

/** What the cluster said about the resource, the newest first. */
export function EventsPane({ id, resource }: EventsPaneProps) {
  const { data, error, refetch } = useQuery(eventsQuery(useApi(), id, resource));
  const now = useNow(5000);
  if (error && !data) {
    return (
      <div className="p-4">
        <Failure what="the events" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <Skeleton className="m-4 h-24" />;
  if (data.length === 0) {
    return (
      <Empty title="No events">
        <p>The cluster keeps events for about an hour; in that time it said nothing of this resource.</p>
      </Empty>
    );
  }
  return (
    <ul aria-label="Events, the newest first" className="text-sm">
      {data.map((event) => (
        <EventItem
          key={`${event.reason} ${event.lastSeen} ${event.object.name} ${event.message}`}
          event={event}
          nowMs={now}
        />
      ))}
    </ul>
  );
}

function EventItem({ event, nowMs }: { readonly event: EventRow; readonly nowMs: number }) {
  const age = ageOf(event.lastSeen ?? event.firstSeen, nowMs);
  const isWarning = event.type === 'Warning';
  return (
    <li className="border-b border-line px-4 py-2 last:border-b-0">
      <p className="flex items-baseline gap-2">
        <b className={classNames('font-semibold', isWarning && 'text-missing')}>
          {isWarning ? 'Warning: ' : ''}
          {event.reason}
        </b>
        {event.count > 1 ? <span className="text-xs text-muted">{event.count} times</span> : null}
        <span className="ml-auto shrink-0 text-xs text-muted">{age === undefined ? '' : shortAgo(age)}</span>
      </p>
      <p className="break-words">{visibleText(event.message)}</p>
      <p className="text-xs text-muted">
        {event.source ? `${event.source}, ` : ''}
        {event.object.kind} {event.object.name}
      </p>
    </li>
  );
}
