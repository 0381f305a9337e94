import { t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { addMs, minuteMs } from '@nearhand/contract/durations';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { kioskPinDigits, pairingCodeDigits } from '@nearhand/contract/work/attendance.rules';
import type { KioskDay, KioskRecord, KioskShift } from '@nearhand/contract/work/kiosks';
import { useEffect, useState } from 'react';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useOnline } from '../../lib/device/online.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useResend } from '../../lib/pages/use-resend.ts';
import { formatAgo, formatDay, formatMinutes, formatTime } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Lockup } from '../../ui/art/mark.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { BareScreen } from '../../ui/pages/bare-screen.tsx';
import { codeAt } from '../attendance/attendance.api.ts';
import { useWakeLock } from '../attendance/site-code.tsx';
import {
  dropEntry,
  type KioskEntry,
  pairTablet,
  recordEntry,
  refreshTablet,
  sendEntries,
  useTablet,
  withEntries,
} from './kiosks.api.ts';
import './kiosk.css';

const readEveryMs = 30_000;
/** Someone who walked away leaves the pad to the next. */
const idleMs = 30_000;

/** A tablet at the door of a branch: who is due, the code for phones, and check-in by PIN. Works offline. */
export default function KioskScreen() {
  const { t } = useLingui();
  const tablet = useTablet();
  return (
    <BareScreen title={t`Tablet at the door`}>
      {tablet?.day ? <Door day={tablet.day} readAt={tablet.readAt} entries={tablet.entries} /> : <Pairing />}
    </BareScreen>
  );
}

function Pairing() {
  const { t } = useLingui();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const { run, busy, refusal } = useAction();
  // Paired, but without an answer so far.
  const isPaired = useTablet() !== null;
  useResend(isPaired, refreshTablet, 5_000);
  const pair = () => {
    if (code.length !== pairingCodeDigits) return setProblem(t`Enter all ${pairingCodeDigits} digits`);
    setProblem(undefined);
    void run(() => pairTablet(code));
  };
  return (
    <Form className="kiosk-pairing col g4" onSubmit={pair}>
      <Lockup />
      <h1 className="h-xl">{t`Use this tablet at the door`}</h1>
      <p className="lead">
        <Trans>
          Workers check in here, with or without a phone. A manager gets the code in Nearhand under On shift.
        </Trans>
      </p>
      <Refused text={refusal} />
      <TextInput
        id="pairing-code"
        label={t`Pairing code`}
        inputMode="numeric"
        autoComplete="off"
        value={code}
        error={problem}
        maxLength={pairingCodeDigits + 1}
        onChange={(event) =>
          setCode(plainDigits(event.target.value).replace(/\D/g, '').slice(0, pairingCodeDigits))
        }
      />
      <Button type="submit" kind="go" full busy={busy || isPaired} needsNetwork>
        {t`Pair this tablet`}
      </Button>
    </Form>
  );
}

type DoorProps = { day: KioskDay; readAt: string | null; entries: readonly KioskEntry[] };

function Door({ day, readAt, entries }: DoorProps) {
  const { t } = useLingui();
  const now = useNow(1_000);
  const online = useOnline();
  const [chosenId, setChosenId] = useState<string | null>(null);
  useWakeLock(true);
  useResend(true, refreshTablet, readEveryMs);
  const waiting = entries.filter(({ refusal }) => refusal === null);
  useResend(online && waiting.length > 0, sendEntries, 10_000);
  const shifts = day.shifts.map((shift) => withEntries(shift, entries));
  const dueShifts = shifts.filter((shift) => shift.hereSince === null && isDue(shift, day, now));
  const here = shifts.filter(({ hereSince }) => hereSince !== null);
  const chosenShift = [...dueShifts, ...here].find(({ engagementId }) => engagementId === chosenId) ?? null;
  const list = (title: string, shiftsOfGroup: KioskShift[]) =>
    shiftsOfGroup.length === 0 ? null : (
      <section className="col g2" aria-label={title}>
        <h2 className="h-s">{title}</h2>
        {shiftsOfGroup.map((shift) => (
          <ShiftButton
            key={shift.engagementId}
            shift={shift}
            day={day}
            now={now}
            pressed={shift === chosenShift}
            onPress={() => setChosenId(shift.engagementId)}
          />
        ))}
      </section>
    );
  return (
    <div className="kiosk">
      <section className="kiosk-due" aria-label={t`Who is due`}>
        <Lockup onPine />
        <p className="kiosk-clock num">{formatTime(now, day.timeZone)}</p>
        <p>
          {formatDay(now, day.timeZone, { style: 'long', now })}
          <br />
          <span className="mute" dir="auto">
            {day.branchName === day.businessName ? day.branchName : `${day.businessName}, ${day.branchName}`}
          </span>
        </p>
        {list(t`Due now`, dueShifts)}
        {list(t`Here`, here)}
        {dueShifts.length + here.length === 0 ? <p>{nextText(shifts, day, now)}</p> : null}
        <p className="mute kiosk-ask">
          {day.contactName === ''
            ? t`Not on the list? Ask the person in charge.`
            : t`Not on the list? Ask ${day.contactName}.`}
        </p>
      </section>
      <section className="kiosk-main">
        <PhoneCode day={day} now={now} />
        {chosenShift ? (
          <Pad
            key={chosenShift.engagementId}
            shift={chosenShift}
            timeZone={day.timeZone}
            onDone={() => setChosenId(null)}
          />
        ) : dueShifts.length + here.length === 0 ? null : (
          <div className="kiosk-hint">
            <p className="label">{t`Without a phone`}</p>
            <p className="h-m">{t`Tap your name, then type your PIN`}</p>
            <p className="mute">{t`Your PIN is in Nearhand on the page of your shift. Each shift has its own.`}</p>
          </div>
        )}
        <Entries entries={entries} timeZone={day.timeZone} offlineSince={online ? null : readAt} />
      </section>
    </div>
  );
}

const isDue = ({ startsAt, endsAt }: KioskShift, { opensMinutes }: KioskDay, now: Date): boolean =>
  addMs(now, opensMinutes * minuteMs) >= new Date(startsAt) && now <= new Date(endsAt);

function nextText(shifts: readonly KioskShift[], { timeZone }: KioskDay, now: Date): string {
  const next = shifts.find(({ startsAt }) => new Date(startsAt) > now);
  if (!next) return text`Nobody is due.`;
  const time = formatTime(next.startsAt, timeZone);
  return text`Nobody is due now. The next shift starts at ${time}.`;
}

type ShiftButtonProps = {
  shift: KioskShift;
  day: KioskDay;
  now: Date;
  pressed: boolean;
  onPress: () => void;
};

function ShiftButton({ shift, day: { timeZone }, now, pressed, onPress }: ShiftButtonProps) {
  const { t } = useLingui();
  const { hereSince, onBreakSince, startsAt, endsAt } = shift;
  const stateText = () => {
    if (onBreakSince) return t`On break since ${formatTime(onBreakSince, timeZone)}`;
    if (hereSince) return t`Until ${formatTime(endsAt, timeZone)}`;
    const minutes = Math.ceil((Date.parse(startsAt) - now.getTime()) / minuteMs);
    return minutes > 0 ? t`in ${formatMinutes(minutes)}` : formatAgo(startsAt, now);
  };
  return (
    <button type="button" className="kiosk-shift" aria-pressed={pressed} onClick={onPress}>
      <Avatar name={shift.name} />
      <span className="grow">
        <b dir="auto">{shift.name}</b>
        <span className="sm mute" dir="auto">
          {shift.title}
        </span>
      </span>
      <span className="end num">
        <b>{formatTime(hereSince ?? startsAt, timeZone)}</b>
        <span className="sm mute">{stateText()}</span>
      </span>
    </button>
  );
}

function PhoneCode({ day, now }: { day: KioskDay; now: Date }) {
  const { t } = useLingui();
  const current = codeAt(day, now);
  const msLeft = current ? Math.max(0, current.validUntil.getTime() - now.getTime()) : 0;
  return (
    <div className="kiosk-code">
      <div className="grow">
        <p className="label">{t`With your phone`}</p>
        <h1 className="h-m">{t`Type this code in My work`}</h1>
        {current ? (
          <p className="kiosk-digits num">
            <span aria-hidden="true">
              {current.code.slice(0, 3)} {current.code.slice(3)}
            </span>
            <span className="vh">{[...current.code].join(' ')}</span>
          </p>
        ) : (
          <p>{t`This tablet was offline for too long to know the code. Check in by PIN.`}</p>
        )}
      </div>
      {current ? (
        <ClockRing left={msLeft / minuteMs} size="l">
          <span className="num">{Math.ceil(msLeft / 1_000)}</span>
        </ClockRing>
      ) : null}
    </div>
  );
}

type PadProps = { shift: KioskShift; timeZone: string; onDone: () => void };
type Kind = KioskRecord['kind'];

function Pad({ shift, timeZone, onDone }: PadProps) {
  const { t } = useLingui();
  const [pin, setPin] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState<Kind | null>(null);
  useEffect(() => {
    const timer = setTimeout(onDone, pin === '' ? idleMs : 2 * idleMs);
    return () => clearTimeout(timer);
  }, [pin, onDone]);
  const firstName = firstNameOf(shift.name);
  const labels: Record<Kind, string> = {
    check_in: t`Check in`,
    break_start: t`Start break`,
    break_end: t`End break`,
    check_out: t`Check out`,
  };
  const kinds: Kind[] =
    shift.hereSince === null
      ? ['check_in']
      : shift.onBreakSince
        ? ['break_end', 'check_out']
        : ['check_out', 'break_start'];
  const press = async (kind: Kind) => {
    if (busy !== null) return;
    if (pin.length < kioskPinDigits) return setRefusal(t`Type your PIN first.`);
    setBusy(kind);
    setRefusal(null);
    const recording = await recordEntry(shift, kind, pin);
    setBusy(null);
    if (recording.state === 'refused') {
      setPin('');
      return setRefusal(refusalText(recording.refusal));
    }
    if (recording.state === 'lost')
      return setRefusal(t`This tablet is offline and can't store your time. Ask the person in charge.`);
    showToast(doneText(kind, shift.name));
    onDone();
  };
  const digit = (value: string) => (
    <button
      key={value}
      type="button"
      onClick={() => setPin((typed) => (typed + value).slice(0, kioskPinDigits))}
    >
      {value}
    </button>
  );
  return (
    <div className="kiosk-pad">
      <div className="col g3">
        <p className="label">{t`Without a phone`}</p>
        <h2 className="h-m" dir="auto">{t`${firstName}, your PIN`}</h2>
        <p className="sm mute" dir="auto">
          {shift.title}, {formatTime(shift.startsAt, timeZone)}–{formatTime(shift.endsAt, timeZone)}
        </p>
        <p
          className="kiosk-dots"
          role="img"
          aria-label={t`${pin.length} of ${kioskPinDigits} digits entered`}
        >
          {Array.from({ length: kioskPinDigits }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a dot has no identity but its index.
            <i key={index} className={index < pin.length ? 'on' : undefined} />
          ))}
        </p>
        <Refused text={refusal} />
        <div className="kiosk-acts col g2">
          {kinds.map((kind, index) => (
            <Button
              key={kind}
              kind={index === 0 ? 'go' : 'out'}
              full
              busy={busy === kind}
              needsNetwork={false}
              onClick={() => void press(kind)}
            >
              {labels[kind]}
            </Button>
          ))}
          <Button kind="text" onClick={onDone}>
            {t`Not ${firstName}`}
          </Button>
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend that would be read twice. */}
      <div className="kiosk-keys" role="group" aria-label={t`PIN pad`}>
        {[...'123456789'].map(digit)}
        <button type="button" className="quiet" onClick={() => setPin('')}>
          {t`Clear`}
        </button>
        {digit('0')}
        <button type="button" className="quiet" onClick={() => setPin((typed) => typed.slice(0, -1))}>
          {t`Delete`}
        </button>
      </div>
    </div>
  );
}

function refusalText(code: string): string {
  return code === 'attendance/wrong-code'
    ? text`That PIN is wrong. It is on the page of your shift in Nearhand.`
    : errorText(new ApiError(code as ApiErrorCode));
}

function doneText(kind: Kind, name: string): string {
  if (kind === 'check_in') return text`${name} is checked in`;
  if (kind === 'check_out') return text`${name} is checked out`;
  return kind === 'break_start' ? text`${name} is on a break` : text`${name} is back from the break`;
}

type EntriesProps = { entries: readonly KioskEntry[]; timeZone: string; offlineSince: string | null };

function Entries({ entries, timeZone, offlineSince }: EntriesProps) {
  const { t } = useLingui();
  return (
    <div className="kiosk-notes col g2">
      {entries
        .filter(({ refusal }) => refusal !== null)
        .map(({ at, name, refusal }) => (
          <Banner
            key={at}
            tone="bad"
            icon="warning-circle"
            live
            action={<Button kind="text" size="s" onClick={() => dropEntry(at)}>{t`Got it`}</Button>}
          >
            <Trans>
              {name}, {formatTime(at, timeZone)}: not recorded.
            </Trans>{' '}
            {refusalText(refusal ?? '')}
          </Banner>
        ))}
      {offlineSince === null ? null : (
        <Banner tone="wait" icon="wifi-slash" live>
          {t`Offline since ${formatTime(offlineSince, timeZone)}. Checking in works, and times are sent once the tablet is back online.`}
        </Banner>
      )}
    </div>
  );
}
