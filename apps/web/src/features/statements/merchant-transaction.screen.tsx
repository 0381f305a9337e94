import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import { businessGroups } from '@nearhand/contract/statements';
import { useState } from 'react';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoney } from '../../lib/format.ts';
import { useMove } from '../../lib/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import '../../ui/desk.css';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import { BusinessPick } from '../businesses/business-pick.part.tsx';
import { useCurrentBusiness } from '../businesses/businesses.api.ts';
import { NoBusiness } from '../businesses/no-business.part.tsx';
import { BusinessLines } from './business-lines.tsx';
import { InvoicesList } from './invoices-list.tsx';
import { LineCard } from './line-card.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementFiles, saveLink } from './statement-files.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { StatementList } from './statement-list.tsx';
import { spanOf } from './statement-span.ts';
import { StatementTiles } from './statement-tiles.tsx';
import './statements.css';
import {
  type BusinessGroup,
  useBusinessLine,
  useBusinessStatement,
  useBusinessStatementLink,
  useInvoiceLink,
} from './statements.api.ts';
import { useStatementView } from './use-statement-view.ts';

const path = '/merchant-transaction';

/** Everything that moved a business's money: funding, holds, releases, fees, invoices. */
export default function MerchantTransactionScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  return (
    <Screen title={t`Statement`} heading={null} back="/tabs/menu/business" width="wide">
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your business`}
        describe={errorText}
        asOf={formatAgo}
      >
        {() =>
          business ? (
            <Statement business={business} />
          ) : (
            <NoBusiness>
              <Trans>What your business sets aside, pays and gets back will stand here.</Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

function Statement({ business }: { business: Business }) {
  const { t } = useLingui();
  const wide = useWide();
  const view = useStatementView(path, businessGroups);
  const [invoices, setInvoices] = useState(false);
  const [shownOf, setShownOf] = useState(business.id);
  // An entry belongs to its business; month and kind are kept for the next one.
  if (shownOf !== business.id) {
    setShownOf(business.id);
    view.set({ line: null, currency: undefined });
  }
  const { group, month, currency, line } = view;
  const filter = { group, ...spanOf(month), ...(currency ? { currency } : {}) };
  const query = useBusinessStatement(business.id, filter);
  const link = useBusinessStatementLink();
  const first = query.data?.pages[0];
  const money = (minor: number) => (first ? formatMoney(minor, first.currency) : '');
  const groups: { value: BusinessGroup; label: string }[] = [
    { value: 'all', label: t`All` },
    { value: 'funding', label: t`Funding` },
    { value: 'holds', label: t`Holds` },
    { value: 'releases', label: t`Releases` },
    { value: 'fees', label: t`Fees` },
  ];
  if (isApiError(query.error, 'business/not-allowed'))
    return (
      <EmptyState title={t`Not for your role`} level="h1">
        <Trans>Owners, managers and finance see the money of {business.name}. Ask one of them.</Trans>
      </EmptyState>
    );
  return (
    <>
      <div className="desk-head">
        <h1 className="h-xl grow">{t`Statement`}</h1>
        <BusinessPick />
        <Button kind="out" size="s" icon="receipt" onClick={() => setInvoices(true)}>
          {t`Invoices`}
        </Button>
        <StatementFiles ask={(format) => link.mutateAsync({ businessId: business.id, ...filter, format })} />
      </div>
      {first ? (
        <StatementTiles
          label={t`Totals`}
          tiles={[
            { label: t`Balance`, value: money(first.totals.balanceMinor) },
            { label: t`Held`, value: money(first.totals.heldMinor) },
            { label: t`Paid to people`, value: money(first.totals.paidMinor) },
            { label: t`Nearhand fees`, value: money(first.totals.feesMinor) },
          ]}
        />
      ) : null}
      <StatementFilters
        groups={groups}
        view={view}
        currency={first?.currency}
        currencies={first?.currencies ?? []}
        onChange={view.set}
      />
      <div className={line ? 'statement-cols' : undefined}>
        <QueryState
          query={query}
          loading={<RowsSkeleton count={6} />}
          errorTitle={t`We could not load the statement`}
          describe={errorText}
          asOf={formatAgo}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={
            group === 'all' && month === '' ? (
              <EmptyState title={t`Nothing here yet`}>
                <Trans>
                  Money you add, set aside for an offer or release will stand here, entry by entry.
                </Trans>
              </EmptyState>
            ) : (
              <EmptyState
                title={t`None of these`}
                actions={
                  <Button kind="ink" onClick={() => view.set({ group: 'all', month: '' })}>
                    {t`Show everything`}
                  </Button>
                }
              >
                <Trans>There are no entries of this kind in this time.</Trans>
              </EmptyState>
            )
          }
        >
          {({ pages }) => {
            const lines = pages.flatMap(({ items }) => items);
            const timeZone = pages[0]?.timeZone ?? 'UTC';
            return (
              <div className={query.isPlaceholderData ? 'stale' : undefined}>
                {wide ? (
                  <div className="card flush">
                    <BusinessLines
                      lines={lines}
                      timeZone={timeZone}
                      openId={line}
                      onOpen={({ id }) => view.set({ line: id === line ? null : id })}
                    />
                  </div>
                ) : (
                  <StatementList
                    lines={lines}
                    side="business"
                    timeZone={timeZone}
                    onOpen={({ id }) => view.set({ line: id })}
                  />
                )}
                <LoadMore query={query} />
                <p className="xs mute mt3">
                  <Trans>A release is paid from its hold, so your balance does not move.</Trans>{' '}
                  <Trans>All times {zoneName(timeZone)}.</Trans>
                </p>
              </div>
            );
          }}
        </QueryState>
        <LineCard open={line !== null} onClose={() => view.set({ line: null })}>
          {line ? <Detail key={line} businessId={business.id} id={line} /> : null}
        </LineCard>
      </div>
      <Sheet open={invoices} onClose={() => setInvoices(false)} title={t`Invoices and receipts`}>
        {invoices ? <InvoicesList businessId={business.id} /> : null}
      </Sheet>
    </>
  );
}

/** `Europe/Amsterdam` is Amsterdam to the people there. */
const zoneName = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

function Detail({ businessId, id }: { businessId: string; id: string }) {
  const { t } = useLingui();
  const query = useBusinessLine(businessId, id);
  const link = useInvoiceLink();
  const move = useMove(errorText);
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle={t`We could not load this line`}
      describe={errorText}
      asOf={formatAgo}
    >
      {(line) => (
        <>
          <StatementDetail
            line={line}
            side="business"
            end={
              line.documentId ? (
                <Button
                  kind="quiet"
                  size="s"
                  icon="file-pdf"
                  busy={move.busy}
                  onClick={() =>
                    void move.run(async () =>
                      saveLink(await link.mutateAsync({ invoiceId: line.documentId ?? '' })),
                    )
                  }
                >
                  {t`Invoice`}
                </Button>
              ) : null
            }
          />
          <Refused text={move.refusal} />
        </>
      )}
    </QueryState>
  );
}
