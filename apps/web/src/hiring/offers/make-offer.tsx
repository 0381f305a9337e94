import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { limits } from '@nearhand/contract/limits';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { Terms } from '@nearhand/contract/work/terms';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useMove } from '../../lib/pages/use-move.ts';
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

export function MakeOffer(props: MakeOfferProps) {
  const { t } = useLingui();
  // Text, so that "18," on the way to "18,50" is not rewritten under the cursor.
  const before = props.replaces?.terms;
  const [typed, setTyped] = useState(
    before ? typedFromMinor(before.payMinor, minorDigits(before.currency)) : null,
  );
  const [currency, setCurrency] = useState(before?.currency ?? null);
  const [unpaid, setUnpaid] = useState<Offer | null>(null);
  const minor =
    typed === null || currency === null
      ? undefined
      : (minorFromTyped(typed, minorDigits(currency)) ?? undefined);
  // An unpaid offer needs no preview, because another one is not possible.
  const base = useOfferPreview(unpaid ? undefined : props.to);
  const minMinor = base.data?.terms.payMinor ?? 0;
  // Pay below the job's is reported at the field, without a request.
  const raisedMinor = useDeferredValue(minor !== undefined && minor > minMinor ? minor : undefined);
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
        const start = data.terms as Terms;
        const preview = raisedMinor === undefined || !raised.data ? data : raised.data;
        return (
          <OfferForm
            {...props}
            businessId={businessId}
            start={start}
            terms={preview.terms as Terms}
            spotsFree={data.spotsFree}
            expiresAt={data.expiresAt}
            workerBooked={data.workerBooked}
            typed={typed ?? typedFromMinor(start.payMinor, minorDigits(start.currency))}
            minor={typed === null ? undefined : minor}
            unread={typed !== null && minor === undefined}
            onUnpaid={(offer) => {
              setUnpaid(offer);
              props.onMade(offer);
            }}
            payError={raisedMinor !== undefined && raised.error ? errorText(raised.error) : undefined}
            onType={(text) => {
              setCurrency(start.currency);
              setTyped(text);
            }}
          />
        );
      }}
    </QueryState>
  );
}

type OfferFormProps = MakeOfferProps & {
  businessId: string | undefined;
  start: Terms;
  terms: Terms;
  spotsFree: number;
  expiresAt: string;
  workerBooked: boolean;
  typed: string;
  minor: number | undefined;
  unread: boolean;
  payError: string | undefined;
  onType: (text: string) => void;
  onUnpaid: (offer: Offer) => void;
};

function OfferForm(props: OfferFormProps) {
  const { t } = useLingui();
  const { start, terms, minor, workerName, replaces } = props;
  const draft = useSessionDraft(
    `offer ${'workerId' in props.to ? `${props.jobId} ${props.to.workerId}` : (replaces?.id ?? props.to.applicationId)}`,
    () => replaces?.message ?? '',
  );
  const message = draft.value;
  const make = useMakeOffer();
  const move = useMove(errorText);
  const [funding, setFunding] = useState<FundingSource | null>();
  const [asks, setAsks] = useState(0);
  const money = (amount: number) => formatMoney(amount, terms.currency);
  const first = workerName.split(' ')[0] ?? workerName;
  const payId = useId();
  const full = props.spotsFree <= 0;
  const isLow = minor !== undefined && minor < start.payMinor;
  const floor = money(start.payMinor);
  const error = props.unread
    ? t`Enter an amount, like 18 or 18.50.`
    : isLow
      ? t`Enter the job's pay of ${floor} or more.`
      : props.payError;
  const messageError = tooLong(message, limits.messageMax);
  const offers = [
    {
      job: { jobId: props.jobId, replaces: replaces?.id },
      offerTo:
        'applicationId' in props.to
          ? { applicationId: props.to.applicationId, payMinor: terms.payMinor }
          : undefined,
      amountMinor: terms.holdMinor,
    },
  ];
  const submit = async () => {
    setAsks(asks + 1);
    if (error) document.getElementById(payId)?.focus();
    if (error || full || !funding || messageError) return;
    const unit = terms.kind === 'shift' ? 'hour' : 'fixed';
    const doubts =
      minor === undefined ? [] : payDoubts({ minor: terms.payMinor, unit, currency: terms.currency });
    if (doubts.length > 0)
      doubts.push(
        funding.from === 'card'
          ? t`Your card is charged ${money(terms.holdMinor)} at once.`
          : t`${money(terms.holdMinor)} of your balance is set aside at once.`,
      );
    if (!(await acceptDoubts(doubts, t`Make the offer`))) return;
    await move.run(async () => {
      const offer = await make(props.to, {
        message,
        funding,
        payMinor: minor === undefined || minor === start.payMinor ? undefined : minor,
        replaces: replaces ? [{ offerId: replaces.id, version: replaces.version }] : undefined,
      });
      draft.drop();
      if (offer.status === 'funding') props.onUnpaid(offer);
      else props.onDone(offer);
    });
  };
  return (
    <Form onSubmit={() => void submit()}>
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
      <TextInput
        id={payId}
        label={terms.kind === 'shift' ? t`Hourly pay` : t`Total pay`}
        help={t`The job's pay or more.`}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        before={terms.currency}
        value={props.typed}
        onChange={(event) => props.onType(event.target.value)}
      />
      <Cost terms={terms} workerName={workerName} isValid={error === undefined} />
      {props.workerBooked ? (
        <Banner tone="wait" icon="calendar-x">
          <Trans>
            {workerName} is booked at that time. They can accept only if that job is cancelled or moved.
          </Trans>
        </Banner>
      ) : null}
      <TextArea
        label={t`Message to ${workerName}`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={message.length}
        value={message}
        error={messageError}
        onChange={(event) => draft.set(event.target.value)}
      />
      {props.businessId ? (
        <FundingPick
          businessId={props.businessId}
          currency={terms.currency}
          amountMinor={terms.holdMinor}
          returningMinor={
            replaces?.status === 'sent' && replaces.funding === 'funded' ? replaces.terms.holdMinor : 0
          }
          value={funding}
          onChange={setFunding}
          asks={asks}
        />
      ) : (
        <RowsSkeleton count={2} />
      )}
      <div className="facts">
        <Fact icon="map-pin" title={terms.place.address} note={terms.place.area} />
        <Fact
          icon="users"
          title={<Plural value={props.spotsFree} _0="No spots left" one="# spot left" other="# spots left" />}
          note={t`You can't offer more spots than the job has.`}
        />
        <Fact
          icon="clock-countdown"
          title={t`Open until ${formatDate(props.expiresAt, terms.timeZone)}`}
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
          title={t`${money(terms.holdMinor)} will be set aside`}
          note={t`${workerName} sees that the offer is funded. If they don't accept, all of it goes back to your balance.`}
        />
      </div>
      <HelpLink article="make-an-offer">{t`How offers work`}</HelpLink>
      <OfferDock
        offers={offers}
        businessId={props.businessId}
        funding={funding}
        full={full}
        refusal={move.refusal}
        busy={move.busy}
        onClose={props.onClose}
      >
        {error
          ? t`Make an offer`
          : replaces
            ? t`Change offer to ${money(terms.workerGetsMinor)}`
            : t`Offer ${money(terms.workerGetsMinor)} to ${first}`}
      </OfferDock>
    </Form>
  );
}

/** The button of an offer, next to what prevents it: a budget, the money or the spots. */
function OfferDock({
  offers,
  businessId,
  funding,
  full,
  refusal,
  busy,
  onClose,
  children,
}: {
  offers: readonly PlannedOffer[];
  businessId: string | undefined;
  funding: FundingSource | null | undefined;
  full: boolean;
  refusal: string | null;
  busy: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const block = useBudgetBlock(offers);
  return (
    <div className="sheet-act offer-dock">
      <BudgetNotes offers={offers} />
      <Refused text={block ? null : refusal} />
      {businessId ? <PaidFrom businessId={businessId} value={funding} /> : null}
      {full ? (
        <Banner tone="wait" icon="users">
          <Trans>Every spot is filled or offered. Withdraw an offer, or increase the number of people.</Trans>
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
          busy={busy}
          disabled={full || funding === undefined || block !== null}
        >
          {block ?? children}
        </Button>
      </div>
    </div>
  );
}

/** Shows no amounts while the typed pay is not valid. */
function Cost({ terms, workerName, isValid }: { terms: Terms; workerName: string; isValid: boolean }) {
  const { t } = useLingui();
  const money = (amount: number) => (isValid ? formatMoney(amount, terms.currency) : '–');
  const share = formatShare(terms.merchantFeeBasisPoints);
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
  replaces?: Offer;
};

/**
 * Offers several shifts of a series at once, all or none, from one source of money. The pay is for all of them;
 * shifts that pay more keep their pay.
 */
export function OfferShifts({
  shifts,
  initialIds,
  businessId,
  workerName,
  onDone,
  onClose,
}: {
  shifts: readonly OfferedShift[];
  /** The applications ticked at first. */
  initialIds: readonly string[];
  businessId: string;
  workerName: string;
  onDone: (text: string) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const make = useMakeOffer();
  const move = useMove(errorText);
  const payId = useId();
  const draft = useSessionDraft(
    `offer ${shifts.map(({ applicationId }) => applicationId).join(' ')}`,
    () => shifts[0]?.replaces?.message ?? '',
  );
  const [tickedIds, setTickedIds] = useState(initialIds);
  const [typed, setTyped] = useState<string | null>(null);
  const [funding, setFunding] = useState<FundingSource | null>();
  const [asks, setAsks] = useState(0);
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
  const isChanging = shifts.some(({ replaces }) => replaces !== undefined);
  const minOf = (pays: readonly (number | undefined)[]) => {
    const numbers = pays.flatMap((pay) => pay ?? []);
    return numbers.length > 0 ? Math.min(...numbers) : 0;
  };
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
  const isLow = typedMinor !== null && typedMinor < minMinor;
  const payMinor = typedMinor === null || isLow ? minMinor : typedMinor;
  const previewMinor = useDeferredValue(payMinor);
  const raises = shifts.flatMap((shift, index) => {
    const jobPay = jobPays[index];
    return jobPay !== undefined && previewMinor > jobPay && chosen.includes(shift) ? shift.applicationId : [];
  });
  const raised = useQueries({ queries: raises.map((id) => previewOptions(id, previewMinor)) });
  const previewFor = (applicationId: string) => {
    const index = raises.indexOf(applicationId);
    const base = previews[shifts.findIndex((shift) => shift.applicationId === applicationId)];
    return index < 0 ? base : raised[index];
  };
  const failed = [...previews, ...raised].find(({ error }) => error)?.error;
  const offers = chosen.flatMap(({ applicationId, jobId, replaces }): (PlannedOffer & { terms: Terms })[] => {
    const terms = previewFor(applicationId)?.data?.terms as Terms | undefined;
    if (!terms) return [];
    const offerTo = { applicationId, payMinor: terms.payMinor };
    return [{ job: { jobId, replaces: replaces?.id }, offerTo, amountMinor: terms.holdMinor, terms }];
  });
  const isLoaded = offers.length === chosen.length && previewMinor === payMinor;
  if (previews.some(({ isPending }) => isPending)) return <PageSkeleton />;
  if (!currency)
    return (
      <Banner tone="bad" icon="warning-circle" live>
        {errorText(failed)}
      </Banner>
    );
  const money = (minor: number) => formatMoney(minor, currency);
  const sum = (amountOf: (terms: Terms) => number) => money(sumOf(offers, ({ terms }) => amountOf(terms)));
  const count = chosen.length;
  const costMinor = sumOf(offers, ({ amountMinor }) => amountMinor);
  const gets = sum(({ workerGetsMinor }) => workerGetsMinor);
  const returningMinor = chosen.reduce(
    (minor, { replaces }) =>
      replaces?.status === 'sent' && replaces.funding === 'funded' ? minor + replaces.terms.holdMinor : minor,
    0,
  );
  const floor = money(minMinor);
  const payError =
    typedMinor === null
      ? t`Enter an amount, like 18 or 18.50.`
      : isLow
        ? t`Enter the job's pay of ${floor} or more.`
        : undefined;
  const messageError = tooLong(draft.value, limits.messageMax);
  const lowest = money(minOf(openPays.map(({ minor }) => minor)));
  const highest = money(Math.max(...openPays.map(({ minor }) => minor)));
  const keepTheirs = jobPays.some((pay, index) => {
    const shift = shifts[index];
    return shift && chosen.includes(shift) && pay !== undefined && pay > minMinor;
  });
  const submit = async () => {
    setAsks(asks + 1);
    if (payError) document.getElementById(payId)?.focus();
    const [first, ...others] = chosen;
    if (!first || payError || !funding || messageError || !isLoaded) return;
    const unit = offers[0]?.terms.kind === 'task' ? 'fixed' : 'hour';
    const doubts = typed === null ? [] : payDoubts({ minor: payMinor, unit, currency });
    if (!(await acceptDoubts(doubts, t`Make the offer`))) return;
    await move.run(async () => {
      const offer = await make(
        { applicationId: first.applicationId },
        {
          message: draft.value,
          funding,
          payMinor: payMinor === minMinor ? undefined : payMinor,
          alsoFor: others.map(({ applicationId }) => applicationId),
          replaces: chosen.flatMap(({ replaces }) =>
            replaces ? { offerId: replaces.id, version: replaces.version } : [],
          ),
        },
      );
      draft.drop();
      onDone(
        offer.status === 'funding'
          ? t`Pay for each offer to send it to ${workerName}`
          : isChanging
            ? t`Offer for ${plural(count, { one: '# shift', other: '# shifts' })} to ${workerName} changed`
            : t`Offer for ${plural(count, { one: '# shift', other: '# shifts' })} sent to ${workerName}`,
      );
    });
  };
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
    <Form onSubmit={() => void submit()}>
      <p className="strong">{shifts[0]?.title}</p>
      <TextInput
        id={payId}
        label={t`Hourly pay`}
        help={
          raisesOpenPay
            ? t`For all ticked shifts. Their offers are ${lowest}–${highest} now.`
            : keepTheirs
              ? t`The job's pay or more. Shifts that pay more keep their pay.`
              : t`The job's pay or more.`
        }
        error={payError}
        inputMode="decimal"
        autoComplete="off"
        before={currency}
        value={typed ?? typedFromMinor(startMinor, minorDigits(currency))}
        onChange={(event) => setTyped(event.target.value)}
      />
      <CheckGroup
        legend={t`Which shifts?`}
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
            disabled: !hasSpot(index),
          };
        })}
        value={chosen.map(({ applicationId }) => applicationId)}
        onChange={setTickedIds}
      />
      {failed ? (
        <Banner tone="bad" icon="warning-circle" live>
          {errorText(failed)}
        </Banner>
      ) : null}
      <div>
        <SumRow label={t`${workerName} gets`} value={payError ? '–' : gets} />
        <SumRow label={t`Cost with our fee`} value={payError ? '–' : money(costMinor)} total />
      </div>
      <TextArea
        label={t`Message to ${workerName}`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={draft.value.length}
        value={draft.value}
        error={messageError}
        onChange={(event) => draft.set(event.target.value)}
      />
      <FundingPick
        businessId={businessId}
        currency={currency}
        amountMinor={costMinor}
        returningMinor={returningMinor}
        value={funding}
        onChange={setFunding}
        asks={asks}
      />
      <HelpLink article="make-an-offer">{t`How offers work`}</HelpLink>
      <OfferDock
        offers={offers}
        businessId={businessId}
        funding={count === 0 || !isLoaded ? undefined : funding}
        full={shifts.every((_, index) => !hasSpot(index))}
        refusal={move.refusal}
        busy={move.busy}
        onClose={onClose}
      >
        {isChanging ? (
          <Plural value={count} one="Change # offer" other="Change # offers" />
        ) : (
          <Plural value={count} one="Offer # shift" other="Offer # shifts" />
        )}
      </OfferDock>
    </Form>
  );
}
