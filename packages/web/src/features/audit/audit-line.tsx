import type { AuditEntry } from '@fairlead/contracts';
import { Ban, ChevronDown, ChevronRight, CircleCheck, CircleX, Send } from 'lucide-react';
import { useState } from 'react';
import { Button, classNames } from '../../ui/index.ts';
import { momentWords, visibleText } from '../../words/index.ts';

const outcomes = {
  done: { icon: CircleCheck, color: 'text-healthy' },
  requested: { icon: Send, color: 'text-progressing' },
  failed: { icon: CircleX, color: 'text-degraded' },
  denied: { icon: Ban, color: 'text-missing' },
} as const;

export function AuditLine({ entry }: { readonly entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  const { icon: Icon, color } = outcomes[entry.outcome];
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <tr>
        <td className="whitespace-nowrap text-muted">
          <time dateTime={entry.at} title={entry.at}>
            {momentWords(entry.at)}
          </time>
        </td>
        <td className="max-w-48 truncate">{visibleText(entry.actor.name)}</td>
        <td className="font-mono text-xs whitespace-nowrap">{entry.action}</td>
        <td className="max-w-80 truncate" title={entry.entity.name}>
          <span className="text-muted">{entry.entity.kind}</span> {visibleText(entry.entity.name)}
        </td>
        <td className={classNames('whitespace-nowrap', color)}>
          <span className="glyph-line">
            <Icon size={14} aria-hidden /> {entry.outcome}
          </span>
        </td>
        <td className="w-10 py-0! text-right align-middle!">
          <Button
            kind="quiet"
            square
            aria-label={`Details of entry ${entry.number}`}
            aria-expanded={isOpen}
            onPress={() => setOpen(!isOpen)}
          >
            <Chevron size={14} aria-hidden />
          </Button>
        </td>
      </tr>
      {isOpen ? (
        <tr className="bg-bg">
          <td colSpan={6}>
            <pre className="font-mono text-xs break-all whitespace-pre-wrap">
              {JSON.stringify({ number: entry.number, ...entry.details }, null, 2)}
            </pre>
            <p className="mt-2 font-mono text-2xs break-all text-muted">
              {/* What came by a commit was no request. */}
              {entry.requestId ? `request ${entry.requestId}` : 'no request: it came by a commit'}
              <br />
              hash {entry.hash}
              <br />
              after {entry.previous}
            </p>
          </td>
        </tr>
      ) : null}
    </>
  );
}
