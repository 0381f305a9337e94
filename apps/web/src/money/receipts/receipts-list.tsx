import { useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { Receipt } from '@nearhand/contract/money/receipts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDay, formatMoney, formatMonth, joined, ownTimeZone } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { saveLink, useReceiptLink } from '../downloads/downloads.api.ts';

export function ReceiptsList({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const query = useReceipts(businessId);
  const link = useReceiptLink();
  const action = useAction(errorText);
  const save = ({ id }: Receipt) =>
    void action.run(async () => saveLink(await link.mutateAsync({ receiptId: id })));
  return (
    <div className="col g3">
      <Refused text={action.refusal} />
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load the receipts`}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="mute">{t`You'll get a receipt each time you pay someone.`}</p>}
      >
        {({ pages }) => (
          <>
            {byMonth(pages.flatMap(({ items }) => items)).map(([month, receipts]) => (
              <section key={month} aria-label={formatMonth(month)}>
                <h3 className="label mt2">{formatMonth(month)}</h3>
                <ul>
                  {receipts.map((receipt) => (
                    <li key={receipt.id}>
                      <ListRow
                        lead={<IconSign icon="file-pdf" />}
                        title={t`Receipt ${receipt.number}`}
                        note={joined(
                          receipt.party,
                          receipt.about,
                          formatDay(receipt.issuedAt, ownTimeZone()),
                        )}
                        end={
                          <span className="num strong">
                            {formatMoney(receipt.amountMinor, receipt.currency)}
                          </span>
                        }
                        needsNetwork
                        onClick={() => save(receipt)}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </div>
  );
}

/** Receipts under the month of their issue (YYYY-MM), in their order. */
function byMonth(receipts: readonly Receipt[]): [month: string, receipts: Receipt[]][] {
  const months = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const month = dayIn(ownTimeZone(), receipt.issuedAt).slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), receipt]);
  }
  return [...months];
}

export function ReceiptButton({ receiptId }: { receiptId: string }) {
  const { t } = useLingui();
  const link = useReceiptLink();
  const action = useAction(errorText);
  return (
    <>
      <Button
        kind="quiet"
        size="s"
        icon="file-pdf"
        busy={action.busy}
        needsNetwork
        onClick={() => void action.run(async () => saveLink(await link.mutateAsync({ receiptId })))}
      >
        {t`Receipt`}
      </Button>
      <Refused text={action.refusal} />
    </>
  );
}

function useReceipts(businessId: string) {
  return useInfiniteQuery(
    apiQuery.receipts.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        businessId,
        cursor,
      }),
      ...pages,
      ...neverPersist,
    }),
  );
}
