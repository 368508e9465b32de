import type { ApplicationRow, GitTokenWarning, RuntimeRow } from '@fairlead/contracts';
import { Link } from '@tanstack/react-router';
import { CircleX, KeyRound } from 'lucide-react';
import { idKey } from '../../live/index.ts';
import { classNames, healthColor, Panel, StatusGlyph } from '../../ui/index.ts';
import { ageOf, healthWord, shortAge, syncWord, visibleText } from '../../words/index.ts';

interface AttentionProps {
  readonly rows: readonly ApplicationRow[];
  readonly runtimes: readonly RuntimeRow[];
  readonly tokens: readonly GitTokenWarning[];
  readonly nowMs: number;
}

const lineClass = 'flex items-start gap-3 rounded-md px-2 py-1.5 hover:bg-surface-2 [&>svg]:mt-0.5';

/** What is not as it should be, the worst first; nothing when all is well. */
export function Attention({ rows, runtimes, tokens, nowMs }: AttentionProps) {
  const offline = runtimes.filter(({ status }) => status === 'offline');
  if (rows.length === 0 && offline.length === 0 && tokens.length === 0) return null;
  return (
    <Panel title="Needs attention">
      <ul className="-mx-2 -my-1 flex flex-col text-sm">
        {offline.map(({ name, lastHeardAt }) => (
          <li key={name}>
            <Link to="/runtimes" className={lineClass}>
              <CircleX size={16} aria-hidden className="shrink-0 text-degraded" />
              <span className="min-w-0 flex-1 truncate">
                Runtime <b className="font-semibold">{name}</b> is offline; what it runs is not known
              </span>
              <Age of={lastHeardAt} nowMs={nowMs} />
            </Link>
          </li>
        ))}
        {tokens.map(({ runtime, host, problem }) => (
          <li key={`${runtime} ${host}`}>
            <Link to="/settings/$section" params={{ section: 'git-tokens' }} className={lineClass}>
              <KeyRound size={16} aria-hidden className="shrink-0 text-missing" />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere] sm:truncate">
                Your Git token for <b className="font-semibold">{visibleText(host)}</b> in {runtime}
                <span className="text-muted">: {visibleText(problem)}</span>
              </span>
            </Link>
          </li>
        ))}
        {rows.map((row) => (
          <li key={idKey(row.id)}>
            <Link to="/applications/$runtime/$namespace/$name" params={row.id} className={lineClass}>
              <StatusGlyph health={row.health.status} sync={row.sync.status} silent />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere] sm:truncate">
                <b className="font-semibold">{visibleText(row.id.name)}</b> is{' '}
                <span className={classNames(row.health.status !== 'Healthy' && healthColor[row.health.status])}>
                  {row.health.status === 'Healthy' ? syncWord(row.sync.status) : healthWord(row.health.status)}
                </span>{' '}
                in {row.destination.cluster}
                {row.note ? <span className="text-muted">: {row.note}</span> : null}
              </span>
              <Age of={row.health.lastTransitionTime ?? row.changedAt} nowMs={nowMs} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Age({ of, nowMs }: { readonly of: string | undefined; readonly nowMs: number }) {
  const age = ageOf(of, nowMs);
  return <span className="shrink-0 text-xs text-muted">{age === undefined ? '' : shortAge(age)}</span>;
}
