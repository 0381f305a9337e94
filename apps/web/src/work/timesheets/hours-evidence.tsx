import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { AttendanceEvent, Engagement, HoursClaim } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { formatDay, formatDistance, formatTime, joined, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useContestRecord } from '../attendance/attendance-records.api.ts';
import { attendanceText, claimFlagText } from '../engagements/engagement.labels.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { businessClaimOf, workerClaimOf } from './hours-compare.rules.ts';

export function HoursEvidence({ engagement }: { engagement: Engagement }) {
  const { t } = useLingui();
  const { attendance, side, worker, business } = engagement;
  const who = ({ by }: HoursClaim) =>
    (by === 'business' ? 'business' : 'worker') === side
      ? t`You`
      : by === 'business'
        ? business.name
        : worker.name || t`The worker`;
  const claim = workerClaimOf(engagement);
  const proposal = businessClaimOf(engagement);
  const isAnswering = side === 'worker' && engagement.status === 'counter_proposed';
  const flags = claim ? claimFlagText(claim.flags) : [];
  return (
    <ul className="evidence">
      {attendance.length === 0 ? (
        <li>
          <Icon name="map-pin" />
          <span className="mute">{t`No check-in or check-out was recorded.`}</span>
        </li>
      ) : null}
      {attendance.map((event) => (
        <AttendanceRow key={event.id} event={event} engagement={engagement} />
      ))}
      {flags.length > 0 ? (
        <li>
          <Icon name="warning" />
          <span>{t`Submitted hours: ${joined(...flags)}`}</span>
        </li>
      ) : null}
      {/* A worker who has to answer reads the proposal's reason above. */}
      {[claim, isAnswering ? null : proposal].map((entry) =>
        entry?.note ? (
          <li key={entry.id}>
            <Icon name="chats-circle" />
            <span className="pre-line break" dir="auto">
              <span className="sm mute block">
                {joined(who(entry), formatDay(entry.at, ownTimeZone()))}
                {entry.by === 'business' ? (
                  <>
                    {', '}
                    <Plural value={entry.round} one="round #" other="round #" />
                  </>
                ) : null}
              </span>
              {entry.note}
            </span>
          </li>
        ) : null,
      )}
    </ul>
  );
}

function AttendanceRow({ event, engagement }: { event: AttendanceEvent; engagement: Engagement }) {
  const { t } = useLingui();
  const { terms, side, worker, business } = engagement;
  const words = attendanceText(event);
  const proof = () => {
    if (event.how === 'manager')
      return side === 'business' ? t`recorded by you` : t`recorded by ${business.name}`;
    if (event.how === 'code') return t`with the check-in code`;
    if (event.how === 'kiosk') return t`by PIN on the tablet at the door`;
    if (event.distanceM === null) return t`no location`;
    return event.distanceM < 30
      ? t`at the site`
      : t`${formatDistance(event.distanceM, terms.timeZone)} from the site`;
  };
  const certain =
    event.how === 'position' && event.accuracyM !== null && event.accuracyM > 50
      ? t`accurate to ${formatDistance(event.accuracyM, terms.timeZone)}`
      : null;
  return (
    <li>
      <Icon name={event.how === 'code' ? 'qr-code' : event.kind.startsWith('break') ? 'coffee' : 'map-pin'} />
      <span>
        {joined(
          `${words.title} ${formatTime(event.at, terms.timeZone)}`,
          event.kind.startsWith('break') ? null : proof(),
          certain,
          ...words.flags,
        )}
        {event.reason ? (
          <span className="sm block pre-line break" dir="auto">
            {ownText(event.reason)}
          </span>
        ) : null}
        {event.contested ? (
          <span className="sm block pre-line break" dir="auto">
            <span className="strong">
              {side === 'worker' ? t`You contested it:` : t`${worker.name || t`The worker`} contested it:`}
            </span>{' '}
            {event.contested.note}
          </span>
        ) : null}
        {event.mayContest ? <ContestRecord work={engagement} event={event} /> : null}
      </span>
    </li>
  );
}

function ContestRecord({ work, event }: { work: Engagement; event: AttendanceEvent }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const contest = useContestRecord();
  const action = useEngagementMove(work.side);
  const draft = useTextDraft(`contest ${event.id}`);
  const { name } = work.business;
  return (
    <>
      <Button kind="text" size="s" needsNetwork onClick={() => setOpen(true)}>
        {t`Contest this time`}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Contest this time`}>
        {open ? (
          <ReasonForm
            note={{
              label: t`What's wrong with it?`,
              max: limits.reasonMax,
              missing: t`Write a sentence about what happened.`,
              draft,
            }}
            send={t`Contest this time`}
            action={action}
            onSend={(note) => contest.mutateAsync({ engagementId: work.id, eventId: event.id, note })}
            onDone={() => {
              setOpen(false);
              showToast(t`We've told ${name}`);
            }}
          >
            <p>
              <Trans>
                {name} sees what you write, and it stays on the record. You still submit the hours you worked.
              </Trans>
            </p>
          </ReasonForm>
        ) : null}
      </Sheet>
    </>
  );
}
