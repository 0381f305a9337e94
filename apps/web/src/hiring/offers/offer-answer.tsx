import { Trans, useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import type { Pay } from '@nearhand/contract/hiring/jobs';
import type { Offer, OfferStatus } from '@nearhand/contract/hiring/offers';
import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import { limits } from '@nearhand/contract/limits';
import type { PlannedFunding } from '@nearhand/contract/money/funding';
import { type ConfirmHours, confirmByFor, confirmTimes } from '@nearhand/contract/work/confirm.rules';
import { workLimits } from '@nearhand/contract/work/limits';
import { Fragment, useState } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { newsText } from '../../lib/api/news.labels.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { shareLeft } from '../../lib/forms/share-left.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import {
  dotted,
  formatCalendarDay,
  formatDate,
  formatDateSpan,
  formatLeft,
  formatLeftShort,
  formatMinutes,
  formatMoney,
  formatShare,
  formatSpan,
  formatSum,
  formatTime,
  joined,
  ownTimeZone,
  spanIn,
} from '../../lib/words/format.ts';
import { payText, relationText } from '../../lib/words/job.labels.ts';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { announce } from '../../ui/overlays/toast.tsx';
import { QueryState, RetryBanner } from '../../ui/pages/query-state.tsx';
import { Loading, RowsSkeleton, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import '../../ui/desk.css';
import './offer-answer.css';
import { plural, t } from '@lingui/core/macro';
import { FundingBadge, useFundingMeaning, weakestFunding } from '../../money/holds/funding-badge.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useBookedWork, useBookedWorkAt } from '../calendar/calendar.api.ts';
import { WeekWarning } from '../calendar/conflicts.tsx';
import { useAcceptOffer, useDeclineOffer, useMyOffers, useOffer } from './offers.api.ts';
import { lateCancelText, PromiseFacts } from './promise-facts.tsx';

const { freeCancelMinutes } = workLimits;

const workPath = (id: string) => `/tabs/menu/my-work/engagement/${id}`;

/**
 * The time of an offer's work, in the job's zone and, if different, the reader's own. `isZoneNamed`: elsewhere
 * on the card.
 */
function offerWhen(
  { terms }: Pick<Offer, 'terms'>,
  isZoneNamed = false,
): { there: string; own: string | null } | null {
  const { startsAt, endsAt, timeZone, dueOn } = terms;
  if (!startsAt || !endsAt) return dueOn ? { there: formatCalendarDay(dueOn), own: null } : null;
  const ownZone = ownTimeZone();
  const isSameClock =
    formatTime(startsAt, ownZone) === formatTime(startsAt, timeZone) &&
    dayIn(ownZone, startsAt) === dayIn(timeZone, startsAt);
  const hereText =
    dayIn(timeZone, startsAt) === dayIn(ownZone, startsAt)
      ? `${formatTime(startsAt, ownZone)}–${formatTime(endsAt, ownZone)}`
      : formatSpan(startsAt, endsAt, ownZone);
  return {
    there: (isZoneNamed ? spanIn : formatSpan)(startsAt, endsAt, timeZone),
    own: isSameClock || isZoneNamed ? null : hereText,
  };
}

export const offerWaits = (application: Pick<MyApplication, 'status' | 'offer'>): boolean =>
  application.status === 'offered' && application.offer?.status === 'sent';

/** An application's last offer, for its worker: its frozen terms and deadline. Answered with `OfferActions`. */
export function OfferAnswer({ offerId, pay }: { offerId: string; pay: Pay }) {
  const query = useOffer(offerId);
  const offer = query.data;
  if (!offer)
    return query.error ? (
      <RetryBanner error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Loading>
        <div className="card sk-lines offer-sk">
          <SkeletonBar width={40} />
          <SkeletonBar width={60} tall />
          <SkeletonBar />
          <SkeletonBar width={70} />
        </div>
      </Loading>
    );
  return <OfferCard offer={offer} pay={pay} />;
}

const refOf = ({ id, version }: Offer) => ({ offerId: id, version });

/** Other offers of the series that can be accepted with this one, the soonest first; none once it is answered. */
function useOthersOfSeries(offer: Offer | undefined): Offer[] {
  const canJoin = offer?.status === 'sent' && typeof offer.seriesId === 'string';
  const live = useMyOffers('live', { enabled: canJoin });
  if (!canJoin) return [];
  return (live.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(
      ({ id, seriesId, actions }) =>
        id !== offer.id && seriesId === offer.seriesId && actions.includes('accept'),
    )
    .sort(byStart);
}

export function OfferActions({ offerId }: { offerId: string }) {
  const { t } = useLingui();
  const { accept, busy } = useAccept();
  const [declining, setDeclining] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const { lateCancelHours } = useSettings();
  const offer = useOffer(offerId).data;
  const otherOffers = useOthersOfSeries(offer);
  // Without the other dates, the answer to a block would be refused.
  const isAnswerable = useMyOffers('live', { enabled: offer?.asBlock === true }).isSuccess || !offer?.asBlock;
  if (!offer) return <span className="dock-sk" />;
  const isWholeBlock = [offer, ...otherOffers].every(({ asBlock }) => asBlock);
  const { terms, business } = offer;
  const when = offerWhen(offer);
  const gets = formatMoney(terms.workerGetsMinor, terms.currency);
  const take = async () => {
    const where = `${when?.there ?? ''}, ${terms.place.address}`;
    const lateText = lateCancelText(terms.startsAt, lateCancelHours, new Date());
    const answer = await showAlert({
      tone: 'ask',
      title: t`Accept this offer?`,
      message:
        terms.kind === 'shift' && lateText
          ? t`${where}. You can't take another job at that time. ${lateText}.`
          : terms.kind === 'shift'
            ? t`${where}. You can't take another job at that time. Cancelling less than ${lateCancelHours} hours before counts against your reliability, unless you do it within ${freeCancelMinutes} minutes of accepting.`
            : t`You'll be booked with ${business.name} to do this for ${gets}. Cancelling after you've started counts against your reliability.`,
      buttons: [
        { value: 'yes', label: t`Accept and be booked`, kind: 'go' },
        { value: 'no', label: t`Not yet` },
      ],
    });
    if (answer === 'yes') await accept([offer], []);
  };
  return (
    <>
      {offer.actions.includes('decline') ? (
        <Button kind="quiet" needsNetwork onClick={() => setDeclining(true)}>
          {t`Decline`}
        </Button>
      ) : null}
      {offer.actions.includes('accept') && isAnswerable ? (
        <Button
          kind="go"
          className="grow"
          busy={busy}
          onClick={() => (otherOffers.length > 0 ? setChoosing(true) : void take())}
        >
          {otherOffers.length === 0
            ? t`Accept for ${gets}`
            : isWholeBlock
              ? t`Accept all dates`
              : t`Choose dates`}
        </Button>
      ) : null}
      <Sheet open={declining} onClose={() => setDeclining(false)} title={t`Decline this offer?`}>
        {declining ? <Decline offer={offer} others={otherOffers} onDone={() => setDeclining(false)} /> : null}
      </Sheet>
      <Sheet
        open={choosing}
        onClose={() => setChoosing(false)}
        title={isWholeBlock ? t`All dates together` : t`Choose your dates`}
      >
        {choosing ? (
          <SeriesAnswer offers={[offer, ...otherOffers]} onDone={() => setChoosing(false)} />
        ) : null}
      </Sheet>
    </>
  );
}

/**
 * Accepts offers of one series and declines others, and leads to the booked work. `open` are those that stay
 * unanswered. Returns whether it did.
 */
function useAccept() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useAcceptOffer();
  const accept = async (
    [first, ...laterOffers]: readonly Offer[],
    declines: readonly Offer[],
    open: readonly Offer[] = [],
  ): Promise<boolean> => {
    if (!first) return false;
    try {
      const accepted = await mutateAsync({
        ...refOf(first),
        alsoFor: laterOffers.length > 0 ? laterOffers.map(refOf) : undefined,
        declines: declines.length > 0 ? declines.map(refOf) : undefined,
      });
      if (laterOffers.length + open.length > 0) {
        navigate('/tabs/menu/my-work');
        const booked = [first, ...laterOffers];
        const shifts = shiftCount(booked.length);
        const times = booked.map((offer) => offerWhen(offer)?.there ?? offer.terms.title);
        void showAlert({
          title: t`You’re booked for ${shifts}`,
          message: [...times, ...stillOpenText(open)].join('\n'),
        });
        return true;
      }
      announce(t`You're booked`);
      if (accepted.engagementId) navigate(workPath(accepted.engagementId));
      return true;
    } catch (error) {
      await showAlert({
        tone: 'bad',
        title: t`The offer wasn't accepted`,
        message: acceptErrorText(error, first.terms.timeZone),
      });
      return false;
    }
  };
  return { accept, busy: isPending };
}

/** Says how many offers of the series are unanswered and until when; an empty list if there are none. */
function stillOpenText(open: readonly Offer[]): string[] {
  const [soonest] = open.toSorted((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt));
  if (!soonest) return [];
  const until = formatDate(soonest.expiresAt, soonest.terms.timeZone);
  const text = plural(open.length, {
    one: `# more shift is still offered to you until ${until}.`,
    other: `# more shifts are still offered to you until ${until}.`,
  });
  return ['', text];
}

const byStart = (a: Offer, b: Offer): number =>
  Date.parse(a.terms.startsAt ?? '') - Date.parse(b.terms.startsAt ?? '');
const payTotalText = (offers: readonly Offer[]): string =>
  formatSum(offers.map(({ terms }) => ({ minor: terms.workerGetsMinor, currency: terms.currency })));

function rangeOf(offers: readonly Offer[]) {
  const amounts = offers.map(({ terms }) => terms.payMinor);
  return { minMinor: Math.min(...amounts), maxMinor: Math.max(...amounts) };
}

const bookedText = ({ title }: CalendarEvent): string => t`You're booked then: ${title}`;

/** The number and the sum of the shifts in a waiting offer's series; null for a single shift. */
export function useSeriesOfferText(offerId: string | undefined): string | null {
  const offer = useOffer(offerId).data;
  const otherOffers = useOthersOfSeries(offer);
  if (!offer || otherOffers.length === 0) return null;
  const shifts = shiftCount(otherOffers.length + 1);
  return t`${shifts} for ${payTotalText([offer, ...otherOffers])}`;
}

type FindsBookedWork = ReturnType<typeof useBookedWork>;

/** Every date of a series with an open offer, each to accept, unless the worker has other booked work. */
function SeriesAnswer({ offers, onDone }: { offers: readonly Offer[]; onDone: () => void }) {
  const { t } = useLingui();
  const query = useBookedWorkAt(offers.map(({ terms }) => terms));
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={offers.length} />}
      errorTitle={t`We couldn’t check your calendar`}
    >
      {(bookedWork) => <SeriesDates offers={offers} bookedWork={bookedWork} onDone={onDone} />}
    </QueryState>
  );
}

function SeriesDates({
  offers,
  bookedWork,
  onDone,
}: {
  offers: readonly Offer[];
  bookedWork: FindsBookedWork;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const { accept, busy } = useAccept();
  const { lateCancelHours } = useSettings();
  const [uncheckedIds, setUncheckedIds] = useState<readonly string[]>([]);
  const [declinesOthers, setDeclinesOthers] = useState(false);
  const dates = offers.toSorted(byStart);
  const block = offers.filter(({ asBlock }) => asBlock);
  const isWholeBlock = block.length === offers.length;
  const blockClash = block.map(({ terms }) => bookedWork(terms)).find((work) => work !== null) ?? null;
  const isFree = ({ terms, asBlock }: Offer) => (asBlock ? blockClash : bookedWork(terms)) === null;
  const isChosen = (date: Offer) => !uncheckedIds.includes(date.id) && isFree(date);
  const pickedDates = dates.filter(isChosen);
  const unpickedDates = dates.filter((date) => !isChosen(date));
  const [firstOther] = unpickedDates;
  const otherDate = firstOther ? (offerWhen(firstOther)?.there ?? firstOther.terms.title) : '';
  const toggle = (date: Offer) => {
    const ids = (date.asBlock ? block : [date]).map(({ id }) => id);
    setUncheckedIds((before) => {
      const rest = before.filter((id) => !ids.includes(id));
      return before.includes(date.id) ? rest : [...rest, ...ids];
    });
  };
  const shifts = shiftCount(pickedDates.length);
  return (
    <div className="col">
      <fieldset className="col bare-set">
        <legend className="vh">{t`Choose your dates`}</legend>
        {dates.map((date) => {
          const clash = bookedWork(date.terms);
          return (
            <Check
              key={date.id}
              label={offerWhen(date)?.there ?? date.terms.title}
              help={clash ? bookedText(clash) : payTotalText([date])}
              checked={isChosen(date)}
              disabled={isWholeBlock || !isFree(date)}
              onChange={() => toggle(date)}
            />
          );
        })}
      </fieldset>
      {unpickedDates.length > 0 && pickedDates.length > 0 ? (
        <Check
          label={plural(unpickedDates.length, {
            one: `Decline the other shift: ${otherDate}`,
            other: 'Decline the other # shifts',
          })}
          help={t`${dates[0]?.business.name ?? ''} is notified once. It doesn't count against you.`}
          checked={declinesOthers}
          onChange={(event) => setDeclinesOthers(event.target.checked)}
        />
      ) : null}
      <p className="sm mute">
        {pickedDates.length === 0 && isWholeBlock
          ? t`You need to be free on all dates to accept. Cancel the other work first, or decline the offer.`
          : pickedDates.length === 0
            ? t`Pick at least one date, or decline the offer.`
            : t`You can’t take another job at these times. Cancelling less than ${lateCancelHours} hours before counts against your reliability, unless you do it within ${freeCancelMinutes} minutes of accepting.`}
      </p>
      <Button
        kind="go"
        full
        needsNetwork
        busy={busy}
        disabled={pickedDates.length === 0}
        onClick={async () => {
          if (
            await accept(
              pickedDates,
              declinesOthers ? unpickedDates : [],
              declinesOthers ? [] : unpickedDates,
            )
          )
            onDone();
        }}
      >
        {t`Accept ${shifts} for ${payTotalText(pickedDates)}`}
      </Button>
    </div>
  );
}

function OfferCard({ offer, pay }: { offer: Offer; pay: Pay }) {
  const { t } = useLingui();
  const isLive = offer.status === 'sent' || offer.status === 'funding';
  const otherOffers = useOthersOfSeries(offer);
  const dates = [offer, ...otherOffers].sort(byStart);
  return (
    <Card as="section" label={t`The offer`} roomy>
      <OfferPay offer={offer} dates={dates} isLive={isLive} jobPay={pay} />
      <OfferFacts offer={offer} dates={dates} isLive={isLive} />
      {isLive ? (
        <div className="mt4">
          <WeekWarning jobId={offer.jobId} zone={offer.terms.timeZone} />
        </div>
      ) : null}
      {offer.message ? (
        <blockquote className="offer-words mt4" dir="auto">
          {offer.message}
        </blockquote>
      ) : null}
      {isLive ? <ReplyClock offer={offer} /> : null}
      <div className="mt4">
        <HelpLink article="offers">{t`How offers work`}</HelpLink>
      </div>
      {offer.engagementId ? (
        <div className="mt4">
          <ButtonLink kind="ink" full to={workPath(offer.engagementId)}>
            {t`View booked job`}
          </ButtonLink>
        </div>
      ) : null}
    </Card>
  );
}

type OfferPartProps = {
  offer: Offer;
  /** The offers of the series that are answered together, this one included. */
  dates: readonly Offer[];
  isLive: boolean;
};

function OfferPay({ offer, dates, isLive, jobPay }: OfferPartProps & { jobPay: Pay }) {
  const { t } = useLingui();
  const { terms, business } = offer;
  const isSeries = dates.length > 1;
  const { figure, notes } = payText(payOfTerms(terms), rangeOf(dates));
  const shifts = shiftCount(dates.length);
  const payTotal = formatSum(
    dates.map((date) => ({ minor: date.terms.payTotalMinor, currency: date.terms.currency })),
  );
  // The job's terms may have changed; only equal units are compared.
  const jobPayMinor = jobPay.maxMinor ?? jobPay.minor;
  const isMore = jobPay.currency === terms.currency && terms.payMinor > jobPayMinor;
  const posted = terms.kind === 'shift' ? (jobPay.unit === 'hour' ? jobPayMinor : null) : jobPayMinor;
  return (
    <>
      <div className="row top">
        <div className="grow">
          <h2 className="h-m">
            {offer.source === 'rebook' ? t`${business.name} wants you back` : t`The offer`}
          </h2>
          {offer.source === 'rebook' && isLive ? (
            <p className="sm mute">{t`They offer you this job directly. You don't need to apply.`}</p>
          ) : null}
          <p className="pay mt2">
            <b>{isSeries ? payTotalText(dates) : figure}</b>
            <span>
              {(isSeries ? [t`for ${shifts}`, ...notes.slice(1)] : notes).map((note) => (
                <span key={note} className="block">
                  {note}
                </span>
              ))}
            </span>
          </p>
        </div>
        <FundingBadge funding={weakestFunding(isLive ? dates : [offer]) ?? offer.funding} />
      </div>
      {isMore && posted !== null ? (
        <p className="sm strong mt2">
          {terms.kind === 'shift'
            ? t`More than the posted ${formatMoney(posted, terms.currency)} an hour.`
            : t`More than the posted ${formatMoney(posted, terms.currency)}.`}
        </p>
      ) : null}
      <p className="sm mute mt2">
        {terms.workerFeeBasisPoints === 0 ? (
          <Trans>
            You keep all of it. {business.name} pays our {formatShare(terms.businessFeeBasisPoints)} fee on
            top.
          </Trans>
        ) : (
          <Trans>
            You get this of {payTotal}, after our {formatShare(terms.workerFeeBasisPoints)} fee.
          </Trans>
        )}
      </p>
    </>
  );
}

function OfferFacts({ offer, dates, isLive }: OfferPartProps) {
  const { t } = useLingui();
  const now = useNow();
  const settings = useSettings();
  const bookedWork = useBookedWork(isLive);
  const { terms } = offer;
  const isSeries = dates.length > 1;
  const confirmBy = isLive ? confirmByOnAccept(offer, settings, now) : null;
  const mayHaveToConfirm = isLive && dates.some((date) => confirmByOnAccept(date, settings, now) !== null);
  return (
    <div className="facts mt4">
      {dates.map((date, at) => {
        const clash = isLive ? bookedWork(date.terms) : null;
        return (
          <Fragment key={date.id}>
            <OfferDate
              offer={date}
              isOfSeries={isSeries}
              isZoneNamed={at > 0}
              confirmBy={isLive && isSeries ? confirmByOnAccept(date, settings, now) : null}
              plannedFunding={
                isLive && isSeries && date.funding === 'planned' ? date.terms.plannedFunding : null
              }
            />
            {clash ? (
              <Fact
                icon="calendar-x"
                title={bookedText(clash)}
                note={t`Cancel that job to accept this one, or decline it.`}
              />
            ) : null}
          </Fragment>
        );
      })}
      <Fact icon="map-pin" title={terms.place.address || terms.place.area} note={terms.place.area} />
      {terms.relation ? (
        <Fact icon="identification-card" title={relationText(terms.relation)} note={t`How you’d be hired`} />
      ) : null}
      <PromiseFacts
        minimumMinutes={isLive ? terms.minimumMinutes : null}
        confirmBy={mayHaveToConfirm ? confirmBy : null}
        timeZone={terms.timeZone}
        eachShift={mayHaveToConfirm && (isSeries || confirmBy === null)}
      />
      {isLive
        ? [...new Map(dates.map((date) => [date.funding, date])).values()].map((date) => (
            <FundingFact key={date.funding} offer={date} isOfSeries={isSeries} />
          ))
        : null}
    </div>
  );
}

function ReplyClock({ offer }: { offer: Offer }) {
  const { t } = useLingui();
  const now = useNow();
  const settings = useSettings();
  const lateFrom = confirmByOnAccept(offer, settings, now) ? confirmsItselfFrom(offer, settings) : null;
  return (
    <div className="row g4 mt4">
      <ClockRing left={shareLeft(offer.sentAt ?? now.getTime(), offer.expiresAt, now)}>
        {formatLeftShort(offer.expiresAt, now)}
      </ClockRing>
      <p className="grow">
        <span className="strong block">{formatLeft(offer.expiresAt, now) ?? t`Time is up`}</span>
        <span className="sm mute">
          <Trans>
            Reply by {formatDate(offer.expiresAt, offer.terms.timeZone, now)} or the offer expires.
          </Trans>
        </span>
        {lateFrom ? (
          <span className="sm mute block">
            <Trans>
              If you accept after {formatDate(lateFrom, offer.terms.timeZone, now)}, that confirms it too.
            </Trans>
          </span>
        ) : null}
      </p>
    </div>
  );
}

/** The deadline to confirm a shift that is accepted now. There is none if it is too late to ask twice. */
function confirmByOnAccept({ terms }: Offer, settings: ConfirmHours, now: Date): string | null {
  const startsAt = terms.confirmBy && terms.startsAt ? new Date(terms.startsAt) : null;
  return confirmByFor(startsAt, terms.timeZone, settings, now)?.toISOString() ?? null;
}

/** The time from which accepting needs no confirmation; null if the offer ends before. */
function confirmsItselfFrom({ terms, expiresAt }: Offer, settings: ConfirmHours): string | null {
  if (!terms.startsAt) return null;
  const { askAt } = confirmTimes(new Date(terms.startsAt), terms.timeZone, settings);
  return askAt < new Date(expiresAt) ? askAt.toISOString() : null;
}

function OfferDate({
  offer,
  isOfSeries,
  isZoneNamed,
  confirmBy,
  plannedFunding,
}: {
  offer: Offer;
  isOfSeries: boolean;
  isZoneNamed: boolean;
  confirmBy: string | null;
  plannedFunding: PlannedFunding | null | undefined;
}) {
  const { t } = useLingui();
  const when = offerWhen(offer, isZoneNamed);
  const { startsAt, breakMinutes, breakPaid, timeZone } = offer.terms;
  if (!when) return null;
  const shift = dotted(
    isOfSeries && payTotalText([offer]),
    when.own && t`${when.own} your time`,
    breakMinutes > 0 &&
      (breakPaid
        ? t`${formatMinutes(breakMinutes)} paid break`
        : t`${formatMinutes(breakMinutes)} unpaid break`),
  );
  // Each on a line of its own, since its dates have commas.
  const lines = [
    shift,
    confirmBy && t`Confirm by ${formatDate(confirmBy, timeZone)}`,
    plannedFunding &&
      t`Pay set aside on ${formatDate(plannedFunding.at, timeZone)}, at the latest by ${formatDate(plannedFunding.by, timeZone)}`,
  ].filter((line) => line);
  return (
    <Fact
      icon="calendar-blank"
      title={startsAt ? when.there : t`Due by ${when.there}`}
      note={
        lines.length > 0
          ? lines.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))
          : null
      }
    />
  );
}

function FundingFact({
  offer: { funding, terms, business },
  isOfSeries,
}: {
  offer: Offer;
  isOfSeries: boolean;
}) {
  const { t } = useLingui();
  const meaning = useFundingMeaning();
  const titles = {
    funded: t`Your pay is secured`,
    frozen: t`Your pay is frozen`,
    planned: t`Your pay is set aside later`,
    partly_funded: t`Your pay is only partly secured`,
    not_funded: t`No money set aside`,
  };
  return (
    <Fact
      icon={funding === 'funded' ? 'shield-check' : funding === 'planned' ? 'calendar-check' : 'warning'}
      title={titles[funding]}
      note={
        isOfSeries && funding === 'planned'
          ? t`The dates are given with each shift. If ${business.name} hasn’t paid for one in time, that booking ends and doesn’t count against you.`
          : meaning(funding, business.name, terms)
      }
    />
  );
}

const staleOfferText = (error: unknown): string =>
  newsText(error, (status) => offerStatusText(status as OfferStatus));

/** The reason why it could not be accepted. Conflicting work is named, since the worker may want to cancel it. */
function acceptErrorText(failure: unknown, timeZone: string): string {
  const data = isApiError(failure, 'engagement/overlap') ? failure.data : undefined;
  return data
    ? `${staleOfferText(failure)} ${joined(data.title, formatDateSpan(data.startsAt, data.endsAt, timeZone))}`
    : staleOfferText(failure);
}

function Decline({ offer, others, onDone }: { offer: Offer; others: readonly Offer[]; onDone: () => void }) {
  const { t } = useLingui();
  const [all, setAll] = useState(true);
  const decline = useDeclineOffer();
  const action = useAction(staleOfferText);
  const draft = useTextDraft(`decline ${offer.id}`);
  const date = offerWhen(offer)?.there ?? offer.terms.title;
  const count = others.length + 1;
  const isWholeBlock = others.length > 0 && [offer, ...others].every(({ asBlock }) => asBlock);
  const declineAll = t`Decline all ${plural(count, { one: '# shift', other: '# shifts' })}`;
  return (
    <ReasonForm
      note={{ label: t`Reason`, max: limits.reasonMax, draft }}
      send={others.length === 0 ? t`Decline offer` : all ? declineAll : t`Decline ${date}`}
      kind="bad"
      action={action}
      onSend={(reason) =>
        decline.mutateAsync({ ...refOf(offer), reason, alsoFor: all ? others.map(refOf) : undefined })
      }
      onDone={onDone}
    >
      <p className="mute">
        <Trans>
          {offer.business.name} is notified and your application closes. It doesn't count against you.
        </Trans>
      </p>
      {isWholeBlock ? <p>{t`The dates go together, so you decline all of them.`}</p> : null}
      {others.length > 0 && !isWholeBlock ? (
        <Check label={declineAll} checked={all} onChange={(event) => setAll(event.target.checked)} />
      ) : null}
    </ReasonForm>
  );
}

function offerStatusText(status: OfferStatus): string {
  switch (status) {
    case 'funding':
      return t`Payment pending`;
    case 'sent':
      return t({ message: 'Open', context: 'state' });
    case 'accepted':
      return t`Accepted`;
    case 'declined':
      return t`Declined`;
    case 'expired':
      return t`Expired`;
    case 'withdrawn':
      return t`Withdrawn`;
  }
}
