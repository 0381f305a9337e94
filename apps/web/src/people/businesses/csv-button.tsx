import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Page } from '@nearhand/contract/operation';
import { errorText } from '../../lib/api/error.labels.ts';
import { savesFiles } from '../../lib/device/platform.ts';
import { type CsvCell, csvOf } from '../../lib/forms/csv.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatNumber } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

const pageRows = 100;
const maxRows = 5_000;

type CsvProps<Item> = {
  /** The file's name, without its ending. */
  fileName: string;
  head: readonly string[];
  /** Reads a page of at most `limit` rows of the list as it is filtered now. */
  read: (page: { cursor: string | undefined; limit: number }) => Promise<Page<Item>>;
  rowOf: (item: Item) => readonly CsvCell[];
};

/** Saves a whole list of a business as CSV, not only the rows that are loaded. */
export function CsvButton<Item>({ fileName, head, read, rowOf }: CsvProps<Item>) {
  const action = useAction(errorText);
  if (!savesFiles()) return null;
  const save = async () => {
    const rows: (readonly CsvCell[])[] = [head];
    let cursor: string | undefined;
    do {
      const page = await read({ cursor, limit: pageRows });
      rows.push(...page.items.map(rowOf));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && rows.length <= maxRows);
    saveBlob(csvOf(rows.slice(0, maxRows + 1)), `${fileName}.csv`);
    if (cursor !== undefined || rows.length > maxRows + 1)
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
