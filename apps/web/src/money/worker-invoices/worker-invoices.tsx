import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { workerInvoicesPath } from '@nearhand/contract/app-paths';
import { dayIn } from '@nearhand/contract/durations';
import type { InvoiceFormat } from '@nearhand/contract/money/invoices';
import type { InvoiceSetup, TaxDetails, WorkerInvoice } from '@nearhand/contract/money/worker-invoices';
import {
  hasVatRules,
  isProForma,
  mayBeReplaced,
  type ObjectionReason,
  objectionReasons,
  selfBillingVersion,
} from '@nearhand/contract/money/worker-invoices.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import {
  formatCalendarDay,
  formatDay,
  formatMoney,
  formatMonth,
  joined,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { ListRow, SumRow } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { saveLink, useWorkerInvoiceLink } from '../downloads/downloads.api.ts';
import { TaxOfficeCard } from '../seller-reports/tax-office.tsx';
import { refetchWorkerInvoices, TaxDetailsForm } from './tax-details-form.tsx';

const selfBillingPath = '/user-transaction?show=agreement';
const supportPath = `/tabs/menu/contact?from=${encodeURIComponent(workerInvoicesPath)}`;

/** A worker's tax details, the agreement on invoices in their name, and the documents issued so far. */
export function MyInvoices() {
  const { t } = useLingui();
  const setup = useQuery(apiQuery.workerInvoices.setup.queryOptions({ input: {}, ...neverPersist }));
  const [editing, setEditing] = useState(false);
  const query = useInfiniteQuery(
    apiQuery.workerInvoices.mine.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      ...pages,
      ...neverPersist,
    }),
  );
  return (
    <div className="col g4 mt4">
      <QueryState
        query={setup}
        loading={<RowsSkeleton count={2} />}
        errorTitle={t`We couldn't load your tax details`}
      >
        {(data) => <Setup setup={data} onEdit={() => setEditing(true)} />}
      </QueryState>
      <TaxOfficeCard />
      <section className="card p5" aria-labelledby="my-invoices">
        <h2 className="h-s" id="my-invoices">{t`Your documents`}</h2>
        <p className="sm mute">
          <Trans>For self-employed work, after each month: as PDF (Factur-X), UBL or CII.</Trans>
        </p>
        <QueryState
          query={query}
          loading={<RowsSkeleton count={3} />}
          errorTitle={t`We couldn't load your documents`}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={
            <p className="mute mt3">{t`Your first one comes after the first month with self-employed work.`}</p>
          }
        >
          {({ pages }) => (
            <>
              <WorkerInvoiceRows
                invoices={pages.flatMap(({ items }) => items)}
                side="worker"
                setup={setup.data}
                onEditDetails={() => setEditing(true)}
              />
              <LoadMore query={query} />
            </>
          )}
        </QueryState>
      </section>
      <Sheet open={editing} onClose={() => setEditing(false)} title={t`Tax details`}>
        {editing && setup.data ? (
          <TaxDetailsForm details={setup.data.details} onDone={() => setEditing(false)} />
        ) : null}
      </Sheet>
    </div>
  );
}

/** True if new documents of the worker are invoices, not pro formas. */
const mayInvoice = (setup: InvoiceSetup | undefined): boolean =>
  setup !== undefined &&
  setup.agreement !== null &&
  setup.details !== null &&
  setup.details.vatStatus !== 'unsure';

function Setup({ setup, onEdit }: { setup: InvoiceSetup; onEdit: () => void }) {
  const { t } = useLingui();
  const { details, agreement } = setup;
  return (
    <section className="card p5" aria-labelledby="tax-details">
      <h2 className="h-s" id="tax-details">{t`Tax details`}</h2>
      {details === null ? (
        <p className="mute">
          <Trans>Your invoices need your legal name, your address and a tax number.</Trans>
        </p>
      ) : (
        <>
          <p>{details.legalName}</p>
          <p className="sm mute">
            {joined(
              details.street,
              `${details.postcode} ${details.town}`.trim(),
              details.vatId || details.taxNumber,
            )}
          </p>
          {details.vatStatus === 'unsure' && hasVatRules(details.countryCode) ? (
            <Banner tone="wait" icon="info">
              <Trans>Are you registered for VAT? Until you answer, you get pro formas and no invoices.</Trans>
            </Banner>
          ) : (
            <p className="sm mute">{vatText(details)}</p>
          )}
        </>
      )}
      <div className="row g2 wrap mt3">
        <Button kind="out" size="s" onClick={onEdit}>
          {details === null ? t`Add tax details` : t`Edit tax details`}
        </Button>
      </div>
      {details === null ? null : <Agreement agreement={agreement} />}
    </section>
  );
}

function vatText({ countryCode, vatStatus }: TaxDetails): string {
  if (!hasVatRules(countryCode))
    return vatStatus === 'unsure'
      ? t`You get pro formas and write your own invoices: ours can’t show your country’s VAT.`
      : t`Your invoices have no VAT.`;
  return vatStatus === 'exempt'
    ? t`Small-business scheme: no VAT on your invoices.`
    : t`VAT is part of what you were paid, not added to it.`;
}

function Agreement({ agreement }: Pick<InvoiceSetup, 'agreement'>) {
  const { t } = useLingui();
  const end = useMutation({
    mutationFn: sendOnce('workerInvoices.endAgreement', api.workerInvoices.endAgreement),
    onSettled: refetchWorkerInvoices,
  });
  const action = useAction(errorText);
  const askToEnd = async () => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Write your own invoices?`,
      message: t`From now on, you get a pro forma to write your own invoice from. Issued invoices stay.`,
      buttons: [
        { value: 'end', label: t`End the agreement` },
        { value: 'keep', label: t`Keep it` },
      ],
    });
    if (choice === 'end') await action.run(() => end.mutateAsync({}));
  };
  if (agreement === null)
    return (
      <>
        <h3 className="h-s mt5">{t`Let us write your invoices`}</h3>
        <p className="mute">
          <Trans>
            Nearhand can issue your invoices in your name after each month (self-billing). You can object to
            each one, and end this at any time.
          </Trans>
        </p>
        <div className="row g2 wrap mt3">
          <ButtonLink kind="ink" size="s" to={selfBillingPath}>
            {t`Read the agreement`}
          </ButtonLink>
        </div>
      </>
    );
  const isCurrent = agreement.version === selfBillingVersion;
  const day = formatDay(agreement.agreedAt, ownTimeZone());
  return (
    <>
      <h3 className="h-s mt5">{t`We write your invoices`}</h3>
      <p className="mute">{t`You agreed on ${day} (version ${agreement.version}). You can object to each invoice for seven days.`}</p>
      {isCurrent ? null : (
        <Banner tone="wait" icon="info">
          <Trans>The agreement has changed. Please read the new version and agree to it.</Trans>
        </Banner>
      )}
      <div className="row g2 wrap mt3">
        <ButtonLink kind={isCurrent ? 'out' : 'ink'} size="s" to={selfBillingPath}>
          {t`Read the agreement`}
        </ButtonLink>
        <Button kind="text" size="s" busy={action.busy} needsNetwork onClick={() => void askToEnd()}>
          {t`End the agreement`}
        </Button>
      </div>
      <Refused text={action.refusal} />
    </>
  );
}

/** Workers' invoices for the payments of a month, with their sums. */
export function MonthWorkerInvoices({
  business: { id: businessId, timeZone },
  month,
}: {
  business: Business;
  month: string;
}) {
  const { t } = useLingui();
  const query = useInfiniteQuery(
    apiQuery.workerInvoices.forBusiness.infiniteOptions({
      input: (cursor: string | undefined) => ({ businessId, month, cursor }),
      ...pages,
      ...neverPersist,
    }),
  );
  const now = useNow();
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load the workers’ invoices`}
      isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
      empty={
        <p className="mute mt3">
          {month < dayIn(timeZone, now).slice(0, 7)
            ? t`No workers’ invoices for ${formatMonth(month)}.`
            : t`None for ${formatMonth(month)}. They come after the month ends.`}
        </p>
      }
    >
      {({ pages }) => (
        <>
          {pages[0]?.totals.map(({ currency, netMinor, vatMinor, paidMinor }) => (
            <dl key={currency} className="mt3">
              <SumRow label={t`Net`} value={formatMoney(netMinor, currency)} />
              <SumRow label={t`VAT`} value={formatMoney(vatMinor, currency)} />
              <SumRow label={t`Paid to workers`} value={formatMoney(paidMinor, currency)} total />
            </dl>
          ))}
          <WorkerInvoiceRows invoices={pages.flatMap(({ items }) => items)} side="business" />
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

type InvoiceRowsProps = {
  invoices: WorkerInvoice[];
  side: 'worker' | 'business';
  /** The worker's current setup; decides whether an invoice can be replaced by a new one. */
  setup?: InvoiceSetup | undefined;
  onEditDetails?: () => void;
};

function WorkerInvoiceRows({ invoices, side, setup, onEditDetails }: InvoiceRowsProps) {
  const { t } = useLingui();
  const link = useWorkerInvoiceLink();
  const action = useAction(errorText);
  const replacing = useReplaceInvoice(action, onEditDetails);
  const [objecting, setObjecting] = useState<WorkerInvoice | null>(null);
  const save = ({ id }: WorkerInvoice, format: InvoiceFormat) =>
    void action.run(async () => saveLink(await link.mutateAsync({ workerInvoiceId: id, format })));
  return (
    <>
      <Refused text={action.refusal} />
      <ul>
        {invoices.map((invoice) => (
          <li key={invoice.id}>
            <WorkerInvoiceRow
              invoice={invoice}
              side={side}
              canReplace={mayInvoice(setup) && !invoice.hasReplacement && mayBeReplaced(invoice)}
              replacing={replacing}
              onSave={(format) => save(invoice, format)}
              onObject={() => setObjecting(invoice)}
            />
          </li>
        ))}
      </ul>
      <Sheet open={objecting !== null} onClose={() => setObjecting(null)} title={t`Object to this invoice`}>
        {objecting ? <ObjectionForm invoice={objecting} onDone={() => setObjecting(null)} /> : null}
      </Sheet>
    </>
  );
}

/** Replaces an invoice with one that has the worker's current tax details, after a confirmation. */
function useReplaceInvoice(action: ReturnType<typeof useAction>, onEditDetails?: () => void) {
  const { t } = useLingui();
  const replace = useMutation({
    mutationFn: sendOnce('workerInvoices.replace', api.workerInvoices.replace),
    onSettled: refetchWorkerInvoices,
  });
  const askToReplace = async (invoice: WorkerInvoice) => {
    const proForma = isProForma(invoice);
    const correct = { value: 'correct', label: t`Correct tax details`, kind: 'out' as const };
    const choice = await showAlert({
      tone: 'ask',
      title: proForma ? t`Make an invoice of this pro forma?` : t`Issue this invoice again?`,
      message: proForma
        ? t`Do this only if you haven't sent ${invoice.business} an invoice for this work. It gets your invoice and a credit note for the pro forma.`
        : t`A credit note cancels it, and a new invoice has your current tax details. ${invoice.business} gets both.`,
      buttons: [
        { value: 'replace', label: proForma ? t`Make an invoice` : t`Issue again` },
        ...(proForma ? [] : [correct]),
        { value: 'keep', label: t`Not now` },
      ],
    });
    if (choice === 'correct') onEditDetails?.();
    if (choice !== 'replace') return;
    await action.run(async () => {
      try {
        await replace.mutateAsync({ workerInvoiceId: invoice.id });
      } catch (failure) {
        if (!isApiError(failure, 'invoice/unchanged')) throw failure;
        const next = await showAlert({
          tone: 'bad',
          title: t`No new invoice was issued`,
          message: errorText(failure),
          buttons: [
            { value: 'correct', label: t`Correct tax details` },
            { value: 'keep', label: t`Not now` },
          ],
        });
        if (next === 'correct') onEditDetails?.();
        return;
      }
      showToast(t`New invoice issued. ${invoice.business} gets it with the credit note.`);
    });
  };
  return { askToReplace, busy: replace.isPending };
}

type InvoiceRowProps = {
  invoice: WorkerInvoice;
  side: 'worker' | 'business';
  canReplace: boolean;
  replacing: ReturnType<typeof useReplaceInvoice>;
  onSave: (format: InvoiceFormat) => void;
  onObject: () => void;
};

function WorkerInvoiceRow({ invoice, side, canReplace, replacing, onSave, onObject }: InvoiceRowProps) {
  const { t } = useLingui();
  const proForma = isProForma(invoice);
  return (
    <>
      <ListRow
        lead={<IconSign icon="file-pdf" />}
        title={
          <>
            {kindText(invoice)} <span className="nowrap">{invoice.number}</span>
          </>
        }
        note={joined(
          side === 'worker' ? invoice.business : invoice.worker,
          invoice.corrects ? t`Corrects ${invoice.corrects}` : formatMonth(invoice.from.slice(0, 7)),
          formatCalendarDay(invoice.issuedOn),
          invoice.vatMinor === 0 ? '' : t`${formatMoney(invoice.vatMinor, invoice.currency)} VAT`,
        )}
        end={<span className="num strong">{formatMoney(invoice.paidMinor, invoice.currency)}</span>}
        needsNetwork
        onClick={() => onSave('pdf')}
      />
      <div className="row g2 wrap invoice-acts">
        {proForma ? null : <DownloadButtons number={invoice.number} formats={xmlFormats} onPress={onSave} />}
        {invoice.objection === null ? null : (
          <Badge tone="bad">{t`Objection: ${objectionText(invoice.objection)}`}</Badge>
        )}
        {side === 'worker' && invoice.objectUntil !== null && invoice.objection === null ? (
          <Button kind="text" size="s" aria-label={t`Object to ${invoice.number}`} onClick={onObject}>
            {t`Object`}
          </Button>
        ) : null}
        {side === 'worker' && (invoice.objection === 'amount' || invoice.objection === 'other') ? (
          <ButtonLink kind="text" size="s" to={supportPath}>
            {t`Ask support for a correction`}
          </ButtonLink>
        ) : null}
        {invoice.hasReplacement ? <Badge>{t`Replaced`}</Badge> : null}
        {canReplace ? (
          <Button
            kind="text"
            size="s"
            busy={replacing.busy}
            needsNetwork
            aria-label={proForma ? t`Make an invoice of ${invoice.number}` : t`Issue ${invoice.number} again`}
            onClick={() => void replacing.askToReplace(invoice)}
          >
            {proForma ? t`Make an invoice` : t`Issue again`}
          </Button>
        ) : null}
      </div>
    </>
  );
}

const formatNames: Record<InvoiceFormat, string> = { pdf: 'PDF', xml: 'UBL', cii: 'CII' };

/** Formats of an e-invoice, which bookkeeping software reads: Peppol's as UBL, Germany's and France's as CII. */
const xmlFormats = ['xml', 'cii'] as const;

export function DownloadButtons<Format extends InvoiceFormat>({
  number,
  formats,
  onPress,
}: {
  number: string;
  formats: readonly Format[];
  onPress: (format: Format) => void;
}) {
  const { t } = useLingui();
  return formats.map((format) => {
    const syntax = formatNames[format];
    return (
      <Button
        key={format}
        kind="text"
        size="s"
        needsNetwork
        aria-label={t`Download ${number} as ${syntax}`}
        onClick={() => onPress(format)}
      >
        {syntax}
      </Button>
    );
  });
}

function ObjectionForm({ invoice, onDone }: { invoice: WorkerInvoice; onDone: () => void }) {
  const { t } = useLingui();
  const [reason, setReason] = useState<ObjectionReason>('amount');
  const object = useMutation({
    mutationFn: sendOnce('workerInvoices.object', api.workerInvoices.object),
    onSettled: refetchWorkerInvoices,
  });
  const action = useAction(errorText);
  const send = () =>
    void action.run(async () => {
      await object.mutateAsync({ workerInvoiceId: invoice.id, reason });
      onDone();
    });
  const until = invoice.objectUntil === null ? '' : formatDay(invoice.objectUntil, ownTimeZone());
  return (
    <div className="col g4">
      <Banner tone="wait" icon="info">
        <Trans>
          {invoice.business} sees your objection. You can object until {until}.
        </Trans>{' '}
        {objectionSteps(reason)}
        {reason === 'details' ? null : (
          <ButtonLink kind="text" size="s" to={supportPath}>
            {t`Ask support for a correction`}
          </ButtonLink>
        )}
      </Banner>
      <RadioGroup
        legend={t`What’s wrong?`}
        options={objectionReasons.map((value) => ({
          value,
          label: <span className="block sentence">{objectionText(value)}</span>,
        }))}
        value={reason}
        onChange={setReason}
      />
      <Refused text={action.refusal} />
      <Button kind="ink" full busy={action.busy} needsNetwork onClick={send}>
        {t`Send objection`}
      </Button>
    </div>
  );
}

const kindText = ({ kind }: WorkerInvoice): string =>
  ({
    invoice: t`Invoice`,
    credit_note: t`Credit note`,
    pro_forma: t`Pro forma`,
    pro_forma_credit: t`Pro forma credit note`,
  })[kind];

const objectionSteps = (reason: ObjectionReason): string =>
  ({
    amount: t`Ask support to correct the payment. A credit note and a new invoice follow by themselves.`,
    details: t`Correct your tax details, and press “Issue again” beside the invoice. This needs the self-billing agreement.`,
    other: t`Tell support what’s wrong.`,
  })[reason];

const objectionText = (reason: ObjectionReason): string =>
  ({
    amount: t`wrong hours or amount`,
    details: t`wrong details about me`,
    other: t`something else`,
  })[reason];
