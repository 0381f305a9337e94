import { useLingui } from '@lingui/react/macro';
import { type Capability, roleMay } from '@nearhand/contract/people/team.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { statusesWithoutWorker } from '@nearhand/contract/work/replacements.rules';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import '../engagements/engagements.css';
import './business-work.css';
import { FundingBadge, FundingShort } from '../../money/holds/funding-badge.tsx';
import { useRoleIn } from '../../people/businesses/businesses.api.ts';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { DisputePart } from '../disputes/dispute.tsx';
import {
  businessNextText,
  businessWorkText,
  isLate,
  isLiveShift,
  lateText,
} from '../engagements/business-work.labels.ts';
import { ContactRow } from '../engagements/contact-row.tsx';
import { DayOffCard } from '../engagements/day-off.tsx';
import { endedUnfunded, ownWhen, payBasis, timeText, workWhen } from '../engagements/engagement.labels.ts';
import { ReviewLink } from '../engagements/review-links.tsx';
import { ShiftChangeCard } from '../engagements/shift-change.tsx';
import { isReturnedNoShow, WorkSteps } from '../engagements/work-steps.tsx';
import { Deliveries } from '../timesheets/deliveries.tsx';
import { HoursCompare } from '../timesheets/hours-compare.tsx';
import { Releases } from '../timesheets/releases.tsx';
import { openActions, useActionText, useBusinessActs } from './business-acts.tsx';
import { BusinessMoney, PlannedPay } from './business-money.tsx';
import { ReplacementCard } from './replacement.tsx';
import { WorkerHead } from './worker-head.tsx';

export function BusinessWorkDetail({ work, level = 'h1' }: { work: Engagement; level?: 'h1' | 'h2' }) {
  const { t } = useLingui();
  const now = useNow();
  const { ask, sheets } = useBusinessActs();
  const { worker } = work;
  const { label, tone } = businessWorkText(work, isLate(work, now));
  const next = businessNextText(work, useSettings(), now);
  const name = worker.name || t`No name given`;
  const role = useRoleIn(work.business.id);
  const may = (capability: Capability) => roleMay(role, capability);
  return (
    <div className="business-work">
      <WorkerHead work={work} name={name} level={level}>
        <p className="row wrap g2 mt2">
          <Badge tone={tone}>{label}</Badge>
          {isReturnedNoShow(work, now) ? (
            <Badge icon="arrow-counter-clockwise">{t`Money returned`}</Badge>
          ) : isLiveShift(work) ? (
            <FundingBadge funding={work.funding} />
          ) : null}
        </p>
      </WorkerHead>
      {isLiveShift(work) ? <FundingShort funding={work.funding} /> : null}
      {/* The card of a no-show says until when it can be contested. */}
      {next && work.dispute === null && work.status !== 'no_show_reported' ? (
        <Banner
          tone={work.status === 'submitted' || work.status === 'delivered' ? 'wait' : undefined}
          icon="clock"
        >
          {next}
        </Banner>
      ) : null}
      <ShiftChangeCard work={work} />
      <DayOffCard work={work} />
      <RunningLate work={work} />
      <OpenActs work={work} ask={ask} />
      {may('work') ? <ReviewLink work={work} /> : null}
      <NoShow work={work} />
      <Cancelled work={work} />
      {may('applicants') ? <ReplacementCard work={work} /> : null}
      <DisputePart engagement={work} />
      <HoursCompare engagement={work} />
      <Deliveries work={work} />
      <Releases work={work} />
      <PlannedPay work={work} />
      {may('pay') ? <BusinessMoney work={work} /> : null}
      <TermFacts work={work} />
      <ContactRow work={work} />
      <div className="row wrap g2">
        {may('messages') ? <MessageLink jobId={work.jobId} workerId={worker.id} /> : null}
        {may('applicants') ? (
          <>
            <ButtonLink
              kind="out"
              size="s"
              to={`/worker-details/${worker.id}?application=${work.applicationId}`}
            >
              {t`See application`}
            </ButtonLink>
            {/* The card of a replacement leads there. */}
            {statusesWithoutWorker.includes(work.status) ? null : (
              <ButtonLink kind="out" size="s" to={`/job-applicants/${work.jobId}`}>
                {t`See applicants`}
              </ButtonLink>
            )}
          </>
        ) : null}
      </div>
      <WorkSteps work={work} />
      {sheets}
    </div>
  );
}

function RunningLate({ work }: { work: Engagement }) {
  const late = lateText(work);
  if (!late) return null;
  return (
    <Banner tone="wait" icon="clock-countdown">
      <p className="strong">{late}</p>
      {work.runningLate?.note ? (
        <p className="pre-line break" dir="auto">
          {work.runningLate.note}
        </p>
      ) : null}
    </Banner>
  );
}

function OpenActs({ work, ask }: { work: Engagement; ask: ReturnType<typeof useBusinessActs>['ask'] }) {
  const { t } = useLingui();
  const words = useActionText();
  const open = openActions(work);
  const money = (minor: number) => formatMoney(minor, work.terms.currency);
  if (open.length === 0) return null;
  return (
    <div className="col g2">
      {open[0] === 'approve' ? (
        <ButtonLink kind="go" full to={`/release-payment?engagement=${work.id}`}>
          {t`Release ${money(work.amountMinor)}`}
        </ButtonLink>
      ) : null}
      <div className="act-row">
        {open
          .filter((action) => action !== 'approve')
          .map((action) => (
            <Button key={action} kind="quiet" size="s" needsNetwork onClick={() => ask(action, work)}>
              {words(action, work)}
            </Button>
          ))}
      </div>
    </div>
  );
}

function TermFacts({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const now = useNow();
  const { terms } = work;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const name = work.worker.name || t`No name given`;
  return (
    <section className="facts">
      <Fact
        icon="calendar-blank"
        title={workWhen(terms, now) ?? t`Any day`}
        note={ownWhen(terms, now) ?? undefined}
      />
      <Fact icon="map-pin" title={terms.place.address} note={terms.place.area} />
      {work.cancelled || work.status === 'no_show_reported' || work.status === 'contested' ? null : (
        <Fact
          icon="coins"
          title={t`${money(terms.workerGetsMinor)} to ${name}`}
          note={t`${payBasis(terms)}. You pay ${money(terms.holdMinor)} including the fee.`}
        />
      )}
    </section>
  );
}

function NoShow({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const now = useNow();
  const { noShow, terms, worker } = work;
  if (!noShow) return null;
  const name = worker.name || t`The worker`;
  const heldAmount = formatMoney(terms.holdMinor, terms.currency);
  const until = timeText(noShow.contestBy, terms.timeZone);
  const isReturned = isReturnedNoShow(work, now);
  const isOpen = !isReturned && noShow.contest === null && now < new Date(noShow.contestBy);
  return (
    <Card as="section" label={t`Reported no-show`}>
      <p className="strong">{t`Reported ${formatDate(noShow.reportedAt, ownTimeZone())}`}</p>
      {noShow.contest === null ? (
        isOpen ? (
          <p className="mute mt1">{t`${name} can contest this until ${until}.`}</p>
        ) : null
      ) : (
        <p className="mt2 pre-line break" dir="auto">
          <span className="sm mute block">{t`${name} says:`}</span>
          {noShow.contest}
        </p>
      )}
      <p className="mt2">
        {work.status === 'contested'
          ? t`${heldAmount} stays set aside until Nearhand decides.`
          : isOpen
            ? t`If they don't, ${heldAmount} goes back to your balance then.`
            : t`${heldAmount} went back to your balance.`}
      </p>
    </Card>
  );
}

function Cancelled({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { lateCancelHours } = useSettings();
  const { cancelled, terms } = work;
  if (!cancelled) return null;
  const cause = () => {
    if (work.unconfirmed) return t`Not confirmed in time, so we offered the spot to others`;
    if (work.excused) return t`Day off: you pay nothing, and the spot opened again`;
    if (endedUnfunded(work)) return t`The pay wasn’t set aside in time, so the booking ended`;
    return cancelled.late
      ? t`Cancelled late, less than ${lateCancelHours} hours before the start`
      : t`Cancelled on time`;
  };
  return (
    <Card as="section" label={t`Cancelled`}>
      <p className="strong">{cause()}</p>
      {cancelled.compensationMinor > 0 ? (
        <p className="mt1">{t`Compensation: ${formatMoney(cancelled.compensationMinor, terms.currency)}`}</p>
      ) : null}
      <p className="mute mt2 pre-line break" dir="auto">
        {cancelled.reason}
      </p>
    </Card>
  );
}
