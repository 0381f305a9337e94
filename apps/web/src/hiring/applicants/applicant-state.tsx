import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { keepsApplicant } from '@nearhand/contract/hiring/applicants.rules';
import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { decideBy } from '../../lib/words/decide-by.ts';
import { formatDate, formatDay, formatMoney, joined } from '../../lib/words/format.ts';
import { HoldPayment } from '../../money/holds/hold-payment.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useOffer, useWithdrawOffer } from '../offers/offers.api.ts';
import { applicantName, applicantStatusText, needsOutcome, proposalText } from './applicant.labels.ts';
import { cacheApplicant, reloadApplicants, useApplicationsOfWorker } from './applicants.api.ts';
import { OfferSheet } from './offer-sheet.tsx';

export function ApplicantState({ applicant, zone }: { applicant: Applicant; zone: string }) {
  const offer = applicant.offer ? <OfferLine applicant={applicant} offerId={applicant.offer.id} /> : null;
  const unpaid = applicant.offer?.status === 'funding';
  return (
    <div className="col">
      {unpaid ? offer : null}
      <Clock applicant={applicant} zone={zone} />
      {applicant.interview ? <InterviewLine interview={applicant.interview} zone={zone} /> : null}
      {unpaid ? null : offer}
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
    no_show_merchant: t`They say nobody showed up to the interview`,
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
  const withdraw = useWithdrawOffer();
  const [changing, setChanging] = useState<Offer | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const offer = query.data;
  const name = applicantName(applicant);
  if (!offer) return null;
  const unpaid = offer.status === 'funding';
  const keeps = !unpaid && keepsApplicant(offer.source);
  const ask = async () => {
    const choice = await showAlert({
      title: t`Withdraw this offer?`,
      message: unpaid
        ? t`${name} hasn't seen it. Any card payment still on its way goes to your balance.`
        : keeps
          ? t`${name} is notified. The money set aside goes back to your balance.`
          : t`${name} is notified and the application closes. The money set aside goes back to your balance.`,
      tone: 'ask',
      buttons: [
        ...(keeps ? [{ value: 'return', label: t`Withdraw, keep as applicant` } as const] : []),
        {
          value: 'withdraw',
          label: keeps ? t`Withdraw and end application` : t`Withdraw offer`,
          kind: 'bad',
        },
        { value: 'keep', label: t`Keep the offer`, kind: 'quiet' },
      ],
    });
    if (choice !== 'withdraw' && choice !== 'return') return;
    // Awaited: `mutate` callbacks would be lost if the panel is closed in the meantime.
    try {
      await withdraw.mutateAsync({ offerId, version: offer.version, keepsApplicant: choice === 'return' });
      if (!unpaid && choice === 'withdraw')
        cacheApplicant({ ...applicant, stage: 'ended', status: 'offer_withdrawn', actions: [] });
      showToast(t`Offer to ${name} withdrawn`);
      line.current?.focus();
    } catch (error) {
      showToast(errorText(error));
    } finally {
      reloadApplicants();
    }
  };
  const status: Record<Offer['status'], string> = {
    funding: t`Payment needed`,
    sent: t`Offer sent`,
    accepted: t`Offer accepted`,
    declined: t`Offer declined`,
    expired: t`Offer expired`,
    withdrawn: t`Offer withdrawn`,
  };
  return (
    <div ref={line} tabIndex={-1}>
      <Banner icon="hand-coins" tone={unpaid || offer.status === 'sent' ? 'wait' : undefined}>
        <p className="strong">
          {status[offer.status]}:{' '}
          {formatMoney(unpaid ? offer.terms.holdMinor : offer.terms.workerGetsMinor, offer.terms.currency)}
        </p>
        <OfferedShifts applicant={applicant} status={offer.status} />
        {offer.status === 'sent' ? (
          <p>{t`They'll reply by ${formatDate(offer.expiresAt, offer.terms.timeZone)}.`}</p>
        ) : null}
        <OfferMoney offer={offer} />
        {offer.reason ? <p className="pre-line break">{offer.reason}</p> : null}
        {offer.actions.includes('withdraw') ? (
          <div className="row wrap g2 mt2">
            {keepsApplicant(offer.source) ? (
              <Button kind="out" size="s" needsNetwork onClick={() => setChanging(offer)}>
                {t`Change offer`}
              </Button>
            ) : null}
            <Button kind="quiet" size="s" needsNetwork busy={withdraw.isPending} onClick={() => void ask()}>
              {t`Withdraw offer`}
            </Button>
          </div>
        ) : null}
      </Banner>
      {unpaid && offer.hold ? (
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
      <OfferSheet
        applicant={changing ? applicant : null}
        replaces={changing ?? undefined}
        onClose={() => setChanging(null)}
      />
    </div>
  );
}

/** The days of the shifts of a series that are offered to the worker; nothing for a single one. */
function OfferedShifts({ applicant, status }: { applicant: Applicant; status: Offer['status'] }) {
  const { seriesId, worker } = applicant;
  const { data = [] } = useApplicationsOfWorker(seriesId === null ? undefined : worker.workerId);
  const days = data
    .filter((other) => other.seriesId === seriesId && other.offer?.status === status)
    .flatMap(({ jobStartsAt, timeZone }) => (jobStartsAt ? [{ jobStartsAt, timeZone }] : []))
    .sort((a, b) => Date.parse(a.jobStartsAt) - Date.parse(b.jobStartsAt))
    .map(({ jobStartsAt, timeZone }) => formatDay(jobStartsAt, timeZone));
  if (days.length < 2) return null;
  return (
    <p>
      <Plural value={days.length} one="# shift" other="# shifts" />: {joined(...days)}
    </p>
  );
}

function OfferMoney({ offer }: { offer: Offer }) {
  const { t } = useLingui();
  if (offer.status !== 'sent' && offer.status !== 'accepted') return null;
  const amount = formatMoney(offer.terms.holdMinor, offer.terms.currency);
  const words = {
    funded: t`Funded: ${amount} is set aside.`,
    frozen: t`Funds frozen: your card's bank is disputing the payment.`,
    partly_funded: t`Partly funded: your card's bank took part of it back.`,
    not_funded: t`Not funded: no money is set aside.`,
  };
  return <p>{words[offer.funding]}</p>;
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
