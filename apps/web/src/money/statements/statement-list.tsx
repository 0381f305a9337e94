import type { StatementLine } from '@nearhand/contract/money/statements';
import { formatMonth } from '../../lib/words/format.ts';
import { StatementRow } from './statement-row.tsx';
import { linesByMonth } from './statement-span.ts';

export function StatementList({
  lines,
  side,
  timeZone,
  isFees = false,
  onOpen,
}: {
  lines: readonly StatementLine[];
  side: 'worker' | 'business';
  timeZone: string;
  isFees?: boolean;
  onOpen: (line: StatementLine) => void;
}) {
  return linesByMonth(lines, timeZone).map(({ month, items }) => (
    <section key={month} className="statement-month" aria-label={formatMonth(month)}>
      <h2 className="label">{formatMonth(month)}</h2>
      <ul className="long">
        {items.map((line) => (
          <li key={line.id}>
            <StatementRow line={line} side={side} timeZone={timeZone} isFees={isFees} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  ));
}
