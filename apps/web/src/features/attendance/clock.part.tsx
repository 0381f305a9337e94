import { Trans, useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/engagements';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { ApiError, type ApiErrorCode } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatDate, formatTime, ownTimeZone } from '../../lib/format.ts';
import { useOnline } from '../../lib/online.ts';
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
import { type AttendanceAct, actsNow, checkInWindow } from './attendance-acts.ts';
import { CodeField } from './code-field.tsx';
import './attendance.css';

const kindOf: Record<AttendanceAct, Attendance> = {
  'check-in': 'checkIn',
  'start-break': 'startBreak',
  'end-break': 'endBreak',
  'check-out': 'checkOut',
};

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
  const client = useQueryClient();
  const online = useOnline();
  const queued = useQueuedAttendance(work.id);
  const [busy, setBusy] = useState<AttendanceAct | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [byCode, setByCode] = useState(false);
  const acts = actsNow(work, queued, now);
  const window = checkInWindow(work);

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

  const main = acts.includes('check-in')
    ? 'check-in'
    : acts.includes('end-break')
      ? 'end-break'
      : acts.includes('check-out')
        ? 'check-out'
        : null;
  const second = acts.filter((act) => act !== main);
  const labels: Record<AttendanceAct, string> = {
    'check-in': t`Check in`,
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
        <QueuedNote key={entry.key} entry={entry} />
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
          kind="go"
          full
          className="act-main"
          icon={main === 'check-in' ? 'map-pin' : main === 'end-break' ? 'play' : 'sign-out'}
          busy={busy === main}
          onClick={() => void record(main, null)}
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
          onClick={() => void record(act, null)}
        >
          {labels[act]}
        </Button>
      ))}
      {main === 'check-in' ? (
        byCode ? (
          <CodeField busy={busy === 'check-in'} onCode={(code) => void record('check-in', code)} />
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

/** What waits on this device, or came back refused. */
function QueuedNote({ entry }: { entry: QueuedAttendance }) {
  const { t } = useLingui();
  const at = formatTime(entry.at, ownTimeZone());
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
