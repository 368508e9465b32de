import type { ApplicationSummary } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { useNow } from '../../services/index.ts';
import { Skeleton } from '../../ui/index.ts';
import { ageOf, longAgo } from '../../words/index.ts';
import { answerOf } from './answer.ts';

export function AnswerLine({ summary }: { readonly summary: ApplicationSummary | undefined }) {
  const now = useNow(10_000);
  if (!summary) return <Skeleton className="mt-2 w-80 max-w-full" />;
  const trouble = summary.newestTrouble;
  const age = ageOf(trouble?.since, now);
  return (
    <p>
      {answerOf(summary).map(({ text, isStrong }) => (isStrong ? <b key={text}>{text}</b> : text))}
      {trouble ? (
        <>
          {' '}
          Newest trouble:{' '}
          <Link
            to="/applications/$runtime/$namespace/$name"
            params={trouble.id}
            className="font-semibold text-text hover:text-accent hover:underline"
          >
            {trouble.id.name}
          </Link>{' '}
          in {trouble.id.runtime}
          {age === undefined ? '' : `, ${longAgo(age)}`}.
        </>
      ) : null}
    </p>
  );
}
