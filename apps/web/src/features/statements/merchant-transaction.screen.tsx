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
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import { BusinessPick } from '../businesses/business-pick.part.tsx';
import { useCurrentBusiness } from '../businesses/businesses.api.ts';
import { NoBusiness } from '../businesses/no-business.part.tsx';
import { BusinessLines } from './business-lines.tsx';
import { InvoicesList } from './invoices-list.tsx';
import { LoadedLine, StatementBody } from './statement-body.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementFiles, saveLink } from './statement-files.tsx';
import { StatementList } from './statement-list.tsx';
import {
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
  const query = useBusinessStatement(business.id, view.filter);
  const link = useBusinessStatementLink();
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
        <StatementFiles
          ask={(format) => link.mutateAsync({ businessId: business.id, ...view.filter, format })}
        />
      </div>
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
        tiles={({ totals, currency }) => [
          { label: t`Balance`, value: formatMoney(totals.balanceMinor, currency) },
          { label: t`Held`, value: formatMoney(totals.heldMinor, currency) },
          { label: t`Paid to people`, value: formatMoney(totals.paidMinor, currency) },
          { label: t`Nearhand fees`, value: formatMoney(totals.feesMinor, currency) },
        ]}
        errorTitle={t`We could not load the statement`}
        nothing={
          <EmptyState title={t`Nothing here yet`}>
            <Trans>Money you add, set aside for an offer or release will stand here, entry by entry.</Trans>
          </EmptyState>
        }
        noneText={<Trans>There are no entries of this kind in this time.</Trans>}
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
                  onOpen={({ id }) => view.set({ line: id === view.line ? null : id })}
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
            <p className="xs mute mt3">
              <Trans>A release is paid from its hold, so your balance does not move.</Trans>{' '}
              <Trans>All times {zoneName(timeZone)}.</Trans>
            </p>
          </>
        )}
      </StatementBody>
      <Sheet open={invoices} onClose={() => setInvoices(false)} title={t`Invoices and receipts`}>
        {invoices ? <InvoicesList businessId={business.id} /> : null}
      </Sheet>
    </>
  );
}

/** `Europe/Amsterdam` is Amsterdam to the people there. */
const zoneName = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

function Detail({ businessId, id, timeZone }: { businessId: string; id: string; timeZone: string }) {
  const { t } = useLingui();
  const link = useInvoiceLink();
  const move = useMove(errorText);
  return (
    <LoadedLine query={useBusinessLine(businessId, id)}>
      {(line) => (
        <>
          <StatementDetail
            line={line}
            side="business"
            timeZone={timeZone}
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
    </LoadedLine>
  );
}
