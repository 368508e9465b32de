// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by hand, which table elements do not survive in all browsers
// biome-ignore-all lint/a11y/useFocusableInteractive: a plain table's rows and headers take no focus; their links do
import { classNames } from '../../ui/index.ts';

const columns = [
  { title: 'Chosen', className: 'sr-only' },
  { title: 'Status', className: 'sr-only' },
  { title: 'Name', className: '' },
  { title: 'Where', className: 'max-[699px]:hidden' },
  { title: 'Last change', className: 'max-[1023px]:hidden' },
  { title: 'Revision', className: 'max-[1023px]:hidden' },
  { title: 'By', className: 'max-[1319px]:hidden' },
  { title: 'Age', className: 'max-[1319px]:hidden' },
  { title: 'Version', className: 'max-[1319px]:hidden' },
  { title: 'What is going on', className: 'max-[699px]:hidden' },
] as const;

export function TableHead() {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 rounded-t-lg bg-surface">
      <div role="row" aria-rowindex={1} className="application-columns h-9 border-b border-line text-xs text-faint">
        {columns.map(({ title, className }) => (
          <div
            key={title}
            role="columnheader"
            className={classNames('truncate pr-4', className !== 'sr-only' && className)}
          >
            {className === 'sr-only' ? <span className="sr-only">{title}</span> : title}
          </div>
        ))}
      </div>
    </div>
  );
}
