import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import { dayIn } from '@nearhand/contract/durations';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import type { Job, PlannedShift } from '@nearhand/contract/hiring/jobs';
import {
  divideEdit,
  isAgreed,
  movedHours,
  type SeriesReach,
  type ShiftEdit,
} from '@nearhand/contract/hiring/series-edits.rules';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { useState } from 'react';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatCalendarDay, formatDay, formatMoney, joined } from '../../lib/words/format.ts';
import { holidayOn } from '../../lib/words/holidays.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { WeekCostList } from './also-on.tsx';

/** An edit of a shift, before the person has chosen which shifts of the series it changes. */
export type SeriesQuestion = {
  job: Job;
  /** The shifts of the job's series (`jobs.series`). */
  shifts: readonly PlannedShift[];
  edit: ShiftEdit;
  /** The zone of the place after the edit. */
  timeZone: string;
  country: string;
  notifies: boolean;
  /** The reach that is selected initially. */
  initialReach: SeriesReach;
  answer: (reach: SeriesReach | null) => void;
};

/** Asks how far an edit goes in the series of its shift, and shows its effect on each date. */
export function SeriesEditSheet({ question }: { question: SeriesQuestion | null }) {
  const { t } = useLingui();
  return (
    <Sheet
      open={question !== null}
      onClose={() => question?.answer(null)}
      title={t`Which shifts do you want to change?`}
    >
      {question ? <ReachForm question={question} /> : null}
    </Sheet>
  );
}

/** The cost of a shift with Nearhand's fee. */
const costOf = (
  { businessFeeBasisPoints }: PlannedShift,
  terms: { payMinor: number; headCount: number; paidMinutes: number },
): number => jobCost({ kind: 'shift', businessFeeBasisPoints, workerFeeBasisPoints: 0, ...terms }).totalMinor;

/** A shift of the series as it would be after the edit. */
function shiftAfter(shift: PlannedShift, { job, edit, timeZone }: SeriesQuestion) {
  const { parts, exceptions, promises, asks } = divideEdit(edit, shift);
  const before = { startsAt: new Date(job.startsAt ?? shift.startsAt), timeZone: job.timeZone };
  const after = {
    startsAt: new Date(edit.startsAt ?? job.startsAt ?? shift.startsAt),
    endsAt: new Date(edit.endsAt ?? job.endsAt ?? shift.endsAt),
    timeZone,
  };
  const zone = parts.includes('place') ? timeZone : shift.timeZone;
  const planned = { startsAt: new Date(shift.startsAt), endsAt: new Date(shift.endsAt) };
  const hoursChange = parts.includes('hours');
  const hours =
    hoursChange && (edit.startsAt || edit.endsAt)
      ? movedHours({ startsAt: planned.startsAt, timeZone: shift.timeZone }, { before, after }, zone)
      : planned;
  const minutes = paidMinutes(
    hours.startsAt,
    hours.endsAt,
    (hoursChange ? edit.breakMinutes : undefined) ?? shift.breakMinutes,
    (hoursChange ? edit.breakPaid : undefined) ?? shift.breakPaid,
  );
  const costMinor = costOf(shift, {
    payMinor: (parts.includes('pay') ? edit.payMinor : undefined) ?? shift.payMinor ?? 0,
    headCount: (parts.includes('head-count') ? edit.headCount : undefined) ?? shift.headCount,
    paidMinutes: minutes,
  });
  const day = dayIn(zone, hours.startsAt.toISOString());
  return {
    changes: parts.length > 0,
    hasException: exceptions.length > 0,
    hasPromise: promises.length > 0,
    asks,
    renews: shift.renewable && parts.some(isAgreed),
    hasPeople: shift.hired + shift.offered > 0,
    moves: day !== dayIn(shift.timeZone, shift.startsAt),
    day,
    costMinor,
  };
}

/** The amount set aside for the people booked on a shift when an edit raises its pay; 0 if it doesn't. */
function raiseMinor(shift: PlannedShift, { job, edit }: SeriesQuestion): number {
  const before = shift.payMinor ?? 0;
  const after = edit.payMinor ?? 0;
  const isReached = shift.jobId === job.id || divideEdit(edit, shift).parts.includes('pay');
  if (shift.hired === 0 || after <= before || !isReached) return 0;
  const minutes = paidMinutes(
    new Date(shift.startsAt),
    new Date(shift.endsAt),
    shift.breakMinutes,
    shift.breakPaid,
  );
  const costAt = (payMinor: number) =>
    costOf(shift, { payMinor, headCount: shift.hired, paidMinutes: minutes });
  return costAt(after) - costAt(before);
}

function ReachForm({ question }: { question: SeriesQuestion }) {
  const { t } = useLingui();
  const now = useNow();
  const { job, shifts, edit, initialReach, answer } = question;
  const [reach, setReach] = useState(initialReach);
  const isLater = ({ startsAt }: PlannedShift) => startsAt > (job.startsAt ?? '');
  const later = shifts.filter((shift) => shift.jobId === job.id || isLater(shift));
  const reached = reach === 'one' ? [] : reach === 'later' ? later : shifts;
  const otherShifts = reached
    .filter(({ jobId }) => jobId !== job.id)
    .map((shift) => shiftAfter(shift, question));
  const edited = reach === 'one' ? shifts.filter(({ jobId }) => jobId === job.id) : reached;
  const changesCost = ['payMinor', 'headCount', 'startsAt', 'endsAt', 'breakMinutes', 'breakPaid'].some(
    (field) => field in edit,
  );
  return (
    <Form onSubmit={() => answer(reach)}>
      <RadioGroup
        legend={t`Change`}
        value={reach}
        onChange={setReach}
        options={[
          {
            value: 'one',
            label: t`Only this shift`,
            help: job.startsAt ? formatDay(job.startsAt, job.timeZone, { now }) : undefined,
          },
          ...(later.length > 1 && later.length < shifts.length
            ? [
                {
                  value: 'later' as const,
                  label: t`This and the later ones`,
                  help: <Plural value={later.length} one="# shift" other="# shifts" />,
                },
              ]
            : []),
          {
            value: 'all',
            label: t`All shifts`,
            help: <Plural value={shifts.length} one="# shift" other="# shifts" />,
          },
        ]}
      />
      <div className="col g2 mt4" aria-live="polite">
        <ReachNotes question={question} otherShifts={otherShifts} edited={edited} />
        {changesCost && reach !== 'one' ? (
          <WeekCostList
            shifts={reached.map((shift) => shiftAfter(shift, question))}
            currency={job.pay.currency}
            now={now}
          />
        ) : null}
      </div>
      <div className="row g2 wrap sheet-act">
        <Button kind="quiet" onClick={() => answer(null)}>
          {t`Go back`}
        </Button>
        <Button kind="go" className="grow" type="submit" needsNetwork>
          {t`Save changes`}
        </Button>
      </div>
    </Form>
  );
}

/** Says what an edit does to the other shifts and their people. */
function ReachNotes({
  question,
  otherShifts,
  edited,
}: {
  question: SeriesQuestion;
  otherShifts: readonly ReturnType<typeof shiftAfter>[];
  edited: readonly PlannedShift[];
}) {
  const { t } = useLingui();
  const now = useNow();
  const { job, country, notifies } = question;
  const count = (matches: (shift: (typeof otherShifts)[number]) => boolean) =>
    otherShifts.filter(matches).length;
  const people = count(({ hasPeople }) => hasPeople);
  const promises = count(({ hasPromise }) => hasPromise);
  const renewals = count(({ renews }) => renews);
  const questions = count(({ asks }) => asks);
  const exceptions = count(({ hasException }) => hasException);
  const raisedMinor = sumOf(edited, (shift) => raiseMinor(shift, question));
  const clashes = otherShifts.flatMap(({ day, moves, changes }) => {
    const name = moves && changes ? holidayOn(country, day) : null;
    return name ? [{ day, name }] : [];
  });
  return (
    <>
      {people > 0 ? (
        <p>
          <Plural
            value={people}
            one="# of the other shifts has people on it."
            other="# of the other shifts have people on them."
          />{' '}
          {promises > 0 ? (
            <Trans>
              Where someone has an open offer that can’t be renewed, the hours and the place stay. Nobody
              loses their spot.
            </Trans>
          ) : null}
        </p>
      ) : null}
      {raisedMinor > 0 ? (
        <p>
          <Trans>
            {formatMoney(raisedMinor, job.pay.currency)} more is set aside from your balance for people
            already booked.
          </Trans>
        </p>
      ) : null}
      {questions > 0 ? (
        <p>
          <Plural
            value={questions}
            one="On # of the other shifts, people already booked are asked to accept. If they don’t answer, they work as agreed."
            other="On # of the other shifts, people already booked are asked to accept. If they don’t answer, they work as agreed."
          />
        </p>
      ) : null}
      {renewals > 0 ? (
        <p>
          <Trans>
            On {renewals} of the other shifts, open offers are replaced by new ones that people have to accept
            again.
          </Trans>
        </p>
      ) : null}
      {exceptions > 0 ? (
        <p>
          <Plural
            value={exceptions}
            one="# shift was changed on its own before and keeps that change."
            other="# shifts were changed on their own before and keep those changes."
          />
        </p>
      ) : null}
      {clashes.length > 0 ? (
        <ul className="col g1" aria-label={t`Public holidays`}>
          {clashes.map(({ day, name }) => (
            <li key={day}>{joined(formatCalendarDay(day, { now }), name)}</li>
          ))}
        </ul>
      ) : null}
      {notifies ? <p className="mute">{t`Each applicant gets one notification.`}</p> : null}
    </>
  );
}
