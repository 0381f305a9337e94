import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { limits } from '@nearhand/contract/limits';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { Terms } from '@nearhand/contract/work/terms';
import { useDeferredValue, useId, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import {
  formatCalendarDay,
  formatDate,
  formatMinutes,
  formatMoney,
  formatShare,
  formatSpan,
  minorDigits,
  ownTimeZone,
  spanIn,
} from '../../lib/words/format.ts';
import { perUnit } from '../../lib/words/job.labels.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Fact } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import '../../ui/desk.css';
import { useBudgetBlock } from '../../money/budgets/budgets.tsx';
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
  const low = minor !== undefined && minor < start.payMinor;
  const floor = money(start.payMinor);
  const error = props.unread
    ? t`Enter an amount, like 18 or 18.50.`
    : low
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
  const block = useBudgetBlock(offers);
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
        ...(minor === undefined || minor === start.payMinor ? {} : { payMinor: minor }),
        ...(replaces ? { replaces: [{ offerId: replaces.id, version: replaces.version }] } : {}),
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
      <Cost terms={terms} workerName={workerName} />
      {props.workerBooked ? (
        <Banner tone="wait" icon="calendar-x">
          <Trans>
            {workerName} is booked at that time. They can accept only if that job is cancelled or moved.
          </Trans>
        </Banner>
      ) : null}
      <div className="facts">
        <Fact icon="calendar-blank" title={terms.title} note={<When terms={terms} />} />
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
          offers={offers}
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
      <HelpLink article="make-an-offer">{t`How offers work`}</HelpLink>
      <Refused text={block ? null : move.refusal} />
      {props.businessId ? <PaidFrom businessId={props.businessId} value={funding} /> : null}
      {full ? (
        <Banner tone="wait" icon="users">
          <Trans>Every spot is filled or offered. Withdraw an offer, or increase the number of people.</Trans>
        </Banner>
      ) : null}
      <div className="row g2 sheet-act">
        <Button kind="quiet" onClick={props.onClose}>
          {t`Not now`}
        </Button>
        <Button
          kind="go"
          type="submit"
          className="grow"
          busy={move.busy}
          disabled={full || funding === undefined || block !== null}
        >
          {block
            ? block
            : error
              ? t`Make an offer`
              : replaces
                ? t`Change offer to ${money(terms.workerGetsMinor)}`
                : t`Offer ${money(terms.workerGetsMinor)} to ${first}`}
        </Button>
      </div>
    </Form>
  );
}

function Cost({ terms, workerName }: { terms: Terms; workerName: string }) {
  const { t } = useLingui();
  const money = (amount: number) => formatMoney(amount, terms.currency);
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
