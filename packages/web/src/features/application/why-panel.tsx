import type { ApplicationDetail, ExplainedObject, Explanation, ExplanationLink, Remedy } from '@fairlead/contracts';
import { useQuery } from '@tanstack/react-query';
import { Copy, Search as SearchIcon } from 'lucide-react';
import { closerLookQuery } from '../../api/index.ts';
import { useApi, useNow } from '../../services/index.ts';
import { Button, Failure } from '../../ui/index.ts';
import { ageOf, longAge } from '../../words/index.ts';
import { explanationText, whyTitle } from './explanation-words.ts';
import { useActs } from './use-acts.ts';
import { useApplicationPage } from './use-application-page.ts';

interface WhyPanelProps {
  readonly detail: ApplicationDetail;
  readonly explanation: Explanation;
  readonly onSelect: (object: ExplainedObject) => void;
}

/** The chain of causes beside the tree, and what can be done about it. */
export function WhyPanel({ detail, explanation: reported, onSelect }: WhyPanelProps) {
  const closer = useQuery({ ...closerLookQuery(useApi(), detail.row.id), enabled: false });
  const explanation = closer.data ?? reported;
  const { headline, chain, remedies } = explanation;
  return (
    <aside
      aria-label="Why"
      className="flex w-[380px] shrink-0 flex-col gap-3 overflow-y-auto rounded-lg border border-line bg-surface p-4 max-lg:order-first max-lg:w-full"
    >
      <div>
        <h2 className="text-base font-semibold">{whyTitle(detail)}</h2>
        <p className="mt-0.5 text-sm">{headline}</p>
        <Since explanation={explanation} />
      </div>
      <ol className="flex flex-col">
        {chain.map((link) => (
          <ChainLink key={link.title} link={link} isLast={link === chain.at(-1)} onSelect={onSelect} />
        ))}
      </ol>
      <Remedies remedies={remedies} />
      {closer.error ? <Failure what="a closer look" error={closer.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button isPending={closer.isFetching} onPress={() => void closer.refetch()}>
          <SearchIcon size={14} aria-hidden /> {closer.data ? 'Look again' : 'Look closer: pods, events, logs'}
        </Button>
        <Button onPress={() => void navigator.clipboard.writeText(explanationText(detail, explanation))}>
          <Copy size={14} aria-hidden /> Copy explanation
        </Button>
      </div>
    </aside>
  );
}

function Since({ explanation: { since, actor } }: { readonly explanation: Explanation }) {
  const ageMs = ageOf(since, useNow(1000));
  const parts = [ageMs === undefined ? undefined : `for ${longAge(ageMs)}`, actor ? `caused by ${actor}` : undefined];
  const words = parts.filter(Boolean).join(', ');
  return words ? <p className="mt-0.5 text-xs text-muted">{words.charAt(0).toUpperCase() + words.slice(1)}</p> : null;
}

interface ChainLinkProps {
  readonly link: ExplanationLink;
  readonly isLast: boolean;
  readonly onSelect: (object: ExplainedObject) => void;
}

function ChainLink({ link: { title, detail, quote, object }, isLast, onSelect }: ChainLinkProps) {
  return (
    <li className="relative pb-3 pl-5.5 last:pb-0">
      <span aria-hidden className="absolute top-1.5 left-1 size-2 rounded-full bg-degraded" />
      {isLast ? null : <span aria-hidden className="absolute top-4 bottom-0 left-[7.5px] w-px bg-line" />}
      {object ? (
        <button
          type="button"
          onClick={() => onSelect(object)}
          className="max-w-full truncate text-left text-sm font-semibold hover:text-accent"
        >
          {title}
        </button>
      ) : (
        <p className="text-sm font-semibold">{title}</p>
      )}
      {detail ? <p className="text-sm break-words text-muted">{detail}</p> : null}
      {quote ? (
        <pre className="mt-1.5 overflow-x-auto rounded-md border border-line bg-bg px-2.5 py-2 font-mono text-xs break-words whitespace-pre-wrap">
          {quote}
        </pre>
      ) : null}
    </li>
  );
}

function Remedies({ remedies }: { readonly remedies: readonly Remedy[] }) {
  const { id, change } = useApplicationPage();
  const { refresh, terminate } = useActs(id);
  const acts: Partial<Record<Remedy['act'], () => void>> = {
    sync: () => change({ act: 'synchronize' }),
    'sync-with-prune': () => change({ act: 'synchronize' }),
    revert: () => change({ act: 'roll-back' }),
    refresh: () => refresh.mutate(),
    terminate: () => terminate.mutate(),
  };
  const buttons = remedies.flatMap((remedy) => {
    const run = acts[remedy.act];
    return run ? [{ remedy, run }] : [];
  });
  const hints = remedies.filter(({ act }) => !acts[act]);
  return (
    <>
      {hints.length > 0 ? (
        <ul aria-label="What to do" className="flex list-disc flex-col gap-1 pl-4.5 text-sm text-muted">
          {hints.map(({ title }) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      ) : null}
      {buttons.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {buttons.map(({ remedy, run }, at) => (
            <Button key={remedy.title} kind={at === 0 ? 'primary' : 'plain'} onPress={run}>
              {remedy.act === 'revert' ? `${remedy.title}…` : remedy.title}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
}
