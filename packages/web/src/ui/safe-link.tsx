import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { safeUrl } from '../words/index.ts';

interface SafeLinkProps {
  /** From a report, an annotation, a repository: of anybody. */
  readonly url: string | undefined;
  readonly children?: ReactNode;
  /** The name of a link that is an icon alone. */
  readonly label?: string;
}

/** The one way to link to an address that others wrote: http, https and mailto become a link, all else stays text. */
export function SafeLink({ url, children, label }: SafeLinkProps) {
  const href = safeUrl(url);
  if (!href) return <>{children}</>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      {...(label ? { 'aria-label': label } : {})}
      className="text-accent underline-offset-2 hover:underline"
    >
      {children} <ExternalLink size={12} aria-hidden className="inline" />
    </a>
  );
}
