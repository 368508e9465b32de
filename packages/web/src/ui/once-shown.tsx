import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface OnceShownProps {
  readonly title: string;
  readonly value: string;
  readonly children?: string;
}

/** A secret the server gives once: shown, copied, and never seen again. */
export function OnceShown({ title, value, children }: OnceShownProps) {
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(value).then(() => setCopied(true));
  return (
    <Notice kind="info" title={title}>
      {children}
      <span className="mt-2 flex items-center gap-2">
        <code className="min-w-0 flex-1 overflow-x-auto rounded-md border border-line bg-bg px-2.5 py-1.5 font-mono text-xs whitespace-nowrap text-text">
          {value}
        </code>
        <Button onPress={copy}>
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {copied ? 'Copied' : 'Copy'}
        </Button>
      </span>
    </Notice>
  );
}
