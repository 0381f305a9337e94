import { useRef, useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatNumber } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { api } from '../console-api.ts';
import { Page } from '../page.tsx';

type Imported = Awaited<ReturnType<typeof api.bankTransfers.importStatement>>;

const importOnce = sendOnce('bankTransfers.importStatement', api.bankTransfers.importStatement);

/** The first issue of a refused file is in English and names the entry. */
const refusal = (error: unknown): string => {
  const issues: unknown = isApiError(error, 'request/invalid') ? error.data?.issues : null;
  const [issue] = Array.isArray(issues) ? (issues as { path?: string; message?: string }[]) : [];
  return issue?.path === 'file' && issue.message ? issue.message : errorText(error);
};

/** Imports statements of our bank account, for finance. */
export function BankTransfersPage() {
  const action = useAction(refusal);
  const input = useRef<HTMLInputElement>(null);
  const [imported, setImported] = useState<{ name: string; result: Imported } | null>(null);
  const load = ([file]: File[]) =>
    void action.run(async () => {
      if (!file) return;
      setImported(null);
      const result = await importOnce({ file });
      setImported({ name: file.name, result });
      await queryClient.invalidateQueries();
    });
  return (
    <Page title="Bank transfers" lead="Money that businesses send to our bank account for their balance.">
      <FactsCard title="Import a statement">
        <p className="sm mute">
          A CAMT.053 file in XML from our bank. Each entry is booked once, so you can import a file again, or
          one that overlaps with another.
        </p>
        <Refused text={action.refusal} />
        <FileInput
          ref={input}
          accept={['.xml', 'text/xml', 'application/xml']}
          testId="statement"
          onFiles={load}
        />
        <Button
          kind="ink"
          icon="upload-simple"
          className="mt3"
          busy={action.busy}
          onClick={() => input.current?.click()}
        >
          Choose a file
        </Button>
      </FactsCard>
      {imported ? (
        <FactsCard title={imported.name}>
          <Facts
            rows={[
              ['On balances', formatNumber(imported.result.credited)],
              ['Without a business', formatNumber(imported.result.unmatched)],
              ['Taken from our account, not booked', formatNumber(imported.result.outgoing)],
              ['Imported before', formatNumber(imported.result.repeated)],
              ['Without money or not booked yet', formatNumber(imported.result.skipped)],
            ]}
          />
          {imported.result.unmatched > 0 ? (
            <p className="mt3">
              <Link className="link hit" to="/cases?kind=bank_payment">
                Open their cases
              </Link>
            </p>
          ) : null}
        </FactsCard>
      ) : null}
    </Page>
  );
}
