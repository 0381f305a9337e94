import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Invoice, InvoiceFormat } from '@nearhand/contract/money/invoices';
import type { Business } from '@nearhand/contract/people/businesses';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatCalendarDay, formatMoney, formatMonth, formatShare, joined } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { saveLink, useInvoiceLink, useMonthLink } from '../downloads/downloads.api.ts';
import { ReceiptsList } from '../receipts/receipts-list.tsx';
import { spanChoices } from '../statements/statement-span.ts';
import { DownloadButtons, MonthWorkerInvoices } from '../worker-invoices/worker-invoices.tsx';

const monthLength = '2026-11'.length;

/** Our invoices to a business for the fee, uninvoiced fees, and the receipts of its payments. */
export function BusinessInvoices({ business }: { business: Business }) {
  const { t } = useLingui();
  const wide = useWide();
  const query = useInvoices(business.id);
  const link = useInvoiceLink();
  const action = useAction(errorText);
  const save = ({ id }: Invoice, format: InvoiceFormat) =>
    void action.run(async () => saveLink(await link.mutateAsync({ invoiceId: id, format })));
  const uninvoiced = query.data?.pages[0]?.uninvoiced ?? [];
  return (
    <div className="col g4 mt4">
      <InvoiceFacts business={business} />
      <MonthDownload business={business} />
      {uninvoiced.length > 0 ? <Uninvoiced businessId={business.id} fees={uninvoiced} /> : null}
      <section className="card p5" aria-labelledby="invoices">
        <h2 className="h-s" id="invoices">{t`Nearhand's invoices`}</h2>
        <p className="sm mute">
          <Trans>For our fee, after each month: as PDF (Factur-X), UBL or CII.</Trans>
        </p>
        <div className="mt2">
          <HelpLink article="invoices">{t`What's on an invoice`}</HelpLink>
        </div>
        <Refused text={action.refusal} />
        <QueryState
          query={query}
          loading={<RowsSkeleton count={3} />}
          errorTitle={t`We couldn't load the invoices`}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={<p className="mute mt3">{t`Your first invoice comes after the first month with pay.`}</p>}
        >
          {({ pages }) => {
            const invoices = pages.flatMap(({ items }) => items);
            const list = { invoices, onSave: save };
            return (
              <>
                {wide ? <InvoiceTable {...list} /> : <InvoiceRows {...list} />}
                <LoadMore query={query} />
              </>
            );
          }}
        </QueryState>
      </section>
      <WorkerInvoices business={business} />
      <section className="card p5" aria-labelledby="receipts">
        <h2 className="h-s" id="receipts">{t`Pay receipts`}</h2>
        <p className="sm mute">
          <Trans>For each payment to a worker, without our fee.</Trans>
        </p>
        <ReceiptsList businessId={business.id} />
      </section>
    </div>
  );
}

/** All documents of a month in one file, for the accountant. */
function MonthDownload({ business }: { business: Business }) {
  const { t } = useLingui();
  const picked = usePickedMonth();
  const month = picked.value;
  const link = useMonthLink();
  const action = useAction((error) =>
    isApiError(error, 'statement/not-found')
      ? t`There are no invoices or receipts for ${formatMonth(month)}.`
      : errorText(error),
  );
  const save = () =>
    void action.run(async () => saveLink(await link.mutateAsync({ businessId: business.id, month })));
  return (
    <section className="card p5" aria-labelledby="month-documents">
      <h2 className="h-s" id="month-documents">{t`Monthly documents for your accountant`}</h2>
      <p className="sm mute">
        <Trans>
          Every invoice (PDF and XML), credit note, worker’s invoice and pay receipt in one ZIP, with an
          index.
        </Trans>
      </p>
      <div className="row g2 wrap mt3">
        <PickButton label={t`Month`} {...picked} />
        <Button kind="out" size="s" icon="download-simple" busy={action.busy} needsNetwork onClick={save}>
          {t`Download all`}
        </Button>
      </div>
      <Refused text={action.refusal} />
    </section>
  );
}

/** Invoices for self-employed work. */
function WorkerInvoices({ business }: { business: Business }) {
  const { t } = useLingui();
  const picked = usePickedMonth();
  const month = picked.value;
  return (
    <section className="card p5" aria-labelledby="worker-invoices">
      <h2 className="h-s" id="worker-invoices">{t`Workers’ invoices`}</h2>
      <p className="sm mute">
        <Trans>
          For self-employed work, in the workers’ names. A pro forma isn’t an invoice: the worker sends you
          their own.
        </Trans>
      </p>
      <div className="row g2 wrap mt3">
        <PickButton label={t`Month`} {...picked} />
      </div>
      <MonthWorkerInvoices key={month} business={business} month={month} />
    </section>
  );
}

/** The month of a list of documents, at first the last one: this month's are not complete. */
function usePickedMonth() {
  const options = spanChoices(new Date()).filter(({ value }) => value.length === monthLength);
  const [value, onChange] = useState(options[1]?.value ?? '');
  return { value, options, onChange };
}

/** Asks for facts that the business's invoices still lack. */
function InvoiceFacts({ business }: { business: Business }) {
  const { t } = useLingui();
  if (business.registeredTown !== '' && business.vatId !== '') return null;
  return (
    <Banner
      tone="wait"
      icon="info"
      action={
        <ButtonLink kind="out" size="s" to="/edit-business">
          {t`Add details`}
        </ButtonLink>
      }
    >
      {business.registeredTown === '' ? (
        <Trans>Add your registered address, so that it is on your next invoice.</Trans>
      ) : (
        <Trans>Add your VAT id if you have one. Without it, an invoice may include VAT.</Trans>
      )}
    </Banner>
  );
}

function Uninvoiced({
  businessId,
  fees,
}: {
  businessId: string;
  fees: { feeMinor: number; currency: Invoice['currency'] }[];
}) {
  const { t } = useLingui();
  const issue = useMutation({
    mutationFn: sendOnce('invoices.issue', api.invoices.issue),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiQuery.invoices.key() }),
  });
  const action = useAction(errorText);
  const amounts = joined(...fees.map(({ feeMinor, currency }) => formatMoney(feeMinor, currency)));
  const ask = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Issue an invoice for ${amounts}?`,
      message: t`It includes this month so far. An invoice can't be undone or changed. Without this, it comes after the month ends.`,
      buttons: [
        { value: 'issue', label: t`Issue invoice` },
        { value: 'later', label: t`Not now` },
      ],
    });
    if (choice === 'issue' && (await action.run(() => issue.mutateAsync({ businessId }))))
      showToast(t`The invoice for ${amounts} is issued.`);
  };
  return (
    <section className="card p5" aria-label={t`Not invoiced yet`}>
      <div className="row g3 wrap">
        <div className="grow">
          <p className="sm mute">{t`Not invoiced yet`}</p>
          <p className="h-s num">{amounts}</p>
        </div>
        <Button kind="out" size="s" busy={action.busy} needsNetwork onClick={() => void ask()}>
          {t`Issue invoice now`}
        </Button>
      </div>
      <Refused text={action.refusal} />
    </section>
  );
}

type ListProps = {
  invoices: Invoice[];
  onSave: (invoice: Invoice, format: InvoiceFormat) => void;
};

function InvoiceTable({ invoices, onSave }: ListProps) {
  const { t } = useLingui();
  return (
    <Table
      caption={t`Nearhand's invoices`}
      density="tight"
      rows={invoices}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'number',
          head: t`Number`,
          cell: (invoice) => (
            <>
              <span className="nowrap">{invoice.number}</span>
              {invoice.corrects ? <p className="xs mute">{t`Corrects ${invoice.corrects}`}</p> : null}
            </>
          ),
        },
        { key: 'issued', head: t`Issued`, cell: ({ issuedOn }) => formatCalendarDay(issuedOn) },
        { key: 'month', head: t`Month`, cell: ({ from }) => formatMonth(from.slice(0, 7)) },
        {
          key: 'net',
          head: t`Net`,
          number: true,
          cell: ({ netMinor, currency }) => formatMoney(netMinor, currency),
        },
        {
          key: 'category',
          head: t`VAT category`,
          cell: (invoice) => <span className="mute">{vatText(invoice)}</span>,
        },
        {
          key: 'vat',
          head: t`VAT`,
          number: true,
          cell: ({ vatMinor, currency }) => formatMoney(vatMinor, currency),
        },
        {
          key: 'total',
          head: t`Total`,
          number: true,
          cell: ({ totalMinor, currency }) => (
            <span className="strong">{formatMoney(totalMinor, currency)}</span>
          ),
        },
        { key: 'state', head: t`State`, cell: (invoice) => <InvoiceState invoice={invoice} /> },
        {
          key: 'download',
          head: <span className="vh">{t`Download`}</span>,
          number: true,
          cell: (invoice) => (
            <div className="row g2 end">
              <DownloadButtons
                number={invoice.number}
                formats={['pdf', 'xml', 'cii']}
                onPress={(format) => onSave(invoice, format)}
              />
            </div>
          ),
        },
      ]}
    />
  );
}

function InvoiceRows({ invoices, onSave }: ListProps) {
  const { t } = useLingui();
  return (
    <ul>
      {invoices.map((invoice) => (
        <li key={invoice.id}>
          <ListRow
            lead={<IconSign icon="file-pdf" />}
            title={invoice.number}
            note={joined(
              invoice.corrects ? t`Corrects ${invoice.corrects}` : formatMonth(invoice.from.slice(0, 7)),
              formatCalendarDay(invoice.issuedOn),
              vatText(invoice),
            )}
            end={<span className="num strong">{formatMoney(invoice.totalMinor, invoice.currency)}</span>}
            needsNetwork
            onClick={() => onSave(invoice, 'pdf')}
          />
          <div className="invoice-acts">
            <DownloadButtons
              number={invoice.number}
              formats={['xml', 'cii']}
              onPress={(format) => onSave(invoice, format)}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

function InvoiceState({ invoice }: { invoice: Invoice }) {
  const { t } = useLingui();
  return invoice.credited ? <Badge>{t`Corrected`}</Badge> : <Badge tone="good">{t`Issued`}</Badge>;
}

/** Each rate, or why there is none (UNCL 5305: AE, E, Z, O). */
const vatText = ({ vat }: Invoice): string =>
  joined(
    ...vat.map(({ category, rateBasisPoints }) => {
      if (category === 'AE') return t`Reverse charge`;
      if (category === 'E') return t`Exempt`;
      if (category === 'Z') return t`Zero-rated`;
      return category === 'O' ? t`Not subject to VAT` : formatShare(rateBasisPoints);
    }),
  );

const useInvoices = (businessId: string) =>
  useInfiniteQuery(
    apiQuery.invoices.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ businessId, cursor }),
      ...pages,
      ...neverPersist,
    }),
  );
