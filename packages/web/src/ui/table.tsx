// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
import type { CSSProperties, ReactNode } from 'react';

interface TableProps {
  /** Says what the rows are; heard, not seen. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/**
 * A plain table in a frame that scrolls sideways by itself, so that the page never does. On a phone each row is a card:
 * what it is called, then each cell behind the title of its column.
 */
export function Table({ label, columns, children }: TableProps) {
  return (
    <section
      aria-label={label}
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table
        style={titlesForCards(columns)}
        className="table-of-cards w-full text-sm [&_tbody_td]:px-3 [&_tbody_td]:py-2 [&_tbody_td]:align-baseline [&_tbody_th]:align-baseline [&_tbody_th]:px-3 [&_tbody_th]:py-2 [&_tbody_th]:text-left [&_tbody_th]:font-semibold [&_tbody_tr]:border-b [&_tbody_tr]:border-line [&_tbody_tr:last-child]:border-b-0"
      >
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-faint">
            {columns.map((title) => (
              <th key={title} scope="col" className="h-9 px-3 font-normal whitespace-nowrap">
                {title.startsWith('(') ? <span className="sr-only">{title.slice(1, -1)}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** What the style sheet writes before the cells of each column; a title in parentheses is only heard, so it has none. */
function titlesForCards(columns: readonly string[]): CSSProperties {
  const titles = columns.map((title, index) => [
    [`--title-${index + 1}`, title.startsWith('(') ? 'none' : JSON.stringify(title)],
    [`--indent-${index + 1}`, title.startsWith('(') ? '0px' : '7.5rem'],
  ]);
  return Object.fromEntries(titles.flat());
}
