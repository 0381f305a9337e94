import { t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { taxOfficePath, workerInvoicesPath } from '@nearhand/contract/app-paths';
import type {
  SellerDetails,
  SellerRequest,
  SellerView,
  SellerYear,
} from '@nearhand/contract/money/seller-reports';
import { sellerProblems } from '@nearhand/contract/money/seller-reports.rules';
import type { TaxDetails } from '@nearhand/contract/money/worker-invoices';
import { personalTaxNumberExample } from '@nearhand/contract/people/company-facts.rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { countryName, countryOptions } from '../../lib/words/countries.ts';
import {
  formatCalendarDay,
  formatDay,
  formatMoney,
  formatNumber,
  joined,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { companyProblemText } from '../../people/businesses/business-form.rules.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Table } from '../../ui/pages/table.tsx';
import '../../ui/desk.css';

/** A worker's details for the tax office, and their reported pay. */
export function TaxOfficeScreen() {
  const { t } = useLingui();
  const query = useQuery(apiQuery.sellerReports.mine.queryOptions({ input: {}, ...neverPersist }));
  return (
    <Screen
      title={t`Report to the tax office`}
      lead={
        query.data?.law === null
          ? undefined
          : t`Platforms have to report each year what they pay for self-employed work.`
      }
      back={workerInvoicesPath}
      onRefresh={() => query.refetch()}
    >
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your details`}>
        {(data) => (
          <div className="stack">
            <SellerRequestBanner request={data.request} />
            {data.law && hasReport(data) ? (
              <Details law={data.law} details={data.details} years={data.years} />
            ) : null}
            <Years law={data.law} years={data.years} />
            <HelpLink article="tax-report">{t`What we report, and to whom`}</HelpLink>
          </div>
        )}
      </QueryState>
    </Screen>
  );
}

/** True if something is reported about a worker, or needed for it. */
const hasReport = ({ law, details, request, years }: SellerView): boolean =>
  law !== null && (details !== null || request !== null || years.length > 0);

/** The way to the report from a worker's invoices; nothing for someone without pay to report. */
export function TaxOfficeCard() {
  const { t } = useLingui();
  const { data } = useQuery(apiQuery.sellerReports.mine.queryOptions({ input: {}, ...neverPersist }));
  if (!data || !hasReport(data)) return null;
  return (
    <section className="card p5 col g3" aria-labelledby="tax-office">
      <h2 className="h-s" id="tax-office">{t`Report to the tax office`}</h2>
      <p className="mute">
        <Trans>What we report about your self-employed work each year, and the details we need for it.</Trans>
      </p>
      <div className="row g2 wrap">
        <ButtonLink kind="out" size="s" to={taxOfficePath}>
          {t`Show the report`}
        </ButtonLink>
      </div>
    </section>
  );
}

/** Explains the consequence of missing details, and when it begins. */
export function SellerRequestBanner({
  request,
  action,
}: {
  request: SellerRequest | null | undefined;
  action?: ReactNode;
}) {
  if (!request) return null;
  const day = formatDay(request.waitsFrom, ownTimeZone());
  return (
    <Banner tone={request.isWaiting ? 'bad' : 'wait'} icon="info" action={action}>
      {request.isWaiting ? (
        <Trans>
          Withdrawals wait until you add your details for the tax office. Your money stays yours, and you can
          withdraw it as soon as they are here.
        </Trans>
      ) : (
        <Trans>
          Please add your details for the tax office. Without them, withdrawals wait from {day}. Your money
          stays yours.
        </Trans>
      )}
    </Banner>
  );
}

type Law = NonNullable<SellerView['law']>;

function Details({ law, details, years }: { law: Law; details: SellerDetails | null; years: SellerYear[] }) {
  const { t } = useLingui();
  const [editing, setEditing] = useState(false);
  const invoices = useQuery(
    apiQuery.workerInvoices.setup.queryOptions({ input: {}, enabled: details === null, ...neverPersist }),
  );
  return (
    <section className="card p5" aria-labelledby="seller-details">
      <h2 className="h-s" id="seller-details">{t`Your details`}</h2>
      {details === null ? (
        <p className="mute">
          <Trans>The tax office identifies you by your name, date of birth, address and tax number.</Trans>
        </p>
      ) : (
        <>
          <p>{`${details.firstName} ${details.lastName}`.trim()}</p>
          <p className="sm mute">
            {joined(
              details.street,
              `${details.postcode} ${details.town}`.trim(),
              countryName(details.countryCode),
            )}
          </p>
          <p className="sm mute">
            {joined(
              formatCalendarDay(details.bornOn, { style: 'long', now: new Date(0) }),
              t`Tax number ${details.taxNumber}`,
            )}
          </p>
        </>
      )}
      <div className="row g2 wrap mt3">
        <Button kind={details === null ? 'ink' : 'out'} size="s" onClick={() => setEditing(true)}>
          {details === null ? t`Add my details` : t`Edit my details`}
        </Button>
      </div>
      <Sheet open={editing} onClose={() => setEditing(false)} title={t`Details for the tax office`}>
        {editing && !invoices.isLoading ? (
          <DetailsForm
            law={law}
            details={details ?? detailsFrom(invoices.data?.details ?? null)}
            isReported={years.some(({ sentAt }) => sentAt !== null)}
            onDone={() => setEditing(false)}
          />
        ) : null}
      </Sheet>
    </section>
  );
}

const empty: SellerDetails = {
  firstName: '',
  lastName: '',
  bornOn: '',
  street: '',
  postcode: '',
  town: '',
  countryCode: '',
  taxNumber: '',
};

/** Details to start from: those for invoices, without their number, which may be from another register. */
function detailsFrom(invoices: TaxDetails | null): SellerDetails {
  if (!invoices) return empty;
  const { legalName, street, postcode, town, countryCode } = invoices;
  const names = legalName.split(' ');
  const lastName = names.pop() ?? '';
  return { ...empty, firstName: names.join(' '), lastName, street, postcode, town, countryCode };
}

function detailProblems(values: SellerDetails): Partial<Record<keyof SellerDetails, string>> {
  const missing = {
    lastName: t`Enter your last name.`,
    bornOn: t`Enter your date of birth.`,
    street: t`Enter your street and number.`,
    town: t`Enter your town.`,
    countryCode: t`Pick the country where you pay tax.`,
    taxNumber: t`Enter your tax number.`,
  };
  const problems: Partial<Record<keyof SellerDetails, string>> = {};
  for (const field of Object.keys(missing) as (keyof typeof missing)[])
    if (values[field].trim() === '') problems[field] = missing[field];
  const example = personalTaxNumberExample(values.countryCode);
  const texts = {
    bornOn: t`Check the year: this can't be your date of birth.`,
    postcode: companyProblemText('postcode', values.countryCode),
    taxNumber: t`That isn’t the tax number of a person in this country. One looks like ${example}.`,
  };
  if (values.countryCode !== '')
    for (const { path } of sellerProblems(values, new Date()))
      problems[path as keyof typeof texts] ??= texts[path as keyof typeof texts];
  return problems;
}

function DetailsForm({
  law: { storedYears },
  details,
  isReported,
  onDone,
}: {
  law: Law;
  details: SellerDetails;
  /** True if a report was sent, which new details don't change by themselves. */
  isReported: boolean;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const save = useMutation({
    mutationFn: sendOnce('sellerReports.saveDetails', api.sellerReports.saveDetails),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: apiQuery.sellerReports.key() }),
        queryClient.invalidateQueries({ queryKey: apiQuery.payouts.key() }),
      ]),
  });
  const action = useAction(errorText);
  const form = useFormModel<SellerDetails>({
    focusProblems: true,
    start: () => details,
    check: detailProblems,
  });
  const send = (input: SellerDetails) =>
    action.run(async () => {
      await save.mutateAsync(input);
      showToast(t`Details saved`);
      onDone();
    });
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p className="mute">
        <Trans>We pass these on to the tax office only. Businesses don’t see them.</Trans>{' '}
        <Plural
          value={storedYears}
          one="The law has us store them for # year after your last reported pay, even if you delete your account."
          other="The law has us store them for # years after your last reported pay, even if you delete your account."
        />
      </p>
      {isReported ? (
        <p className="mute">
          <Trans>A report that was sent stays as it is until we correct it.</Trans>
        </p>
      ) : null}
      <div className="form-pair">
        <TextInput
          label={t`First name`}
          autoComplete="given-name"
          optional
          {...form.textField('firstName')}
        />
        <TextInput label={t`Last name`} autoComplete="family-name" {...form.textField('lastName')} />
      </div>
      <TextInput label={t`Date of birth`} type="date" autoComplete="bday" {...form.textField('bornOn')} />
      <TextInput label={t`Street and number`} autoComplete="street-address" {...form.textField('street')} />
      <div className="form-pair">
        <TextInput label={t`Postcode`} autoComplete="postal-code" {...form.textField('postcode')} />
        <TextInput label={t`Town`} autoComplete="address-level2" {...form.textField('town')} />
      </div>
      <Select
        label={t`Country where you pay tax`}
        options={countryOptions()}
        placeholder={t`Choose`}
        autoComplete="country"
        {...form.textField('countryCode')}
      />
      <TextInput
        label={t`Tax number`}
        help={t`Your personal number at the tax office, not that of a business register.`}
        {...form.textField('taxNumber')}
      />
      <Refused text={action.refusal} />
      <div className="sheet-act">
        <Button kind="ink" type="submit" full busy={action.busy} needsNetwork>
          {t`Save details`}
        </Button>
      </div>
    </Form>
  );
}

function Years({ law, years }: { law: SellerView['law']; years: SellerYear[] }) {
  const { t } = useLingui();
  if (years.length === 0)
    return (
      <section className="card p5">
        <p className="mute">{t`There is no pay for self-employed work to report yet.`}</p>
      </section>
    );
  return years.map(({ year, currency, quarters, sentAt, isOmitted }) => {
    const title = `${year}, ${currency}`;
    const due = law && formatCalendarDay(`${year + 1}-${law.reportBy}`, { style: 'long' });
    const office = law && countryName(law.countryCode);
    const sum = quarters.reduce((total, { paidMinor }) => total + paidMinor, 0);
    return (
      <div key={`${year} ${currency}`} className="card p5">
        <div className="row g3">
          <h2 className="h-s grow">{title}</h2>
          <span className="num strong">{formatMoney(sum, currency)}</span>
        </div>
        <p className="sm mute">
          {sentAt === null
            ? due
              ? t`Not reported yet. The report is sent by ${due} to the tax office (${office}). Reversed payments change it.`
              : t`Not reported yet. Reversed payments change it.`
            : isOmitted
              ? t`The report was sent on ${formatDay(sentAt, ownTimeZone())} without this pay: details were missing, or no report is due where you pay tax.`
              : t`Reported to the tax office on ${formatDay(sentAt, ownTimeZone())}.`}
        </p>
        <Table
          caption={title}
          density="tight"
          rows={quarters.map((quarter, index) => ({ ...quarter, no: index + 1 }))}
          rowKey={({ no }) => String(no)}
          columns={[
            { key: 'quarter', head: t`Quarter`, cell: ({ no }) => formatNumber(no) },
            {
              key: 'paid',
              head: t`Paid to you`,
              number: true,
              cell: ({ paidMinor }) => formatMoney(paidMinor, currency),
            },
            {
              key: 'fee',
              head: t`Our fee`,
              number: true,
              cell: ({ feeMinor }) => formatMoney(feeMinor, currency),
            },
            {
              key: 'activities',
              head: t`Jobs`,
              number: true,
              cell: ({ activities }) => formatNumber(activities),
            },
          ]}
        />
      </div>
    );
  });
}
