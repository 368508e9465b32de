import { CopyLine } from './copy-line.tsx';
import { Notice } from './notice.tsx';

interface OnceShownProps {
  readonly title: string;
  readonly value: string;
  readonly children?: string;
}

/** A secret the server gives once: shown, copied, and never seen again. */
export function OnceShown({ title, value, children }: OnceShownProps) {
  return (
    <Notice kind="info" title={title}>
      {children}
      <span className="mt-2 block">
        <CopyLine value={value} />
      </span>
    </Notice>
  );
}
