import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { withWholeBlock } from '@nearhand/contract/hiring/applications.rules';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { limits } from '@nearhand/contract/limits';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useSettings } from '../../lib/settings.ts';
import {
  formatCalendarDay,
  formatDate,
  formatDay,
  formatMinutes,
  formatMoney,
  formatShare,
  formatSpan,
  formatTime,
  joined,
  minorDigits,
  ownTimeZone,
  spanIn,
} from '../../lib/words/format.ts';
import { perUnit } from '../../lib/words/job.labels.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Fact, SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import '../../ui/desk.css';
import { BudgetNotes, type PlannedOffer, useBudgetBlock } from '../../money/budgets/budgets.tsx';
import { HoldPayment } from '../../money/holds/hold-payment.tsx';
import { FundingPick, PaidFrom } from '../../money/wallet/funding-pick.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { acceptDoubts, payDoubts } from '../jobs/job-doubts.ts';
import { useJob } from '../jobs/jobs.api.ts';
import { type OfferTo, useMakeOffer, useOfferPreview } from './offers.api.ts';

type MakeOfferProps = {
  to: OfferTo;
  jobId: string;
  workerName: string;
  /** An open offer that the new one corrects. */
  replaces?: Offer;
  /** Called with the offer that was sent, or without one after a card has paid it. */
  onDone: (offer?: Offer) => void;
  /** Called if the offer is made but unpaid; closing the sheet leaves it so. */
  onMade: (offer: Offer) => void;
  onClose: () => void;
};

/** Offers one job, to an applicant or to someone the business knows. */
export function MakeOffer(props: MakeOfferProps) {
  const { t } = useLingui();
  // Text, so that "18," on the way to "18,50" is not rewritten under the cursor.
  const before = props.replaces?.terms;
  const [typed, setTyped] = useState(
    before ? typedFromMinor(before.payMinor, minorDigits(before.currency)) : null,
  );
  const [unpaid, setUnpaid] = useState<Offer | null>(null);
  // An unpaid offer needs no preview, because another one is not possible.
  const base = useOfferPreview(unpaid ? undefined : props.to);
  const currency = (before ?? base.data?.terms)?.currency;
  const typedMinor = typed === null || !currency ? null : minorFromTyped(typed, minorDigits(currency));
  const minMinor = base.data?.terms.payMinor ?? 0;
  // Pay below the job's is reported at the field, without a request.
  const raisedMinor = useDeferredValue(typedMinor !== null && typedMinor > minMinor ? typedMinor : undefined);
  const raised = useOfferPreview(raisedMinor === undefined || unpaid ? undefined : props.to, raisedMinor);
  const businessId = useJob(props.jobId).data?.business.id;
  if (unpaid?.hold && businessId)
    return (
      <HoldPayment
        hold={unpaid.hold}
        answerBy={unpaid.expiresAt}
        businessId={businessId}
        workerName={props.workerName}
        onPaid={() => props.onDone()}
      />
    );
  return (
    <QueryState query={base} loading={<PageSkeleton />} errorTitle={t`We couldn't calculate the offer`}>
      {(data) => {
        const preview = raisedMinor === undefined || !raised.data ? data : raised.data;
        return (
          <JobOffer
            {...props}
            businessId={businessId}
            terms={preview.terms as Terms}
            jobPayMinor={data.terms.payMinor}
            spotsFree={data.spotsFree}
            expiresAt={data.expiresAt}
            workerBooked={data.workerBooked}
            typed={typed}
            minor={typed === null ? data.terms.payMinor : typedMinor}
            payError={raisedMinor !== undefined && raised.error ? errorText(raised.error) : undefined}
            onType={setTyped}
            onUnpaid={(offer) => {
              setUnpaid(offer);
              props.onMade(offer);
            }}
          />
        );
      }}
    </QueryState>
  );
}

type JobOfferProps = MakeOfferProps & {
  businessId: string | undefined;
  terms: Terms;
  jobPayMinor: number;
  spotsFree: number;
  expiresAt: string;
  workerBooked: boolean;
  typed: string | null;
  minor: number | null;
  payError: string | undefined;
  onType: (text: string) => void;
  onUnpaid: (offer: Offer) => void;
};

function JobOffer(props: JobOfferProps) {
  const { t } = useLingui();
  const { terms, workerName, replaces, to, jobId, spotsFree, minor } = props;
  const make = useMakeOffer();
  const money = (amount: number) => formatMoney(amount, terms.currency);
  const first = firstNameOf(workerName);
  const isPayRefused = minor === null || minor < props.jobPayMinor || props.payError !== undefined;
  const form = useOfferForm({
    businessId: props.businessId,
    currency: terms.currency,
    draft: {
      key: `offer ${'workerId' in to ? `${jobId} ${to.workerId}` : (replaces?.id ?? to.applicationId)}`,
      message: replaces?.message ?? '',
    },
    pay: {
      unit: terms.kind === 'shift' ? 'hour' : 'fixed',
      typed: props.typed,
      minor,
      startMinor: props.jobPayMinor,
      minMinor: props.jobPayMinor,
      error: props.payError,
    },
    offers: [
      {
        job: { jobId, replaces: replaces?.id },
        offerTo:
          'applicationId' in to ? { applicationId: to.applicationId, payMinor: terms.payMinor } : undefined,
        amountMinor: terms.holdMinor,
        isLater: Boolean(terms.plannedFunding),
      },
    ],
    returningMinor: returnedBy(replaces),
    isFull: spotsFree <= 0,
    // Every sum on the form is that of another pay until the preview of the typed one is here.
    isReady: isPayRefused || terms.payMinor === minor,
    chargeText: ({ from }) => {
      if (terms.plannedFunding)
        return t`${money(terms.holdMinor)} will be set aside on ${formatDate(terms.plannedFunding.at, terms.timeZone)}.`;
      return from === 'card'
        ? t`Your card is charged ${money(terms.holdMinor)} at once.`
        : t`${money(terms.holdMinor)} of your balance is set aside at once.`;
    },
    make: (offer) =>
      make(to, {
        ...offer,
        replaces: replaces ? [{ offerId: replaces.id, version: replaces.version }] : undefined,
      }),
    onMade: (offer) => (offer.status === 'funding' ? props.onUnpaid(offer) : props.onDone(offer)),
  });
  const buttonText = () => {
    if (!form.isPayValid) return t`Make an offer`;
    return replaces
      ? t`Change offer to ${money(terms.workerGetsMinor)}`
      : t`Offer ${money(terms.workerGetsMinor)} to ${first}`;
  };
  return (
    <Form onSubmit={() => void form.submit()}>
      {replaces?.status === 'sent' ? (
        <Banner icon="arrow-counter-clockwise">
          <Trans>
            This replaces your offer of {money(replaces.terms.workerGetsMinor)}. {workerName} is notified of
            the change.
          </Trans>
        </Banner>
      ) : null}
      <p>
        <span className="strong block">{terms.title}</span>
        <span className="sm mute">
          <When terms={terms} />
        </span>
      </p>
      <PayField
        form={form}
        label={terms.kind === 'shift' ? t`Hourly pay` : t`Total pay`}
        help={t`The job's pay or more.`}
        onType={props.onType}
      />
      <Cost terms={terms} workerName={workerName} isValid={form.isPayValid} />
      {props.workerBooked ? (
        <Banner tone="wait" icon="calendar-x">
          <Trans>
            {workerName} is booked at that time. They can accept only if that job is cancelled or moved.
          </Trans>
        </Banner>
      ) : null}
      <MessageAndFunding form={form} workerName={workerName} />
      <OfferFacts terms={terms} workerName={workerName} spotsFree={spotsFree} expiresAt={props.expiresAt} />
      <OfferDock form={form} onClose={props.onClose}>
        {buttonText()}
      </OfferDock>
    </Form>
  );
}

function OfferFacts({
  terms,
  workerName,
  spotsFree,
  expiresAt,
}: Pick<JobOfferProps, 'terms' | 'workerName' | 'spotsFree' | 'expiresAt'>) {
  const { t } = useLingui();
  const money = (amount: number) => formatMoney(amount, terms.currency);
  return (
    <div className="facts">
      <Fact icon="map-pin" title={terms.place.address} note={terms.place.area} />
      <Fact
        icon="users"
        title={<Plural value={spotsFree} _0="No spots left" one="# spot left" other="# spots left" />}
        note={t`You can't offer more spots than the job has.`}
      />
      <Fact
        icon="clock-countdown"
        title={t`Open until ${formatDate(expiresAt, terms.timeZone)}`}
        note={t`Later changes to the job won't affect this offer.`}
      />
      {terms.minimumMinutes ? (
        <Fact
          icon="timer"
          title={t`If you send ${workerName} home early, you pay for at least ${formatMinutes(terms.minimumMinutes)}`}
          note={t`Or for the time worked, if it’s longer. Only if they came on time.`}
        />
      ) : null}
      {terms.confirmBy ? (
        <Fact
          icon="calendar-check"
          title={t`${workerName} confirms by ${formatDate(terms.confirmBy, terms.timeZone)}`}
          note={t`If not, we offer the spot to your waitlist and to people who worked for you.`}
        />
      ) : null}
      <Fact
        icon="shield-check"
        title={
          terms.plannedFunding
            ? t`${money(terms.holdMinor)} will be set aside on ${formatDate(terms.plannedFunding.at, terms.timeZone)}`
            : t`${money(terms.holdMinor)} will be set aside`
        }
        note={
          terms.plannedFunding
            ? t`From your balance, or your default card. ${workerName} sees that date.`
            : t`${workerName} sees that the offer is funded. If they don't accept, all of it goes back to your balance.`
        }
      />
    </div>
  );
}

/** The amount that comes back to the balance when a new offer replaces this one. */
const returnedBy = (offer: Offer | undefined): number =>
  offer?.status === 'sent' && offer.funding === 'funded' ? offer.terms.holdMinor : 0;

/** `isLater`: its money is set aside some days before the shift (ADR 399). */
type FormOffer = PlannedOffer & { isLater: boolean };

type OfferFormOptions = {
  businessId: string | undefined;
  currency: Currency;
  /** The message survives a closed sheet under this key. */
  draft: { key: string; message: string };
  pay: {
    unit: 'hour' | 'fixed';
    /** Null until something is typed: the field shows `startMinor` then. */
    typed: string | null;
    /** Null if the text isn't an amount. */
    minor: number | null;
    startMinor: number;
    /** The lowest pay of the jobs. */
    minMinor: number;
    error?: string;
  };
  offers: readonly FormOffer[];
  /** The money of replaced offers, which comes back. */
  returningMinor: number;
  /** True if only the balance can pay (ADR 414). */
  fromBalance?: boolean;
  /** True if no spot is left. */
  isFull: boolean;
  isReady: boolean;
  /** The sentence about the money, in a question about pay that may be a typing error. */
  chargeText?: (funding: FundingSource) => string;
  make: (offer: { message: string; funding: FundingSource; payMinor?: number }) => Promise<Offer>;
  onMade: (offer: Offer) => void;
};

/** Pay, message and money of offers to one worker, for one job or several shifts, sent together. */
function useOfferForm(options: OfferFormOptions) {
  const { t } = useLingui();
  const { pay, offers, currency, isFull, isReady, chargeText } = options;
  const draft = useSessionDraft(options.draft.key, () => options.draft.message);
  const action = useAction(errorText);
  const [chosenFunding, setFunding] = useState<FundingSource | null>();
  const [submitCount, setSubmitCount] = useState(0);
  const payId = useId();
  const nowMinor = sumOf(offers, ({ isLater, amountMinor }) => (isLater ? 0 : amountMinor));
  const needsNothingNow = nowMinor === 0 && offers.some(({ isLater }) => isLater);
  const funding = needsNothingNow || options.fromBalance ? ({ from: 'balance' } as const) : chosenFunding;
  const floor = formatMoney(pay.minMinor, currency);
  const payError =
    pay.minor === null
      ? t`Enter an amount, like 18 or 18.50.`
      : pay.minor < pay.minMinor
        ? t`Enter the job's pay of ${floor} or more.`
        : pay.error;
  const messageError = tooLong(draft.value, limits.messageMax);
  const submit = async () => {
    setSubmitCount(submitCount + 1);
    if (payError) document.getElementById(payId)?.focus();
    if (payError || isFull || !isReady || !funding || messageError) return;
    const doubts = pay.typed === null ? [] : payDoubts({ minor: pay.minor, unit: pay.unit, currency });
    if (doubts.length > 0 && chargeText) doubts.push(chargeText(funding));
    if (!(await acceptDoubts(doubts, t`Make the offer`))) return;
    await action.run(async () => {
      const payMinor = pay.minor === null || pay.minor === pay.minMinor ? undefined : pay.minor;
      const offer = await options.make({ message: draft.value, funding, payMinor });
      draft.drop();
      options.onMade(offer);
    });
  };
  return {
    ...options,
    action,
    draft,
    funding,
    setFunding,
    isPayValid: payError === undefined,
    messageError,
    needsNothingNow,
    nowMinor,
    payError,
    payId,
    submit,
    submitCount,
  };
}

type OfferForm = ReturnType<typeof useOfferForm>;

function PayField({
  form: { payId, payError, pay, currency },
  label,
  help,
  onType,
}: {
  form: OfferForm;
  label: string;
  help: string;
  onType: (text: string) => void;
}) {
  return (
    <TextInput
      id={payId}
      label={label}
      help={help}
      error={payError}
      inputMode="decimal"
      autoComplete="off"
      before={currency}
      value={pay.typed ?? typedFromMinor(pay.startMinor, minorDigits(currency))}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

function MessageAndFunding({ form, workerName }: { form: OfferForm; workerName: string }) {
  const { t } = useLingui();
  const { draft, businessId } = form;
  return (
    <>
      <TextArea
        label={t`Message to ${workerName}`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={draft.value.length}
        value={draft.value}
        error={form.messageError}
        onChange={(event) => draft.set(event.target.value)}
      />
      {form.needsNothingNow ? null : form.fromBalance ? (
        <p className="sm mute">{t`The money for dates that go together is set aside from your balance.`}</p>
      ) : businessId ? (
        <FundingPick
          businessId={businessId}
          currency={form.currency}
          amountMinor={form.nowMinor}
          returningMinor={form.returningMinor}
          value={form.funding}
          onChange={form.setFunding}
          asks={form.submitCount}
        />
      ) : (
        <RowsSkeleton count={2} />
      )}
    </>
  );
}

/** The button of an offer, next to what prevents it: a budget, the money or the spots. */
function OfferDock({
  form: { offers, businessId, funding, isFull, isReady, action },
  onClose,
  children,
}: {
  form: OfferForm;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const block = useBudgetBlock(offers);
  const readyFunding = isReady ? funding : undefined;
  return (
    <>
      <HelpLink article="make-an-offer">{t`How offers work`}</HelpLink>
      <div className="sheet-act offer-dock">
        <BudgetNotes offers={offers} />
        <Refused text={block ? null : action.refusal} />
        {businessId ? <PaidFrom businessId={businessId} value={readyFunding} /> : null}
        {isFull ? (
          <Banner tone="wait" icon="users">
            <Trans>
              Every spot is filled or offered. Withdraw an offer, or increase the number of people.
            </Trans>
          </Banner>
        ) : null}
        <div className="row g2">
          <Button kind="quiet" onClick={onClose}>
            {t`Not now`}
          </Button>
          <Button
            kind="go"
            type="submit"
            className="grow"
            needsNetwork
            busy={action.busy}
            disabled={isFull || readyFunding === undefined || block !== null}
          >
            {block ?? children}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Shows no amounts while the typed pay is not valid. */
function Cost({ terms, workerName, isValid }: { terms: Terms; workerName: string; isValid: boolean }) {
  const { t } = useLingui();
  const money = (amount: number) => (isValid ? formatMoney(amount, terms.currency) : '–');
  const share = formatShare(terms.businessFeeBasisPoints);
  const fee = terms.holdMinor - terms.payTotalMinor;
  return (
    <section className="pinecard" aria-label={t`Cost`}>
      <p className="sm mute">{t`${workerName} gets`}</p>
      <p className="desk-figure">{money(terms.workerGetsMinor)}</p>
      <p className="sm mute">
        {terms.kind === 'shift'
          ? perUnit(money(terms.payMinor), 'hour')
          : perUnit(money(terms.payMinor), 'fixed')}
        {terms.paidMinutes === null ? null : (
          <>
            {' · '}
            <Trans>{formatMinutes(terms.paidMinutes)} paid</Trans>
          </>
        )}
      </p>
      <div className="mt4">
        <p className="pine-sum sm">
          <span>{t`Pay`}</span>
          <span>{money(terms.payTotalMinor)}</span>
        </p>
        <p className="pine-sum sm">
          <span>{t`${share} fee`}</span>
          <span>{money(fee)}</span>
        </p>
        <p className="pine-sum strong">
          <span>{t`Your cost`}</span>
          <span>{money(terms.holdMinor)}</span>
        </p>
      </div>
    </section>
  );
}

function When({ terms }: { terms: Terms }) {
  const { t } = useLingui();
  if (terms.startsAt && terms.endsAt) {
    const ownZone = ownTimeZone();
    const there = spanIn(terms.startsAt, terms.endsAt, terms.timeZone);
    const here = formatSpan(terms.startsAt, terms.endsAt, ownZone);
    return here === there ? there : t`${there} (${here} your time)`;
  }
  return terms.dueOn ? t`By ${formatCalendarDay(terms.dueOn)}` : t`No date set`;
}

/** A shift that someone applied for, with the open offer that a new one replaces. */
export type OfferedShift = {
  applicationId: string;
  jobId: string;
  title: string;
  startsAt: string | null;
  timeZone: string;
  /** Offered only together with the other dates of its block, which have `asBlock` too (ADR 414). */
  asBlock: boolean;
  replaces?: Offer;
};

/** The offers of the ticked shifts at the typed pay, with previews of their terms and the bounds of the pay. */
function useShiftOffers(shifts: readonly OfferedShift[], tickedIds: readonly string[], typed: string | null) {
  const previewOptions = (applicationId: string, payMinor?: number) =>
    apiQuery.offers.preview.queryOptions({
      input: { applicationId, payMinor },
      staleTime: 0,
      ...neverPersist,
    });
  const previews = useQueries({
    queries: shifts.map(({ applicationId }) => previewOptions(applicationId)),
  });
  const hasSpot = (index: number) => previews[index]?.data?.spotsFree !== 0;
  const chosen = shifts.filter(
    ({ applicationId }, index) => tickedIds.includes(applicationId) && hasSpot(index),
  );
  const jobPays = shifts.map((_, index) => previews[index]?.data?.terms.payMinor);
  const minMinor = minOf(jobPays.filter((_, index) => chosen.includes(shifts[index] as OfferedShift)));
  const openPays = chosen.flatMap(({ applicationId, replaces }) =>
    replaces ? { applicationId, minor: replaces.terms.payMinor } : [],
  );
  const jobPayOf = (applicationId: string) =>
    jobPays[shifts.findIndex((shift) => shift.applicationId === applicationId)] ?? 0;
  // One pay is sent for all, so it starts where it lowers no open offer.
  const startMinor = Math.max(
    minMinor,
    ...openPays.flatMap(({ applicationId, minor }) => (minor > jobPayOf(applicationId) ? minor : [])),
  );
  const raisesOpenPay = openPays.some(
    ({ applicationId, minor }) => minor < Math.max(startMinor, jobPayOf(applicationId)),
  );
  const currency = previews.find(({ data }) => data)?.data?.terms.currency;
  const typedMinor = typed === null || !currency ? startMinor : minorFromTyped(typed, minorDigits(currency));
  const payMinor = Math.max(typedMinor ?? minMinor, minMinor);
  const previewMinor = useDeferredValue(payMinor);
  const raisedIds = shifts.flatMap((shift, index) => {
    const jobPay = jobPays[index];
    return jobPay !== undefined && previewMinor > jobPay && chosen.includes(shift) ? shift.applicationId : [];
  });
  const raised = useQueries({ queries: raisedIds.map((id) => previewOptions(id, previewMinor)) });
  const previewFor = (applicationId: string) => {
    const index = raisedIds.indexOf(applicationId);
    const base = previews[shifts.findIndex((shift) => shift.applicationId === applicationId)];
    return index < 0 ? base : raised[index];
  };
  const failed = [...previews, ...raised].find(({ error }) => error)?.error;
  const offers = chosen.flatMap(({ applicationId, jobId, replaces }): (FormOffer & { terms: Terms })[] => {
    const terms = previewFor(applicationId)?.data?.terms as Terms | undefined;
    if (!terms) return [];
    const offerTo = { applicationId, payMinor: terms.payMinor };
    const isLater = Boolean(terms.plannedFunding);
    return [
      { job: { jobId, replaces: replaces?.id }, offerTo, amountMinor: terms.holdMinor, isLater, terms },
    ];
  });
  const isLoaded = offers.length === chosen.length && previewMinor === payMinor;
  const keepTheirs = jobPays.some((pay, index) => {
    const shift = shifts[index];
    return shift && chosen.includes(shift) && pay !== undefined && pay > minMinor;
  });
  return {
    chosen,
    currency,
    failed,
    hasSpot,
    isLoaded,
    isPending: previews.some(({ isPending }) => isPending),
    keepTheirs,
    minMinor,
    offers,
    openPays: openPays.map(({ minor }) => minor),
    previewFor,
    previews,
    raisesOpenPay,
    startMinor,
    typedMinor,
  };
}

const minOf = (pays: readonly (number | undefined)[]): number => {
  const numbers = pays.flatMap((pay) => pay ?? []);
  return numbers.length > 0 ? Math.min(...numbers) : 0;
};

type OfferShiftsProps = {
  shifts: readonly OfferedShift[];
  /** The applications that are selected initially. */
  initialIds: readonly string[];
  businessId: string;
  workerName: string;
  onDone: (text: string) => void;
  onClose: () => void;
};

/**
 * Offers several shifts of a series at once, all or none, from one source of money. The pay is for all of them;
 * shifts that pay more keep their pay.
 */
export function OfferShifts(props: OfferShiftsProps) {
  const [tickedIds, setTickedIds] = useState(props.initialIds);
  const [typed, setTyped] = useState<string | null>(null);
  const planned = useShiftOffers(props.shifts, tickedIds, typed);
  if (planned.isPending) return <PageSkeleton />;
  if (!planned.currency)
    return (
      <Banner tone="bad" icon="warning-circle" live>
        {errorText(planned.failed)}
      </Banner>
    );
  return (
    <ShiftsForm
      {...props}
      planned={planned}
      currency={planned.currency}
      typed={typed}
      onType={setTyped}
      onTick={setTickedIds}
    />
  );
}

type ShiftsFormProps = OfferShiftsProps & {
  planned: ReturnType<typeof useShiftOffers>;
  currency: Currency;
  typed: string | null;
  onType: (text: string) => void;
  onTick: (applicationIds: string[]) => void;
};

function ShiftsForm(props: ShiftsFormProps) {
  const { t } = useLingui();
  const { shifts, planned, currency, workerName } = props;
  const { chosen, offers, openPays } = planned;
  const makeOffer = useMakeOffer();
  const isChanging = shifts.some(({ replaces }) => replaces !== undefined);
  const count = chosen.length;
  const form = useOfferForm({
    businessId: props.businessId,
    currency,
    draft: {
      key: `offer ${shifts.map(({ applicationId }) => applicationId).join(' ')}`,
      message: shifts[0]?.replaces?.message ?? '',
    },
    pay: {
      unit: offers[0]?.terms.kind === 'task' ? 'fixed' : 'hour',
      typed: props.typed,
      minor: planned.typedMinor,
      startMinor: planned.startMinor,
      minMinor: planned.minMinor,
    },
    offers,
    returningMinor: sumOf(chosen, ({ replaces }) => returnedBy(replaces)),
    fromBalance: chosen.some(({ asBlock }) => asBlock),
    isFull: shifts.every((_, index) => !planned.hasSpot(index)),
    isReady: count > 0 && planned.isLoaded,
    make: (offer) => {
      const [firstId, ...otherIds] = chosen.map(({ applicationId }) => applicationId);
      const replaces = chosen.flatMap(({ replaces: open }) =>
        open ? { offerId: open.id, version: open.version } : [],
      );
      return makeOffer({ applicationId: firstId ?? '' }, { ...offer, alsoFor: otherIds, replaces });
    },
    onMade: ({ status }) =>
      props.onDone(
        status === 'funding'
          ? t`Pay for each offer to send it to ${workerName}`
          : isChanging
            ? t`Offer for ${plural(count, { one: '# shift', other: '# shifts' })} to ${workerName} changed`
            : t`Offer for ${plural(count, { one: '# shift', other: '# shifts' })} sent to ${workerName}`,
      ),
  });
  const lowest = formatMoney(minOf(openPays), currency);
  const highest = formatMoney(Math.max(...openPays), currency);
  return (
    <Form onSubmit={() => void form.submit()}>
      <p className="strong">{shifts[0]?.title}</p>
      <PayField
        form={form}
        label={t`Hourly pay`}
        help={
          planned.raisesOpenPay
            ? t`For all ticked shifts. Their offers are ${lowest}–${highest} now.`
            : planned.keepTheirs
              ? t`The job's pay or more. Shifts that pay more keep their pay.`
              : t`The job's pay or more.`
        }
        onType={props.onType}
      />
      <ShiftChoice {...props} isPayValid={form.isPayValid} />
      <MessageAndFunding form={form} workerName={workerName} />
      <OfferDock form={form} onClose={props.onClose}>
        {isChanging ? (
          <Plural value={count} one="Change # offer" other="Change # offers" />
        ) : (
          <Plural value={count} one="Offer # shift" other="Offer # shifts" />
        )}
      </OfferDock>
    </Form>
  );
}

type ChoiceProps = Omit<ShiftsFormProps, 'onType' | 'typed'> & { isPayValid: boolean };

/** Chooses the shifts to offer, and shows what they cost together. */
function ShiftChoice({ shifts, planned, currency, workerName, isPayValid, onTick }: ChoiceProps) {
  const { t } = useLingui();
  const { fundAheadDays } = useSettings();
  const { chosen, failed, hasSpot, offers, previewFor, previews } = planned;
  const chosenIds = chosen.map(({ applicationId }) => applicationId);
  const blockIds = shifts.flatMap(({ applicationId, asBlock }) => (asBlock ? [applicationId] : []));
  const isWholeBlock = blockIds.length === shifts.length;
  const money = (minor: number) => formatMoney(minor, currency);
  const count = chosen.length;
  const cost = money(sumOf(offers, ({ amountMinor }) => amountMinor));
  const laterCount = offers.filter(({ isLater }) => isLater).length;
  const nowCost = money(sumOf(offers, ({ isLater, amountMinor }) => (isLater ? 0 : amountMinor)));
  const workerGets = money(sumOf(offers, ({ terms }) => terms.workerGetsMinor));
  const shiftHelp = (applicationId: string, index: number) => {
    const preview = previewFor(applicationId)?.data;
    if (!hasSpot(index)) return t`No spots left`;
    return preview
      ? joined(
          money(preview.terms.workerGetsMinor),
          preview.workerBooked && t`${workerName} is booked at that time.`,
        )
      : undefined;
  };
  return (
    <>
      <CheckGroup
        legend={isWholeBlock ? t`All dates together` : t`Which shifts?`}
        error={count === 0 ? t`Pick at least one shift.` : undefined}
        columns
        options={shifts.map(({ applicationId, title, startsAt, timeZone }, index) => {
          const terms = previews[index]?.data?.terms;
          return {
            value: applicationId,
            label: startsAt
              ? `${formatDay(startsAt, timeZone)}, ${formatTime(startsAt, timeZone)}${terms?.endsAt ? `–${formatTime(terms.endsAt, timeZone)}` : ''}`
              : title,
            help: shiftHelp(applicationId, index),
            disabled: !hasSpot(index) || isWholeBlock,
          };
        })}
        value={chosenIds}
        onChange={(ids) => onTick(withWholeBlock(ids, chosenIds, blockIds))}
      />
      {failed ? (
        <Banner tone="bad" icon="warning-circle" live>
          {errorText(failed)}
        </Banner>
      ) : null}
      <div>
        <SumRow label={t`${workerName} gets`} value={isPayValid ? workerGets : '–'} />
        <SumRow label={t`Cost with our fee`} value={isPayValid ? cost : '–'} total />
        {laterCount > 0 ? <SumRow label={t`Set aside now`} value={isPayValid ? nowCost : '–'} /> : null}
      </div>
      {laterCount > 0 ? (
        <p className="sm mute">
          {plural(laterCount, {
            one: `The money for # shift is set aside ${fundAheadDays} days before it starts, from your balance or default card.`,
            other: `The money for # shifts is set aside ${fundAheadDays} days before each starts, from your balance or default card.`,
          })}
        </p>
      ) : null}
    </>
  );
}
