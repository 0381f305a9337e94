import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useRef, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useOnline } from '../../lib/device/online.ts';
import { nativePlugin } from '../../lib/native/plugins.ts';
import { settingsNow, useSettings } from '../../lib/settings.ts';
import { formatMinutes, formatTime } from '../../lib/words/format.ts';
import { locateDevice } from '../../people/places/places.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { announce } from '../../ui/overlays/toast.tsx';
import { checkInOpensText, closeDistance } from '../engagements/engagement.labels.ts';
import { cacheEngagement } from '../engagements/engagements.api.ts';
import {
  dropAttendance,
  type QueuedAttendance,
  recordAttendance,
  trackRecording,
  useQueuedAttendance,
} from './attendance.api.ts';
import {
  type AttendanceAct,
  actsNow,
  asRecorded,
  checkInTimes,
  earlyLeave,
  isReturning,
} from './attendance-acts.ts';
import { CodeField } from './code-field.tsx';
import type { Attendance } from './send-attendance.ts';
import './attendance.css';

const kindOf: Record<AttendanceAct, Attendance> = {
  'check-in': 'checkIn',
  'start-break': 'startBreak',
  'end-break': 'endBreak',
  'check-out': 'checkOut',
};

/** The work with queued events applied while offline; online, the server's response decides. */
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
  onPosition?: (position: Position) => void;
};

/** Refusals that are said at the field of the code. */
const ofCode: ReadonlySet<string> = new Set(['attendance/wrong-code', 'attendance/code-attempts']);

/** The acts of the large button, the most urgent first. */
const mainActs = ['check-in', 'end-break', 'check-out'] as const;

/** Check-in, breaks and check-out, by location or check-in code, online or offline. */
export function ClockPart({ work, now, onPosition }: ClockProps) {
  const { t } = useLingui();
  const online = useOnline();
  const queued = useQueuedAttendance(work.id);
  const settings = useSettings();
  const acts = actsNow(work, queued, now, settings);
  const window = checkInTimes(work, settings);
  const { press, busy, refusal, byCode, setByCode, sentCode } = usePress(work, onPosition);
  const codeError = byCode && refusal?.isOfCode ? refusal.text : undefined;
  const main = mainActs.find((act) => acts.includes(act)) ?? null;
  const second = acts.filter((act) => act !== main);
  const isReturn = main === 'check-in' && isReturning(work, queued);
  // A worker who left after the start submits hours first.
  const hasStarted = work.terms.startsAt !== null && now.getTime() >= Date.parse(work.terms.startsAt);
  const hasEnded = work.terms.endsAt !== null && now.getTime() >= Date.parse(work.terms.endsAt);
  const labels: Record<AttendanceAct, string> = {
    'check-in': isReturn ? t`Check in again` : t`Check in`,
    'start-break': t`Start break`,
    'end-break': t`End break`,
    'check-out': t`Check out`,
  };
  const isEarly = window !== null && now < window.from && isUpcoming(work.status) && queued.length === 0;
  if (main === null && queued.length === 0 && !isEarly) return null;
  return (
    <div className="col">
      {queued.map((entry) => (
        <QueuedNote key={entry.key} entry={entry} terms={work.terms} />
      ))}
      <Refused text={codeError ? null : (refusal?.text ?? null)} />
      <ClockNotes
        work={work}
        now={now}
        opensAt={isEarly ? window.from : null}
        main={main}
        isReturn={isReturn}
      />
      {main ? (
        <Button
          kind={isReturn && hasStarted ? 'out' : 'go'}
          full
          className="act-main"
          icon={main === 'check-in' ? 'map-pin' : main === 'end-break' ? 'play' : 'sign-out'}
          busy={busy === main}
          needsNetwork={false}
          onClick={() => void press(main, null)}
        >
          {labels[main]}
        </Button>
      ) : null}
      {second.map((act) => (
        <Button
          key={act}
          kind={hasEnded && act === 'start-break' ? 'text' : 'out'}
          full
          icon={act === 'start-break' ? 'pause' : 'sign-out'}
          busy={busy === act}
          needsNetwork={false}
          onClick={() => void press(act, null)}
        >
          {labels[act]}
        </Button>
      ))}
      {main === 'check-in' ? (
        byCode ? (
          <CodeField
            start={sentCode ?? ''}
            busy={busy === 'check-in'}
            error={codeError}
            onCode={(code) => void press('check-in', code)}
          />
        ) : (
          <Button kind="text" size="s" onClick={() => setByCode(true)}>
            {t`Use the check-in code`}
          </Button>
        )
      ) : null}
      {main ? (
        <p className="sm mute row g2 act-note">
          <Icon name="wifi-slash" />
          <span>
            {online
              ? t`Works offline and is sent when you reconnect`
              : t`You're offline. We'll save it and send it when you reconnect.`}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** Notes to read before a press: the opening of check-in, the start of the pay, and the way to undo a check-out. */
function ClockNotes({
  work,
  now,
  opensAt,
  main,
  isReturn,
}: {
  work: EngagementCard;
  now: Date;
  /** Null once check-in is open. */
  opensAt: Date | null;
  main: AttendanceAct | null;
  isReturn: boolean;
}) {
  const { t } = useLingui();
  const { startsAt, timeZone } = work.terms;
  const hasStarted = startsAt !== null && now.getTime() >= Date.parse(startsAt);
  return (
    <>
      {opensAt ? (
        <p className="mute row g2 act-note">
          <Icon name="timer" />
          <span>{checkInOpensText(opensAt, timeZone, now)}</span>
        </p>
      ) : null}
      {main === 'check-in' || opensAt ? (
        <HelpLink article="check-in">{t`How check-in works`}</HelpLink>
      ) : null}
      {startsAt && !hasStarted && main !== null ? (
        <p className="mute row g2 act-note">
          <Icon name="info" />
          <span>
            <Trans>
              Your pay counts from {formatTime(startsAt, timeZone)}. Worked earlier? Add it when you submit
              your hours: it's paid if the business agrees.
            </Trans>
          </span>
        </p>
      ) : null}
      {isReturn ? (
        <p className="mute row g2 act-note">
          <Icon name="info" />
          <span>
            <Trans>Checked out by mistake? Check in again. The time in between isn't paid.</Trans>
          </span>
        </p>
      ) : null}
    </>
  );
}

/** Handles a press: confirms if needed, locates the device, records the event and shows the result. */
function usePress(work: EngagementCard, onPosition: ClockProps['onPosition']) {
  const { t } = useLingui();
  const confirmLeaving = useConfirmLeaving(work);
  const [busy, setBusy] = useState<AttendanceAct | null>(null);
  const [refusal, setRefusal] = useState<{ text: string; isOfCode: boolean } | null>(null);
  const [byCode, setByCode] = useState(false);
  const [sentCode, setSentCode] = useState<string | null>(null);
  // Guards against a second press before the button renders as busy.
  const running = useRef<symbol | null>(null);

  const press = async (act: AttendanceAct, code: string | null) => {
    if (running.current) return;
    const token = Symbol(act);
    running.current = token;
    try {
      if (act !== 'check-out' || (await confirmLeaving())) await trackRecording(work.id, record(act, code));
    } finally {
      if (running.current === token) running.current = null;
    }
  };

  const record = async (act: AttendanceAct, code: string | null) => {
    // The time of the press counts, not when the location fix arrives.
    const pressed = new Date();
    setBusy(act);
    setRefusal(null);
    setSentCode(code);
    const position = code === null ? await locate(act === 'check-in') : null;
    if (position) onPosition?.(position);
    if (act === 'check-in' && code === null && position === null) {
      setRefusal({
        text: t`We can't see your location. Allow location access in your settings, or use the check-in code.`,
        isOfCode: false,
      });
      setByCode(true);
      setBusy(null);
      return;
    }
    const recording = recordAttendance(
      {
        engagementId: work.id,
        title: work.terms.title,
        kind: kindOf[act],
        position,
        code,
      },
      pressed,
    );
    // The event is on the device, so the next action can be pressed while it is being sent.
    running.current = null;
    const recorded = await recording;
    setBusy((now) => (now === act ? null : now));
    if (recorded.state === 'refused') {
      setRefusal({
        text: refusalText(recorded.refusal, position, work.terms),
        isOfCode: ofCode.has(recorded.refusal),
      });
      if (act === 'check-in') setByCode(true);
      void queryClient.invalidateQueries({ queryKey: apiQuery.engagements.key() });
      return;
    }
    if (recorded.state === 'lost') {
      setRefusal({
        text: t`You're offline and this device couldn't save it. Try again in a moment.`,
        isOfCode: false,
      });
      return;
    }
    setByCode(false);
    if (recorded.state === 'waiting') return;
    if (recorded.engagement) cacheEngagement(recorded.engagement);
    else void queryClient.invalidateQueries({ queryKey: apiQuery.engagements.key() });
    announce(doneText(act));
    void nativePlugin('Haptics')
      ?.notification({ type: 'SUCCESS' })
      .catch(() => {});
  };

  const doneText = (act: AttendanceAct): string => {
    switch (act) {
      case 'check-in':
        return t`You're checked in`;
      case 'start-break':
        return t`Break started`;
      case 'end-break':
        return t`Break ended`;
      case 'check-out':
        return t`You're checked out`;
    }
  };

  return { press, busy, refusal, byCode, setByCode, sentCode };
}

/** Confirms an early check-out, so that one tap can't end the day by mistake. */
function useConfirmLeaving(work: EngagementCard): () => Promise<boolean> {
  const { t } = useLingui();
  return async () => {
    const early = earlyLeave(work, new Date());
    if (early === null) return true;
    const length = formatMinutes(early.minutes);
    const choice = await showAlert({
      title: early.started ? t`Leave ${length} early?` : t`Check out before the shift starts?`,
      message: early.started
        ? t`The shift runs until ${formatTime(work.terms.endsAt ?? '', work.terms.timeZone)}. Taking a break? Start a break instead.`
        : t`The shift starts at ${formatTime(work.terms.startsAt ?? '', work.terms.timeZone)}.`,
      tone: 'ask',
      buttons: [
        { value: 'stay', label: t`Stay checked in` },
        { value: 'leave', label: t`Check out now`, kind: 'out' },
      ],
    });
    return choice === 'leave';
  };
}

function QueuedNote({ entry, terms }: { entry: QueuedAttendance; terms: EngagementCard['terms'] }) {
  const { t } = useLingui();
  const at = formatTime(entry.at, terms.timeZone);
  const labels: Record<Attendance, string> = {
    checkIn: t`Checked in at ${at}`,
    startBreak: t`Break started at ${at}`,
    endBreak: t`Break ended at ${at}`,
    checkOut: t`Checked out at ${at}`,
  };
  return entry.refusal === null ? (
    <Banner tone="wait" icon="hourglass" live>
      <p className="strong">{labels[entry.kind]}</p>
      <p>
        <Trans>Saved on this device. We'll send it when you're online.</Trans>
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
        <Trans>Not accepted: {labels[entry.kind]}</Trans>
      </p>
      <p>{refusalText(entry.refusal, entry.position, terms)}</p>
    </Banner>
  );
}

/** An approximate location is off by a kilometre or more; an indoor fix by less than this. */
const approximateM = 500;

/** The reason why an event was refused. People with an approximate location are not asked to move closer. */
function refusalText(
  code: string,
  position: Position | null,
  { place, timeZone }: EngagementCard['terms'],
): string {
  if (code === 'attendance/too-far' && position !== null) {
    if (position.accuracyM > approximateM)
      return t`Your phone shares only an approximate location. Allow the precise one, or enter the check-in code.`;
    const awayM = metresBetween(position, place);
    const distance = closeDistance(awayM, timeZone);
    if (awayM > settingsNow().checkInRadiusM)
      return t`You're ${distance} from the site, too far away to check in. Move closer, or enter the check-in code.`;
  }
  return errorText(new ApiError(code as ApiErrorCode));
}

/** A check-in needs a precise location; other events use one if available. */
async function locate(needed: boolean): Promise<Position | null> {
  try {
    const { lat, lng, accuracyM } = await locateDevice({ precise: needed });
    return { lat, lng, accuracyM: Math.min(accuracyM, 100_000) };
  } catch {
    return null;
  }
}
