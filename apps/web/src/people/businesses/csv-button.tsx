import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Page } from '@nearhand/contract/operation';
import { errorText } from '../../lib/api/error.labels.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatNumber } from '../../lib/words/format.ts';
import { clockIn } from '../../lib/words/zoned-time.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

const pageRows = 100;
const maxRows = 5_000;

type Cell = string | number | null;

type CsvProps<Item> = {
  /** The file's name, without its ending. */
  fileName: string;
  head: readonly string[];
  /** Reads a page of at most `limit` rows of the list as it is filtered now. */
  read: (page: { cursor: string | undefined; limit: number }) => Promise<Page<Item>>;
  rowOf: (item: Item) => readonly Cell[];
};

/** Saves a whole list of a business as CSV, not only the rows that are loaded. */
export function CsvButton<Item>({ fileName, head, read, rowOf }: CsvProps<Item>) {
  const action = useAction(errorText);
  const save = async () => {
    const rows: (readonly Cell[])[] = [head];
    let cursor: string | undefined;
    do {
      const page = await read({ cursor, limit: pageRows });
      rows.push(...page.items.map(rowOf));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && rows.length <= maxRows);
    saveBlob(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }), `${fileName}.csv`);
    if (cursor !== undefined)
      showToast(t`The file has the first ${formatNumber(maxRows)} rows. Narrow the list to save the others.`);
  };
  return (
    <div className="mt4">
      <Button
        kind="text"
        size="s"
        icon="download-simple"
        busy={action.busy}
        needsNetwork
        onClick={() => void action.run(save)}
      >
        <Trans>Save list as CSV</Trans>
      </Button>
      <Refused text={action.refusal} />
    </div>
  );
}

/** A day and time by the clock of a place, in a form that spreadsheets read as a date. */
export function csvTime(instant: string | null, timeZone: string): string | null {
  if (instant === null) return null;
  const { day, time } = clockIn(instant, timeZone);
  return `${day} ${time.slice(0, 5)}`;
}

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  // A spreadsheet runs what begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Begins with a byte order mark: without it, Excel reads UTF-8 as its own code page. */
const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cellText).join(',')).join('\r\n')}\r\n`;
