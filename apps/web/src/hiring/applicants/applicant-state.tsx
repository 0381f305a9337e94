import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { keepsApplicant } from '@nearhand/contract/hiring/applications.rules';
import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { useQueries } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { combineQueries, firstRead } from '../../lib/pages/initial-query-state.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { decideBy } from '../../lib/words/decide-by.ts';
import { formatDate, formatDay, formatMoney, joined } from '../../lib/words/format.ts';
import { ChargeProgress } from '../../money/charges/charge-progress.tsx';
import { HoldPayment } from '../../money/holds/hold-payment.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { CheckGroup } from '../../ui/controls/choices.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { RetryBanner } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useOffer, useWithdrawOffer } from '../offers/offers.api.ts';
import { applicantName, applicantStatusText, needsOutcome, proposalText } from './applicant.labels.ts';
import { cacheApplicant, reloadApplicants, useApplicationsOfWorker } from './applicants.api.ts';
import { OfferSheet } from './offer-sheet.tsx';

export function ApplicantState({ applicant, zone }: { applicant: Applicant; zone: string }) {
  const offer = applicant.offer ? <OfferLine applicant={applicant} offerId={applicant.offer.id} /> : null;
  const isUnpaid = applicant.offer?.status === 'funding';
  return (
    <div className="col">
      {isUnpaid ? offer : null}
      <Clock applicant={applicant} zone={zone} />
      {applicant.interview ? <InterviewLine interview={applicant.interview} zone={zone} /> : null}
      {isUnpaid ? null : offer}
      {applicant.engagementId ? (
        <WorkLine engagementId={applicant.engagementId} applicant={applicant} />
      ) : null}
    </div>
  );
}

function Clock({ applicant, zone }: { applicant: Applicant; zone: string }) {
  const { t } = useLingui();
  const clock = decideBy(applicant, zone);
  if (!clock) {
    const { label } = applicantStatusText(applicant.status, applicant.workEnding);
    return applicant.stage === 'ended' && applicant.engagementId === null ? (
      <Banner icon="info">{label}</Banner>
    ) : null;
  }
  return (
    <section className="pinecard decide-by" aria-label={t`Decide by`}>
      <div className="row">
        <ClockRing left={clock.share}>{clock.short}</ClockRing>
        <div className="grow">
          <p className="sm mute">{t`Decide by`}</p>
          <p className="h-m">{clock.until}</p>
        </div>
      </div>
      <p className="sm mt2 mute">
        <Trans>If you don't reply, the application closes and they're notified.</Trans>
      </p>
    </section>
  );
}

function InterviewLine({
  interview,
  zone,
}: {
  interview: NonNullable<Applicant['interview']>;
  zone: string;
}) {
  const { t } = useLingui();
  const now = useNow();
  const hasStarted = needsOutcome(interview, now);
  const needsReply = interview.awaits === 'business';
  const words: Record<InterviewStatus, string> = {
    proposed: proposalText(interview),
    scheduled: hasStarted ? t`Interview needs an outcome` : t`Interview scheduled`,
    reschedule_requested: proposalText(interview),
    completed: t`Interview completed`,
    cancelled: t`Interview cancelled`,
    lapsed: t`They didn't reply in time`,
    no_show_worker: t`They missed the interview`,
    no_show_business: t`They say nobody showed up to the interview`,
  };
  return (
    <Banner
      icon={interview.mode === 'video' ? 'video-camera' : interview.mode === 'phone' ? 'phone' : 'map-pin'}
      tone={hasStarted || needsReply ? 'wait' : interview.status === 'scheduled' ? 'here' : undefined}
      action={
        <ButtonLink kind="text" size="s" to={`/interview?id=${interview.id}`}>
          {hasStarted ? t`Add outcome` : needsReply ? t`Reply` : t`Open interview`}
        </ButtonLink>
      }
    >
      <p className="strong">{words[interview.status]}</p>
      {interview.startsAt ? <p>{formatDate(interview.startsAt, zone)}</p> : null}
    </Banner>
  );
}

function OfferLine({ applicant, offerId }: { applicant: Applicant; offerId: string }) {
  const { t } = useLingui();
  const query = useOffer(offerId);
  const series = useOffersOfSeries(applicant, query.data);
  const [move, setMove] = useState<OfferMove | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const offer = query.data;
  const name = applicantName(applicant);
  if (!offer) return null;
  const offers = series.data;
  if (!offers)
    return firstRead(series) === 'loading' ? (
      <RowsSkeleton count={1} />
    ) : (
      <RetryBanner error={series.error} onRetry={series.refetch} />
    );
  const isUnpaid = offer.status === 'funding';
  const { currency, timeZone } = offer.terms;
  const several = offers.length > 1;
  const status: Record<Offer['status'], string> = {
    funding: t`Payment needed`,
    sent: t`Offer sent`,
    accepted: t`Offer accepted`,
    declined: t`Offer declined`,
    expired: t`Offer expired`,
    withdrawn: t`Offer withdrawn`,
  };
  const totalMinor = sumOf(offers, ({ terms }) => (isUnpaid ? terms.holdMinor : terms.workerGetsMinor));
  const [firstExpiry = offer.expiresAt] = offers.map(({ expiresAt }) => expiresAt).toSorted();
  const days = joined(
    ...offers.flatMap(({ terms }) => (terms.startsAt ? formatDay(terms.startsAt, timeZone) : [])),
  );
  return (
    <div ref={line} tabIndex={-1}>
      <Banner icon="hand-coins" tone={isUnpaid || offer.status === 'sent' ? 'wait' : undefined}>
        <p className="strong">
          {status[offer.status]}: {formatMoney(totalMinor, currency)}
        </p>
        {several ? (
          <p>
            <Plural value={offers.length} one="# shift" other="# shifts" />: {days}
          </p>
        ) : null}
        {offer.status === 'sent' ? <p>{t`They'll reply by ${formatDate(firstExpiry, timeZone)}.`}</p> : null}
        <OfferMoney offers={offers} />
        {offer.reason ? <p className="pre-line break">{offer.reason}</p> : null}
        {offer.actions.includes('withdraw') ? (
          <div className="row wrap g2 mt2">
            {keepsApplicant(offer.source) ? (
              <Button kind="out" size="s" needsNetwork onClick={() => setMove('change')}>
                {several ? t`Change offers` : t`Change offer`}
              </Button>
            ) : null}
            <Button kind="quiet" size="s" needsNetwork onClick={() => setMove('withdraw')}>
              {several ? t`Withdraw offers` : t`Withdraw offer`}
            </Button>
          </div>
        ) : null}
      </Banner>
      {offers.map(({ status, hold }) =>
        status === 'sent' && hold?.status === 'authorising' && hold.charge ? (
          <div className="mt4" key={hold.charge.id}>
            <ChargeProgress charge={hold.charge} />
          </div>
        ) : null,
      )}
      {isUnpaid && offer.hold ? (
        <div className="mt4">
          <HoldPayment
            key={offer.hold.id}
            hold={offer.hold}
            answerBy={offer.expiresAt}
            businessId={offer.business.id}
            workerName={name}
            onPaid={() => {
              showToast(t`Offer sent to ${name}`);
              reloadApplicants();
            }}
          />
        </div>
      ) : null}
      <OfferMoves
        applicant={applicant}
        move={move}
        onClose={() => setMove(null)}
        onWithdrawn={() => line.current?.focus()}
      />
    </div>
  );
}

export type OfferMove = 'change' | 'withdraw';

/**
 * The forms that change or withdraw an applicant's open offer, with the offers for other shifts of its
 * series.
 */
export function OfferMoves({
  applicant,
  move,
  onClose,
  onWithdrawn,
}: {
  applicant: Applicant;
  move: OfferMove | null;
  onClose: () => void;
  onWithdrawn?: () => void;
}) {
  const { t } = useLingui();
  const query = useOffer(applicant.offer?.id);
  const series = useOffersOfSeries(applicant, query.data);
  const offers = (series.data ?? []).filter(({ actions }) => actions.includes('withdraw'));
  const name = applicantName(applicant);
  return (
    <>
      <OfferSheet
        applicant={move === 'change' && offers.length > 0 ? applicant : null}
        replaces={offers.filter(({ source }) => keepsApplicant(source))}
        onClose={onClose}
      />
      <Sheet
        open={move === 'withdraw' && offers.length > 0}
        onClose={onClose}
        title={offers.length > 1 ? t`Withdraw offers to ${name}` : t`Withdraw this offer?`}
      >
        <WithdrawOffers
          offers={offers}
          applicant={applicant}
          onDone={() => {
            onClose();
            onWithdrawn?.();
          }}
        />
      </Sheet>
    </>
  );
}

/** The worker's offers of a series in the state of this one, soonest first; this one alone for a single job. */
function useOffersOfSeries({ seriesId, worker }: Applicant, offer: Offer | undefined) {
  const isSeries = seriesId !== null;
  const applications = useApplicationsOfWorker(isSeries ? worker.workerId : undefined);
  const otherOffers = useQueries({
    queries: (applications.data ?? [])
      .flatMap((application) =>
        isSeries && application.seriesId === seriesId && application.offer ? [application.offer] : [],
      )
      .filter(({ id, status }) => id !== offer?.id && status === offer?.status)
      .map(({ id }) => apiQuery.offers.get.queryOptions({ input: { offerId: id }, ...neverPersist })),
    combine: combineQueries<Offer>,
  });
  const whole = isSeries ? combineQueries<unknown>([applications, otherOffers]) : otherOffers;
  const offers = [...(offer ? [offer] : []), ...(otherOffers.data ?? [])]
    .filter(({ status }) => status === offer?.status)
    .sort((a, b) => Date.parse(a.terms.startsAt ?? '') - Date.parse(b.terms.startsAt ?? ''));
  return { ...whole, data: whole.data && offers };
}

const canKeep = ({ status, source }: Offer): boolean => status !== 'funding' && keepsApplicant(source);

/** Withdraws offers to one worker at once; `onEnd` runs when the state of the panel has changed. */
function useWithdrawal(applicant: Applicant, onEnd: () => void) {
  const { t } = useLingui();
  const withdraw = useWithdrawOffer();
  const action = useAction();
  const name = applicantName(applicant);
  // Awaited: `mutate` callbacks would be lost if the panel is closed in the meantime.
  const run = async (offers: readonly Offer[], keeps: boolean) => {
    const [first, ...laterOffers] = offers.map(({ id, version }) => ({ offerId: id, version }));
    if (!first) return;
    const isDone = await action.run(() =>
      withdraw.mutateAsync({ ...first, keepsApplicant: keeps, alsoFor: laterOffers }),
    );
    if (isDone) {
      const isOfferWithdrawn =
        !keeps && offers.some(({ id, status }) => id === applicant.offer?.id && status === 'sent');
      if (isOfferWithdrawn)
        cacheApplicant({ ...applicant, stage: 'ended', status: 'offer_withdrawn', actions: [] });
      showToast(
        laterOffers.length > 0
          ? t`Offers to ${name} withdrawn for ${plural(offers.length, { one: '# shift', other: '# shifts' })}`
          : t`Offer to ${name} withdrawn`,
      );
      onEnd();
    }
    reloadApplicants();
  };
  return { run, busy: action.busy, refusal: action.refusal };
}

/** Withdraws an offer, or the offers for the chosen shifts, all or none. */
function WithdrawOffers({
  offers,
  applicant,
  onDone,
}: {
  offers: readonly Offer[];
  applicant: Applicant;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const withdrawal = useWithdrawal(applicant, onDone);
  const workerName = applicantName(applicant);
  const [keptIds, setKeptIds] = useState<readonly string[]>([]);
  const offersToWithdraw = offers.filter(({ id }) => !keptIds.includes(id));
  const [first] = offers;
  if (!first) return null;
  const { currency } = first.terms;
  const returned = formatMoney(
    sumOf(offersToWithdraw, ({ terms }) => terms.holdMinor),
    currency,
  );
  const canKeepAll = offersToWithdraw.every(canKeep);
  const several = offers.length > 1;
  const isUnpaid = offersToWithdraw.every(({ status }) => status === 'funding');
  const effect = () => {
    if (offersToWithdraw.length === 0) return t`Pick at least one shift.`;
    if (several)
      return isUnpaid
        ? t`${workerName} hasn't seen them. Any card payment still on its way goes to your balance.`
        : t`${workerName} is notified once. ${returned} goes back to your balance.`;
    if (isUnpaid)
      return t`${workerName} hasn't seen it. Any card payment still on its way goes to your balance.`;
    return canKeepAll
      ? t`${workerName} is notified. ${returned} goes back to your balance.`
      : t`${workerName} is notified and the application closes. ${returned} goes back to your balance.`;
  };
  const send = (keepsApplicant: boolean) => void withdrawal.run(offersToWithdraw, keepsApplicant);
  return (
    <div className="col">
      {several ? (
        <CheckGroup
          legend={t`Which shifts?`}
          columns
          options={offers.map(({ id, terms }) => ({
            value: id,
            label: terms.startsAt ? formatDay(terms.startsAt, terms.timeZone) : terms.title,
            help: formatMoney(terms.workerGetsMinor, currency),
          }))}
          value={offersToWithdraw.map(({ id }) => id)}
          onChange={(ids) => setKeptIds(offers.flatMap(({ id }) => (ids.includes(id) ? [] : [id])))}
        />
      ) : null}
      <p className="sm mute">{effect()}</p>
      <Refused text={withdrawal.refusal} />
      {canKeepAll ? (
        <Button
          kind="out"
          full
          needsNetwork
          busy={withdrawal.busy}
          disabled={offersToWithdraw.length === 0}
          onClick={() => send(true)}
        >
          {t`Withdraw, keep as applicant`}
        </Button>
      ) : null}
      <Button
        kind="bad"
        full
        needsNetwork
        busy={withdrawal.busy}
        disabled={offersToWithdraw.length === 0}
        onClick={() => send(false)}
      >
        {several
          ? t`Withdraw for ${plural(offersToWithdraw.length, { one: '# shift', other: '# shifts' })}`
          : canKeepAll
            ? t`Withdraw and end application`
            : t`Withdraw offer`}
      </Button>
    </div>
  );
}

function OfferMoney({ offers }: { offers: readonly Offer[] }) {
  const { t } = useLingui();
  const { fundAheadDays } = useSettings();
  const live = offers.filter(({ status }) => status === 'sent' || status === 'accepted');
  return [...new Set(live.map(({ funding }) => funding))].map((funding) => {
    const ofFunding = live.filter((offer) => offer.funding === funding);
    const amount = formatMoney(
      sumOf(ofFunding, ({ terms }) => terms.holdMinor),
      ofFunding[0]?.terms.currency ?? 'EUR',
    );
    const words = {
      funded: t`Funded: ${amount} is set aside.`,
      frozen: t`Funds frozen: your card's bank is disputing the payment.`,
      planned: t`${amount} will be set aside ${fundAheadDays} days before the start.`,
      partly_funded: t`Partly funded: your card's bank took part of it back.`,
      not_funded: t`Not funded: no money is set aside.`,
    };
    return <p key={funding}>{words[funding]}</p>;
  });
}

function WorkLine({ engagementId, applicant }: { engagementId: string; applicant: Applicant }) {
  const { t } = useLingui();
  const { label } = applicantStatusText(applicant.status, applicant.workEnding);
  return (
    <Banner
      icon="calendar-check"
      tone={applicant.stage === 'ended' ? undefined : 'good'}
      action={
        <ButtonLink kind="text" size="s" to={`/tabs/menu/jobs/engagement/${engagementId}`}>
          {t`View booked job`}
        </ButtonLink>
      }
    >
      <p className="strong">{label}</p>
    </Banner>
  );
}
