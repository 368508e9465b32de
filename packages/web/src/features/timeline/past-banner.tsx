import type { ApplicationId } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, History } from 'lucide-react';
import { timelineQuery } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { Button, StatusGlyph } from '../../ui/index.ts';
import { ageOf, longAgo, momentWords, shortRevision, statusWords } from '../../words/index.ts';
import { besideMoment } from './moments.ts';

interface PastBannerProps {
  readonly id: ApplicationId;
  readonly at: string;
  readonly onTravel: (at: string | undefined) => void;
}

/** Says that the past is shown, and walks from change to change. */
export function PastBanner({ id, at, onTravel }: PastBannerProps) {
  const { data } = useQuery(timelineQuery(useApi(), id));
  const { earlier, later } = besideMoment(at, data?.items ?? []);
  const shown = data?.items.find((moment) => Date.parse(moment.at) <= Date.parse(at));
  const ageMs = ageOf(at, useNow(1000)) ?? 0;
  return (
    <section
      aria-label="The past"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-suspended/40 bg-suspended-weak px-3 py-2 text-sm"
    >
      <History size={16} aria-hidden className="shrink-0 text-suspended" />
      <p role="status" className="min-w-0 flex-1 basis-60">
        <b className="font-semibold">The resources as they were {longAgo(ageMs)}</b>{' '}
        <time dateTime={at}>({momentWords(at)})</time>
        {shown?.health ? (
          <span className="ml-1 inline-flex items-center gap-1 align-bottom">
            <StatusGlyph health={shown.health} sync={shown.sync} size={14} silent />
            {statusWords(shown.health, shown.sync)}
            {shown.revision ? <span className="font-mono text-xs">{shortRevision(shown.revision)}</span> : null}
          </span>
        ) : null}
      </p>
      <span className="flex gap-2">
        <Button className="h-7!" isDisabled={!earlier} onPress={() => onTravel(earlier)}>
          <ChevronLeft size={14} aria-hidden /> Earlier change
        </Button>
        <Button className="h-7!" isDisabled={!later} onPress={() => onTravel(later)}>
          Later change <ChevronRight size={14} aria-hidden />
        </Button>
        <Button className="h-7!" kind="primary" onPress={() => onTravel(undefined)}>
          Back to now
        </Button>
      </span>
    </section>
  );
}
