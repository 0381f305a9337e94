import { Trans, useLingui } from '@lingui/react/macro';
import { waysOutPath } from '@nearhand/contract/app-paths';
import { addMs, hourMs } from '@nearhand/contract/durations';
import { isSettled, isUpcoming } from '@nearhand/contract/engagement-statuses';
import { limits } from '@nearhand/contract/limits';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useEffect, useState } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMinutes, formatMoney, formatTime, joined } from '../../lib/words/format.ts';
import { relationText } from '../../lib/words/job.labels.ts';
import { locateDevice } from '../../people/places/places.api.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { checkInTimes } from '../attendance/attendance-acts.ts';
import { useAsRecorded } from '../attendance/clock.tsx';
import { DisputePart } from '../disputes/dispute.tsx';
import { FileDispute } from '../disputes/dispute-forms.tsx';
import { CounterActions } from '../timesheets/counter-card.tsx';
import { Deliveries } from '../timesheets/deliveries.tsx';
import { HoursCompare } from '../timesheets/hours-compare.tsx';
import { Releases } from '../timesheets/releases.tsx';
import { DayOffCard } from './day-off.tsx';
import {
  endedUnfunded,
  isAlreadyPaid,
  nextText,
  ownWhen,
  payBasis,
  termsFee,
  workHeadingId,
  workHeadline,
  workText,
  workWhen,
} from './engagement.labels.ts';
import { ReviewLink } from './review-links.tsx';
import { ShiftChangeCard } from './shift-change.tsx';
import { type MyPosition, SiteStrip } from './site-strip.tsx';
import { WorkActs } from './work-acts.tsx';
import { WorkSteps } from './work-steps.tsx';
import './engagements.css';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { savesFiles } from '../../lib/device/platform.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useSettings } from '../../lib/settings.ts';
import { FundingBadge, useFundingMeaning } from '../../money/holds/funding-badge.tsx';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Card, Fact, ListRow } from '../../ui/card.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { announce } from '../../ui/overlays/toast.tsx';
import { PhotoGrid } from '../../ui/photo-grid.tsx';
import { ContactRow } from './contact-row.tsx';
import { useEngagementMove } from './engagement-move.api.ts';
import { useCancelEngagement, useCancellationCost } from './engagements.api.ts';

/** Directions to the site appear this long before check-in opens. Days ahead, a distance is of no use. */
const wayShownMs = 3 * hourMs;

/** The worker's part of the agreed pay that was released before all of it is agreed. Minor units. */
const paidSoFar = ({ releases }: Engagement): number =>
  releases.reduce(
    (sum, { kind, state, workerGetsMinor }) =>
      kind === 'undisputed' && state === 'released' ? sum + workerGetsMinor : sum,
    0,
  );

export function WorkDetail({ work, level = 'h1' }: { work: Engagement; level?: 'h1' | 'h2' }) {
  const { t } = useLingui();
  const now = useNow(15_000);
  const [position, setPosition] = useState<MyPosition | null>(null);
  const { terms, business, cancelled } = work;
  const recorded = useAsRecorded(work);
  const window = checkInTimes(work, useSettings());
  const ahead = isUpcoming(recorded.status);
  const hasAgreedPay = isSettled(work.status);
  const isOnTheWay = ahead || recorded.status === 'checked_in';
  useKnownPosition(isOnTheWay && terms.kind === 'shift', setPosition);
  const next = nextText(work, now);
  const paidMinor = paidSoFar(work);
  return (
    <div className="work-page">
      <div className="work-top">
        <WorkHead work={work} recorded={recorded} now={now} level={level} />
        <div className="work-parts mt5">
          {ahead && window && now >= addMs(window.from, -wayShownMs) ? (
            <SiteStrip
              terms={terms}
              position={position}
              canCheckIn={window.from <= now && now <= window.until}
            />
          ) : null}
          <CancelledNote work={work} />
          {work.status === 'changes_requested' && work.deliveries.at(-1)?.changesAsked ? (
            <Banner tone="wait" icon="note-pencil">
              <p className="strong">{t`${business.name} asked for changes`}</p>
              <p dir="auto" className="pre-line">
                {work.deliveries.at(-1)?.changesAsked?.note}
              </p>
            </Banner>
          ) : null}
          {hasAgreedPay ? <Releases work={work} /> : null}
          <ReviewLink work={work} />
          <ShiftChangeCard work={work} />
          <DayOffCard work={work} />
          <WorkActs work={work} now={now} onPosition={setPosition} />
          {/* On its own screen, the answers are in the bar at the bottom. */}
          {level === 'h2' && work.status === 'counter_proposed' ? <CounterActions work={work} /> : null}
          {next && !isSaidAbove(work) ? (
            <section>
              <h2 className="h-s">{t`What happens next`}</h2>
              <p className="mt1">
                {next}{' '}
                {paidMinor > 0 && !hasAgreedPay && !isAlreadyPaid(work)
                  ? t`${formatMoney(paidMinor, terms.currency)} of your pay is in your balance already.`
                  : null}
              </p>
            </section>
          ) : null}
          <DisputePart engagement={work} />
          {work.status === 'counter_proposed' ? null : <HoursCompare engagement={work} />}
          <Deliveries work={work} />
          {hasAgreedPay ? null : <Releases work={work} />}
        </div>
      </div>
      <div className="work-parts work-rest">
        {cancelled ? null : <WorkFacts work={work} />}
        <WorkTerms work={work} />
        <WorkSteps work={work} />
        <WorkExits work={work} />
        <div className="row wrap g4">
          <ButtonLink kind="text" size="s" to={`/tabs/menu/my-work/${work.applicationId}`}>
            {t`See application`}
          </ButtonLink>
          {cancelled ? <MessageLink jobId={work.jobId} name={business.name} /> : null}
        </div>
      </div>
    </div>
  );
}

function WorkHead({
  work,
  recorded,
  now,
  level: Heading,
}: {
  work: Engagement;
  recorded: ReturnType<typeof useAsRecorded<Engagement>>;
  now: Date;
  level: 'h1' | 'h2';
}) {
  const { t } = useLingui();
  const { terms, business, cancelled } = work;
  const words = workText(recorded, now);
  const title = workHeadline(recorded, now);
  return (
    <div className="row top">
      <div className="grow">
        <Heading className="h-l" id={workHeadingId(work.id)} tabIndex={-1}>
          {title}
        </Heading>
        <p className="lead mute mt1">{joined(terms.title, business.name)}</p>
        <p className="lead mute">{workWhen(terms, now)}</p>
        <p className="row wrap g2 mt2">
          {words.badge === title || cancelled || isSettled(work.status) ? null : (
            <Badge tone={words.tone}>{words.badge}</Badge>
          )}
          {work.lateMinutes ? <Badge tone="wait">{t`${work.lateMinutes} min late`}</Badge> : null}
        </p>
      </div>
      <BusinessMark src={fileUrl(business.logoPath)} category={terms.category} size="l" />
    </div>
  );
}

function CancelledNote({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { terms, business, cancelled } = work;
  if (!cancelled) return null;
  return (
    <Banner icon="info" tone={cancelled.late ? 'wait' : 'here'}>
      {cancelled.compensationMinor > 0 || work.unconfirmed || work.excused || endedUnfunded(work) ? null : (
        <p className="strong">{cancelled.late ? t`It was a late cancellation.` : t`Cancelled on time`}</p>
      )}
      {endedUnfunded(work) ? (
        <p>{t`${business.name} didn’t set your pay aside in time. It doesn’t count against you.`}</p>
      ) : null}
      {work.excused ? <p>{t`It doesn’t count against you, and your other days stay booked.`}</p> : null}
      {work.unconfirmed ? <p>{t`We offered the spot to others. It counts as a late cancellation.`}</p> : null}
      {cancelled.reason ? (
        <p dir="auto" className="pre-line">
          {cancelled.reason}
        </p>
      ) : null}
      {cancelled.compensationMinor > 0 ? (
        <p>
          <Trans>
            It was a late cancellation, so you get {formatMoney(cancelled.compensationMinor, terms.currency)}.
          </Trans>
        </p>
      ) : null}
    </Banner>
  );
}

/** Shows the worker on the map if location access was granted before; never prompts. */
function useKnownPosition(enabled: boolean, onPosition: (position: MyPosition) => void): void {
  useEffect(() => {
    if (!enabled) return;
    let unmounted = false;
    const look = async () => {
      const allowed = await navigator.permissions?.query({ name: 'geolocation' });
      if (allowed?.state !== 'granted') return;
      const { lat, lng, accuracyM } = await locateDevice({ precise: true });
      if (!unmounted) onPosition({ lat, lng, accuracyM });
    };
    look().catch(() => {});
    return () => {
      unmounted = true;
    };
  }, [enabled, onPosition]);
}

function WorkFacts({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const meaning = useFundingMeaning();
  const { terms, business, funding } = work;
  const isLive = work.status !== 'completed' && work.status !== 'approved';
  const isFunded = funding === 'funded';
  const { lat, lng, address, area } = terms.place;
  const pay = formatMoney(terms.workerGetsMinor, terms.currency);
  return (
    <Card flush as="section" label={t`Place, pay and contact`}>
      <ListRow
        lead={<Icon name="map-pin" />}
        title={joined(business.name, address)}
        note={area}
        end={
          <a
            className="link sm hit"
            href={`https://www.openstreetmap.org/directions?to=${lat}%2C${lng}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t`Route`}
          </a>
        }
      />
      {isLive && work.releases.length === 0 ? (
        <ListRow
          lead={<Icon name={funding === 'planned' ? 'calendar-check' : 'shield-check'} />}
          title={isFunded ? t`${pay} is secured for you` : t`${pay} for you`}
          note={isFunded ? payBasis(terms) : `${payBasis(terms)}. ${meaning(funding, business.name, terms)}`}
          // A plan is a whole sentence, which needs the width of a phone.
          end={funding === 'planned' ? null : <FundingBadge funding={funding} />}
        />
      ) : null}
      <ContactRow work={work} />
      {work.contact?.notes ? (
        <ListRow lead={<Icon name="info" />} title={t`Getting in`} note={work.contact.notes} />
      ) : null}
      <div className="li">
        <MessageLink jobId={work.jobId} name={business.name} />
      </div>
    </Card>
  );
}

/**
 * Returns whether the counter-proposal, no-show or dispute on the page already explains what happens next.
 */
const isSaidAbove = ({ next, status, noShow, actions }: Engagement): boolean =>
  status === 'counter_proposed' ||
  next?.kind === 'dispute' ||
  (noShow !== null && actions.includes('contest'));

export function WorkTerms({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { terms, business, jobId } = work;
  const when = workWhen(terms);
  const ownSpan = ownWhen(terms);
  const hasAgreedPay = isSettled(work.status);
  return (
    <section>
      <h2 className="h-m">{hasAgreedPay ? t`What you were booked for` : t`Agreed terms`}</h2>
      <div className="facts mt3">
        {when ? (
          <Fact
            icon="calendar-blank"
            title={when}
            note={
              ownSpan ??
              (terms.breakMinutes > 0
                ? terms.breakPaid
                  ? t`${formatMinutes(terms.breakMinutes)} paid break`
                  : t`${formatMinutes(terms.breakMinutes)} unpaid break`
                : undefined)
            }
            end={
              isUpcoming(work.status) && terms.startsAt && savesFiles() ? (
                <a className="btn text s" href={calendarFile(work)} download="work.ics">
                  {t`Add to calendar`}
                </a>
              ) : undefined
            }
          />
        ) : null}
        {work.cancelled ? null : (
          <Fact
            icon="coins"
            title={t`${formatMoney(terms.workerGetsMinor, terms.currency)} to you`}
            note={`${payBasis(terms)}. ${termsFee(terms, business.name)}`}
          />
        )}
        {terms.relation ? (
          <Fact
            icon="identification-card"
            title={relationText(terms.relation)}
            note={t`How you were hired`}
          />
        ) : null}
      </div>
      {work.photoIds.length > 0 ? (
        <div className="mt3">
          <PhotoGrid urls={work.photoIds.map((fileId) => fileUrl(fileContentPath(fileId)))} />
        </div>
      ) : null}
      <ButtonLink kind="text" size="s" className="mt2" to={`/job-desc/${jobId}`}>
        {t`See job`}
      </ButtonLink>
    </section>
  );
}

const stampOf = (instant: string): string => `${new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')}`;
const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** A calendar file made on the device, so it works offline. */
function calendarFile({ id, terms, business, steps }: Engagement): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nearhand//Work//EN',
    'BEGIN:VEVENT',
    `UID:engagement-${id}@nearhand`,
    `DTSTAMP:${stampOf(steps.at(-1)?.at ?? terms.startsAt ?? '')}`,
    `DTSTART:${stampOf(terms.startsAt ?? '')}`,
    `DTEND:${stampOf(terms.endsAt ?? terms.startsAt ?? '')}`,
    `SUMMARY:${escapeText(`${terms.title}, ${business.name}`)}`,
    `LOCATION:${escapeText(`${terms.place.address}, ${terms.place.area}`)}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(lines.join('\r\n'))}`;
}

export function WorkExits({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'cancel' | 'dispute' | null>(null);
  const filing = useEngagementMove(work.side);
  const close = () => setOpen(null);
  const can = (action: 'cancel' | 'dispute') => work.actions.includes(action);
  if (!can('cancel') && !can('dispute') && open === null) return null;
  return (
    <div className="col">
      {can('dispute') ? (
        <Button kind="out" full icon="warning-circle" needsNetwork onClick={() => setOpen('dispute')}>
          {t`Open a dispute`}
        </Button>
      ) : null}
      {can('cancel') ? (
        work.terms.kind === 'shift' ? (
          <ButtonLink kind="quiet" full icon="calendar-x" needsNetwork to={waysOutPath(work.id)}>
            {t`Can't make it?`}
          </ButtonLink>
        ) : (
          <Button kind="quiet" full icon="calendar-x" needsNetwork onClick={() => setOpen('cancel')}>
            {t`Cancel booking`}
          </Button>
        )
      ) : null}
      <Sheet open={open === 'cancel'} onClose={close} title={t`Cancel this job?`}>
        {open === 'cancel' ? <CancelWorkForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'dispute'} onClose={close} title={t`Open a dispute`}>
        {open === 'dispute' ? (
          <FileDispute
            engagement={work}
            action={filing}
            onClose={close}
            onDone={() => {
              close();
              announce(t`Dispute opened`);
            }}
          />
        ) : null}
      </Sheet>
    </div>
  );
}

/** The worker's reason for cancelling booked work, and what cancelling means for them. */
export function CancelWorkForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const { lateCancelHours } = useSettings();
  const cancel = useCancelEngagement();
  const action = useEngagementMove(work.side);
  const draft = useTextDraft(`cancel ${work.id}`);
  const { freeUntil, late, compensationMinor } = useCancellationCost(work);
  return (
    <ReasonForm
      note={{
        label: t`Reason for ${work.business.name}`,
        max: limits.reasonMax,
        missing: t`Write a sentence about what happened.`,
        draft,
      }}
      send={t`Cancel booking`}
      kind="bad"
      action={action}
      onSend={(reason) =>
        cancel.mutateAsync({
          engagementId: work.id,
          version: work.version,
          reason,
          expects: { late, compensationMinor },
        })
      }
      onDone={() => {
        onDone();
      }}
    >
      <Banner tone={late ? 'bad' : 'here'} icon={late ? 'warning' : 'info'}>
        {late ? (
          <>
            <p className="strong">{t`This is a late cancellation.`}</p>
            <p>
              {work.terms.kind === 'shift' ? (
                <Trans>
                  It starts in less than {lateCancelHours} hours. Cancelling now lowers your reliability,
                  which businesses see when you apply. You won't be paid.
                </Trans>
              ) : (
                <Trans>
                  You've already started. Cancelling now lowers your reliability, which businesses see when
                  you apply.
                </Trans>
              )}
            </p>
          </>
        ) : (
          <p>
            {freeUntil ? (
              <Trans>
                You’ve just been booked: until {formatTime(freeUntil, work.terms.timeZone)} you can cancel
                without a mark. You won’t be paid.
              </Trans>
            ) : (
              <Trans>You're cancelling on time, so your reliability isn't affected. You won't be paid.</Trans>
            )}
          </p>
        )}
      </Banner>
    </ReasonForm>
  );
}
