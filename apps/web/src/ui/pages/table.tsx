import type { ReactNode } from 'react';

export type Column<Row> = {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  number?: boolean;
};

type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  selected?: (row: Row) => boolean;
  density?: 'normal' | 'tight' | 'jobs';
};

/** Business lists on a desktop: numbers right, one badge per row. Scrolls sideways instead of squeezing. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  selected,
  density = 'normal',
}: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className="table-scroll" aria-label={caption} tabIndex={0}>
      <table className={density === 'normal' ? 'tbl' : `tbl ${density}`}>
        <caption className="vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={column.number ? 'r' : undefined}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={selected?.(row) ? 'sel' : undefined}>
              {columns.map((column) => (
                <td key={column.key} className={column.number ? 'r' : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
