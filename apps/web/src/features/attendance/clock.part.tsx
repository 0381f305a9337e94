import { Trans, useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/engagements';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { ApiError, type ApiErrorCode } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatDate, formatMinutes, formatTime } from '../../lib/format.ts';
import { useOnline } from '../../lib/online.ts';
import { useSettings } from '../../lib/settings.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Attendance } from '../engagements/engagements.api.ts';
import { keepEngagement } from '../engagements/engagements.api.ts';
import { locateDevice } from '../places/places.api.ts';
import {
  dropAttendance,
  type QueuedAttendance,
  recordAttendance,
  useQueuedAttendance,
} from './attendance.api.ts';
import {
  type AttendanceAct,
  actsNow,
  asRecorded,
  checkInWindow,
  comesBack,
  earlyLeave,
} from './attendance-acts.ts';
import { CodeField } from './code-field.tsx';
import './attendance.css';

const kindOf: Record<AttendanceAct, Attendance> = {
  'check-in': 'checkIn',
  'start-break': 'startBreak',
  'end-break': 'endBreak',
  'check-out': 'checkOut',
};

/** The work as it stands with what waits on this device without a network, for the words about it; with one the server is just being asked, and may refuse. */
export function useAsRecorded<Work extends Pick<EngagementCard, 'id' | 'status' | 'onBreak'>>(
  work: Work,
): Work {
  const queued = useQueuedAttendance(work.id);
  return useOnline() ? work : asRecorded(work, queued);
}

type Position = { lat: number; lng: number; accuracyM: number };

type ClockProps = {
  work: EngagementCard;
  now: Date;
  /** Tells the map where the device is. */
  onPosition?: (position: Position) => void;
};

/** Checking in, breaks and checking out: by position or by the code of the place, with or without a connection. */
export function ClockPart({ work, now, onPosition }: ClockProps) {
  const { t } = useLingui();
  const online = useOnline();
  const queued = useQueuedAttendance(work.id);
  const settings = useSettings();
  const acts = actsNow(work, queued, now, settings);
  const window = checkInWindow(work, settings);
  const { press, busy, refusal, byCode, setByCode } = usePress(work, onPosition);
  const main = acts.includes('check-in')
    ? 'check-in'
    : acts.includes('end-break')
      ? 'end-break'
      : acts.includes('check-out')
        ? 'check-out'
        : null;
  const second = acts.filter((act) => act !== main);
  const again = main === 'check-in' && comesBack(work, queued);
  // Who has left after the start first sends the hours.
  const begun = work.terms.startsAt !== null && now.getTime() >= Date.parse(work.terms.startsAt);
  const labels: Record<AttendanceAct, string> = {
    'check-in': again ? t`Check in again` : t`Check in`,
    'start-break': t`Start a break`,
    'end-break': t`End the break`,
    'check-out': t`Check out`,
  };
  const early =
    window !== null &&
    now < window.from &&
    (work.status === 'booked' || work.status === 'confirmed') &&
    queued.length === 0;
  if (main === null && queued.length === 0 && !early) return null;
  return (
    <div className="col">
      {queued.map((entry) => (
        <QueuedNote key={entry.key} entry={entry} timeZone={work.terms.timeZone} />
      ))}
      <Refused text={refusal} />
      {early ? (
        <p className="mute row g2 act-note">
          <Icon name="timer" />
          <span>
            <Trans>Check-in opens {formatDate(window.from, work.terms.timeZone, now)}.</Trans>
          </span>
        </p>
      ) : null}
      {main ? (
        <Button
          kind={again && begun ? 'out' : 'go'}
          full
          className="act-main"
          icon={main === 'check-in' ? 'map-pin' : main === 'end-break' ? 'play' : 'sign-out'}
          busy={busy === main}
          onClick={() => void press(main, null)}
        >
          {labels[main]}
        </Button>
      ) : null}
      {second.map((act) => (
        <Button
          key={act}
          kind="out"
          full
          icon={act === 'start-break' ? 'pause' : 'sign-out'}
          busy={busy === act}
          onClick={() => void press(act, null)}
        >
          {labels[act]}
        </Button>
      ))}
      {main === 'check-in' ? (
        byCode ? (
          <CodeField busy={busy === 'check-in'} onCode={(code) => void press('check-in', code)} />
        ) : (
          <Button kind="text" size="s" onClick={() => setByCode(true)}>
            {t`Use the code of the place`}
          </Button>
        )
      ) : null}
      {main ? (
        <p className="sm mute row g2 act-note">
          <Icon name="wifi-slash" />
          <span>
            {online
              ? t`Works offline, sent when you reconnect`
              : t`You are offline. It is kept here and sent when you reconnect.`}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** Presses of the clock: asks, finds the device, records, and says what came of it. */
function usePress(work: EngagementCard, onPosition: ClockProps['onPosition']) {
  const { t } = useLingui();
  const client = useQueryClient();
  const meansToLeave = useMeansToLeave(work);
  const [busy, setBusy] = useState<AttendanceAct | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [byCode, setByCode] = useState(false);
  // A second press may come before the button has been drawn as busy, or on another one.
  const running = useRef(false);

  const press = async (act: AttendanceAct, code: string | null) => {
    if (running.current) return;
    running.current = true;
    try {
      if (act !== 'check-out' || (await meansToLeave())) await record(act, code);
    } finally {
      running.current = false;
    }
  };

  const record = async (act: AttendanceAct, code: string | null) => {
    // The moment of the press counts, not when the device has found itself.
    const pressed = new Date();
    setBusy(act);
    setRefusal(null);
    const position = code === null ? await locate(act === 'check-in') : null;
    if (position) onPosition?.(position);
    if (act === 'check-in' && code === null && position === null) {
      setRefusal(
        t`Your device does not say where it is. Allow it in the settings, or use the code of the place.`,
      );
      setByCode(true);
      setBusy(null);
      return;
    }
    const recorded = await recordAttendance(
      {
        engagementId: work.id,
        title: work.terms.title,
        kind: kindOf[act],
        position,
        code,
      },
      pressed,
    );
    setBusy(null);
    if (recorded.state === 'refused') {
      setRefusal(refusalText(recorded.refusal));
      if (act === 'check-in') setByCode(true);
      void client.invalidateQueries({ queryKey: apiQuery.engagements.key() });
      return;
    }
    if (recorded.state === 'lost') {
      setRefusal(t`This device could not keep it and there is no connection. Try again in a moment.`);
      return;
    }
    setByCode(false);
    if (recorded.state === 'waiting') return;
    if (recorded.engagement) keepEngagement(client, recorded.engagement);
    else void client.invalidateQueries({ queryKey: apiQuery.engagements.key() });
    showToast(doneText(act));
  };

  const doneText = (act: AttendanceAct): string => {
    switch (act) {
      case 'check-in':
        return t`You are checked in`;
      case 'start-break':
        return t`Your break has begun`;
      case 'end-break':
        return t`Your break is over`;
      case 'check-out':
        return t`You are checked out`;
    }
  };

  return { press, busy, refusal, byCode, setByCode };
}

/** One tap must not end a day that has hardly begun. */
function useMeansToLeave(work: EngagementCard): () => Promise<boolean> {
  const { t } = useLingui();
  return async () => {
    const early = earlyLeave(work, new Date());
    if (early === null) return true;
    const length = formatMinutes(early.minutes);
    const answer = await showAlert({
      title: t`Leave ${length} early?`,
      message: early.begun
        ? t`The shift goes on until ${formatTime(work.terms.endsAt ?? '', work.terms.timeZone)}. For a break, start a break instead.`
        : t`The shift has not begun: it starts at ${formatTime(work.terms.startsAt ?? '', work.terms.timeZone)}.`,
      tone: 'ask',
      buttons: [
        { value: 'stay', label: t`Stay checked in` },
        { value: 'leave', label: t`Check out now`, kind: 'out' },
      ],
    });
    return answer === 'leave';
  };
}

/** What waits on this device, or came back refused. */
function QueuedNote({ entry, timeZone }: { entry: QueuedAttendance; timeZone: string }) {
  const { t } = useLingui();
  const at = formatTime(entry.at, timeZone);
  const what: Record<Attendance, string> = {
    checkIn: t`Checked in at ${at}`,
    startBreak: t`Break from ${at}`,
    endBreak: t`Break until ${at}`,
    checkOut: t`Checked out at ${at}`,
  };
  return entry.refusal === null ? (
    <Banner tone="wait" icon="hourglass" live>
      <p className="strong">{what[entry.kind]}</p>
      <p>
        <Trans>Kept on this device, waiting to be sent.</Trans>
      </p>
    </Banner>
  ) : (
    <Banner
      tone="bad"
      icon="warning-circle"
      live
      action={
        <Button kind="text" size="s" onClick={() => dropAttendance(entry.key)}>
          {t`Remove`}
        </Button>
      }
    >
      <p className="strong">
        <Trans>Not accepted: {what[entry.kind]}</Trans>
      </p>
      <p>{refusalText(entry.refusal)}</p>
    </Banner>
  );
}

const refusalText = (code: string): string => errorText(new ApiError(code as ApiErrorCode));

/** A check-in waits for a good fix; anything else takes one if it comes. */
async function locate(needed: boolean): Promise<Position | null> {
  try {
    const { lat, lng, accuracyM } = await locateDevice({ precise: needed });
    return { lat, lng, accuracyM: Math.min(accuracyM, 100_000) };
  } catch {
    return null;
  }
}
