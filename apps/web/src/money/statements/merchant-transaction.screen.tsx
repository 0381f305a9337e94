import { Trans, useLingui } from '@lingui/react/macro';
import { businessGroups } from '@nearhand/contract/money/statements.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatMoney, zoneCity } from '../../lib/words/format.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { chooseBusiness, useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { BankTransfer } from '../bank-transfers/bank-transfer.tsx';
import { Budgets } from '../budgets/budgets.tsx';
import {
  type DownloadLink,
  saveLink,
  useBusinessStatementLink,
  useInvoiceLink,
} from '../downloads/downloads.api.ts';
import { StatementFiles } from '../downloads/statement-files.tsx';
import { BusinessInvoices } from '../invoices/business-invoices.tsx';
import { ReceiptButton } from '../receipts/receipts-list.tsx';
import { BusinessLines } from './business-lines.tsx';
import { signedFee } from './statement.labels.ts';
import { LoadedLine, StatementBody } from './statement-body.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementList } from './statement-list.tsx';
import { businessStatement, useBusinessLine, useBusinessStatement } from './statements.api.ts';
import { useStatementView } from './use-statement-view.ts';

const path = '/merchant-transaction';

export default function BusinessTransactionScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  const view = useStatementView(path, businessGroups);
  const title = view.show === 'transfer' ? t`Add money by bank transfer` : t`Statement`;
  const linkedId = new URLSearchParams(useLocation().search).get('business');
  useEffect(() => {
    if (linkedId !== null) chooseBusiness(linkedId);
  }, [linkedId]);
  if (business && !mayOpen(business, '/merchant-transaction'))
    return <NotForRole business={business} screen="/merchant-transaction" title={title} />;
  return (
    <Screen title={title} heading={null} back="/tabs/menu/business" inMenu width="wide">
      {/* Only the business is on the device, never its money (ADR 34): its age would be that of nothing shown. */}
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your business`}
        ageShownAbove
      >
        {() =>
          business ? (
            <Statement business={business} view={view} title={title} />
          ) : (
            <NoBusiness>
              <Trans>What your business sets aside, pays and gets back will appear here.</Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

type BusinessView = ReturnType<typeof useStatementView<(typeof businessGroups)[number]>>;

function Statement({ business, view, title }: { business: Business; view: BusinessView; title: string }) {
  const { t } = useLingui();
  const [shownOf, setShownOf] = useState(business.id);
  // An entry belongs to one business, so switching closes it; month and kind are kept.
  if (shownOf !== business.id) {
    setShownOf(business.id);
    view.set({ line: null, currency: undefined });
  }
  const link = useBusinessStatementLink();
  return (
    <>
      <div className="desk-head">
        <h1 className="h-xl grow">{title}</h1>
        <BusinessPick />
        {view.show === 'entries' ? (
          <StatementFiles
            ask={(format) => link.mutateAsync({ businessId: business.id, ...view.filter, format })}
          />
        ) : null}
      </div>
      {view.show === 'transfer' ? null : (
        <Segmented
          label={t`View`}
          options={[
            { value: 'entries', label: t`Entries` },
            { value: 'invoices', label: t`Invoices` },
            {
              value: 'budgets',
              label: business.budgetRequests > 0 ? t`Budgets (${business.budgetRequests})` : t`Budgets`,
            },
          ]}
          value={view.show}
          onChange={(show) => view.set({ show, line: null })}
        />
      )}
      {view.show === 'invoices' ? <BusinessInvoices business={business} /> : null}
      {view.show === 'budgets' ? <Budgets key={business.id} business={business} /> : null}
      {view.show === 'transfer' ? <BankTransfer key={business.id} business={business} /> : null}
      {view.show === 'entries' ? <Entries business={business} view={view} /> : null}
    </>
  );
}

function Entries({ business, view }: { business: Business; view: BusinessView }) {
  const { t } = useLingui();
  const wide = useWide();
  const query = useBusinessStatement(business.id, view.filter);
  const first = query.data?.pages[0];
  const isFees = view.group === 'fees';
  return (
    <StatementBody
      view={view}
      groups={[
        { value: 'all', label: t`All` },
        { value: 'funding', label: t`Funding` },
        { value: 'holds', label: t`Holds` },
        { value: 'releases', label: t`Releases` },
        { value: 'fees', label: t`Fees` },
      ]}
      query={query}
      queryOf={(filter) => businessStatement(business.id, filter)}
      tiles={({ totals, currency }) =>
        [
          { label: t`Balance`, minor: totals.balanceMinor },
          { label: t`Credit owed`, minor: totals.creditOwedMinor },
          { label: t`Held`, minor: totals.heldMinor },
          { label: t`Paid to workers`, minor: totals.paidMinor },
          { label: t`Nearhand fees`, minor: totals.feesMinor },
        ].flatMap(({ label, minor }) =>
          minor === null ? [] : [{ label, value: formatMoney(minor, currency) }],
        )
      }
      errorTitle={t`We couldn't load the statement`}
      nothing={
        <EmptyState title={t`Nothing here yet`}>
          <Trans>Money you add, set aside or release will appear here.</Trans>
        </EmptyState>
      }
      noneText={<Trans>Nothing matches these filters.</Trans>}
      line={(id, timeZone) => <Detail key={id} businessId={business.id} id={id} timeZone={timeZone} />}
    >
      {(lines, timeZone) => (
        <>
          {wide ? (
            <div className="card flush">
              <BusinessLines
                lines={lines}
                timeZone={timeZone}
                openId={view.line}
                isFees={isFees}
                onOpen={({ id }) => view.set({ line: id === view.line ? null : id })}
              />
            </div>
          ) : (
            <StatementList
              lines={lines}
              side="business"
              timeZone={timeZone}
              isFees={isFees}
              onOpen={({ id }) => view.set({ line: id })}
            />
          )}
          {isFees && first ? (
            <SumRow
              total
              label={t`Nearhand fees`}
              value={signedFee({ feeMinor: first.totals.feesMinor, currency: first.currency })}
            />
          ) : null}
          <p className="xs mute mt3">
            {isFees ? null : <Trans>A release is paid from its hold, so your balance stays the same.</Trans>}{' '}
            <Trans>Times are in {zoneCity(timeZone)} time.</Trans>
          </p>
        </>
      )}
    </StatementBody>
  );
}

function Detail({ businessId, id, timeZone }: { businessId: string; id: string; timeZone: string }) {
  const { t } = useLingui();
  const invoice = useInvoiceLink();
  const action = useAction(errorText);
  const save = (link: Promise<DownloadLink>) => void action.run(async () => saveLink(await link));
  return (
    <LoadedLine query={useBusinessLine(businessId, id)}>
      {(line) => {
        const { invoiceId, invoiceNumber, receiptId } = line;
        return (
          <>
            <StatementDetail
              line={line}
              side="business"
              timeZone={timeZone}
              end={
                <div className="row g2 wrap">
                  {invoiceId ? (
                    <Button
                      kind="quiet"
                      size="s"
                      icon="file-pdf"
                      busy={action.busy}
                      onClick={() => save(invoice.mutateAsync({ invoiceId }))}
                    >
                      {t`Invoice ${invoiceNumber}`}
                    </Button>
                  ) : null}
                  {receiptId ? <ReceiptButton receiptId={receiptId} /> : null}
                </div>
              }
            />
            <Refused text={action.refusal} />
          </>
        );
      }}
    </LoadedLine>
  );
}
