import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';

/** One line to be taken elsewhere. It breaks between words, not behind the hyphens of a flag. */
export function CopyLine({ value }: { readonly value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(value).then(() => setCopied(true));
  return (
    <span className="flex items-start gap-2">
      <code className="min-w-0 flex-1 rounded-md border border-line bg-bg px-2.5 py-1.5 font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap text-text">
        {value.split(' ').map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words of one text, which has no other order
          <span key={at}>
            {at > 0 ? ' ' : ''}
            <span className="inline-block max-w-full">{word}</span>
          </span>
        ))}
      </code>
      <Button onPress={copy}>
        {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {copied ? 'Copied' : 'Copy'}
      </Button>
    </span>
  );
}
