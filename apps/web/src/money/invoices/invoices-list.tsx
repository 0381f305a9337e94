import { useLingui } from '@lingui/react/macro';
import type { Invoice } from '@nearhand/contract/money/invoices';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { pages, unkept } from '../../lib/api/query-options.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatDay, formatMoney, joined, ownTimeZone } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { saveLink, useInvoiceLink } from '../downloads/downloads.api.ts';

export function InvoicesList({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const query = useInvoices(businessId);
  const link = useInvoiceLink();
  const move = useMove(errorText);
  const save = ({ id }: Invoice) =>
    void move.run(async () => saveLink(await link.mutateAsync({ invoiceId: id })));
  return (
    <div className="col g3">
      <Refused text={move.refusal} />
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load the invoices`}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="mute">{t`You'll get an invoice each time pay is released.`}</p>}
      >
        {({ pages }) => (
          <>
            <ul>
              {pages
                .flatMap(({ items }) => items)
                .map((invoice) => (
                  <li key={invoice.id}>
                    <ListRow
                      lead={<IconSign icon="file-pdf" />}
                      title={
                        invoice.kind === 'invoice'
                          ? t`Invoice ${invoice.number}`
                          : t`Receipt ${invoice.number}`
                      }
                      note={joined(invoice.party, invoice.about, formatDay(invoice.issuedAt, ownTimeZone()))}
                      end={
                        <span className="num strong">
                          {formatMoney(invoice.totalMinor, invoice.currency)}
                        </span>
                      }
                      needsNetwork
                      onClick={() => save(invoice)}
                    />
                  </li>
                ))}
            </ul>
            <LoadMore query={query} />
            <HelpLink article="invoices">{t`What's on an invoice`}</HelpLink>
          </>
        )}
      </QueryState>
    </div>
  );
}

function useInvoices(businessId: string | undefined) {
  return useInfiniteQuery(
    apiQuery.invoices.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        businessId: businessId ?? '',
        ...(cursor ? { cursor } : {}),
      }),
      ...pages,
      enabled: Boolean(businessId),
      ...unkept,
    }),
  );
}
