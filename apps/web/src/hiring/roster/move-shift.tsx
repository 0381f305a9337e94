import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { dayIn, dayMs } from '@nearhand/contract/durations';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatCalendarDay, formatTime, joined } from '../../lib/words/format.ts';
import { skippedText, skippedTime, spanAt, type TypedSpan } from '../../lib/words/zoned-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { SpanFields } from '../../ui/controls/span-fields.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useDrag } from '../../ui/pages/use-drag.ts';
import { refuseOffline } from '../applicants/use-acts.tsx';
import { useCloseJob, useDeleteDraft, useUpdateJob } from '../jobs/jobs.api.ts';
import { DropVerdict, OfferToSheet, PeopleStrip, type Person } from './offer-to.tsx';
import { type DayShift, isMovable, mayOfferSpots, typedSpanOf } from './roster.rules.ts';

function countsOf(people: DayShift['people']): { offers: number; booked: number } {
  const offers = people.filter(({ status }) => status === 'offered').length;
  return { offers, booked: people.length - offers };
}

/** Returns `move` and `copy`, which report what they did with a way to undo it. Both return true if it was done. */
function useShiftMoves(businessId: string) {
  const { t } = useLingui();
  const update = useUpdateJob();
  const copyShifts = useMutation(
    apiQuery.roster.copy.mutationOptions({ onSuccess: () => refetchChanged(['job']) }),
  );
  const deleteDraft = useDeleteDraft();
  const close = useCloseJob();

  const report = async (run: () => Promise<void>): Promise<boolean> => {
    try {
      await run();
      return true;
    } catch (error) {
      refetchChanged(['job']);
      await showAlert({ title: t`Nothing was changed`, message: errorText(error), tone: 'bad' });
      return false;
    }
  };

  const confirmMove = async ({ title, people }: DayShift, when: string): Promise<boolean> => {
    if (people.length === 0) return true;
    const { offers, booked } = countsOf(people);
    const answer = await showAlert({
      tone: 'ask',
      title: t`Move ${title} to ${when}?`,
      message: [
        booked > 0 &&
          t`${plural(booked, { one: '# person is asked to agree, and stays booked for the old time until then.', other: '# people are asked to agree, and stay booked for the old time until then.' })}`,
        offers > 0 &&
          t`${plural(offers, { one: '# open offer is replaced by one with the new time.', other: '# open offers are replaced by ones with the new time.' })}`,
      ]
        .filter(Boolean)
        .join(' '),
      buttons: [
        { value: 'move', label: booked > 0 ? t`Move and ask` : t`Move` },
        { value: 'no', label: t`Don’t move` },
      ],
    });
    return answer === 'move';
  };

  const move = async (shift: DayShift, span: TypedSpan): Promise<boolean> => {
    const { jobId, timeZone, title, status, people } = shift;
    const hours = spanAt(span, timeZone);
    if (!hours) {
      const skipped = skippedTime(span, timeZone);
      showToast(skipped ? skippedText(span[skipped]) : t`Choose a start and an end.`);
      return false;
    }
    if (!isMovable(shift, new Date())) {
      showToast(t`This shift can’t be moved any more. Copy it instead.`);
      return false;
    }
    if (Date.parse(hours.startsAt) <= Date.now()) {
      showToast(t`This is in the past. Choose a later time.`);
      return false;
    }
    const { startsAt, endsAt } = hours;
    const when = joined(
      formatCalendarDay(span.day),
      `${formatTime(startsAt, timeZone)}–${formatTime(endsAt, timeZone)}`,
    );
    if (!(await confirmMove(shift, when))) return false;
    return report(async () => {
      const { version } = await api.jobs.get({ jobId });
      const moved = await update.mutateAsync({ jobId, version, startsAt, endsAt });
      if (moved.status === 'in_review' && status !== 'in_review')
        showToast(t`We're checking ${moved.title} before workers see it`);
      else if (countsOf(people).booked > 0)
        showToast(t`${title} moved to ${when}. Booked people keep the old time until they agree.`);
      else if (people.length > 0) showToast(t`${title} moved to ${when}`);
      else
        showToast(t`${title} moved to ${when}`, {
          label: t`Undo`,
          run: () =>
            void report(async () => {
              const before = { startsAt: shift.startsAt, endsAt: shift.endsAt };
              await update.mutateAsync({ jobId, version: moved.version, ...before });
            }),
        });
    });
  };

  const copy = async (shift: DayShift, day: string): Promise<boolean> => {
    const hours = spanAt(typedSpanOf(shift, day), shift.timeZone);
    if (hours && Date.parse(hours.startsAt) <= Date.now()) {
      showToast(t`This is in the past. Choose a later time.`);
      return false;
    }
    const isDraft = shift.status === 'draft';
    return report(async () => {
      const { copies } = await copyShifts.mutateAsync({
        businessId,
        jobIds: [shift.jobId],
        days: Math.round((Date.parse(day) - Date.parse(shift.day)) / dayMs),
        asDrafts: isDraft,
      });
      const jobId = copies[0]?.jobId ?? '';
      showToast(t`${shift.title} copied to ${formatCalendarDay(day)}`, {
        label: t`Undo`,
        run: () =>
          void report(async () => {
            await (isDraft ? deleteDraft.mutateAsync({ jobId }) : close.mutateAsync({ jobId }));
          }),
      });
    });
  };
  return { move, copy };
}

type MoveProps = { shift: DayShift; businessId: string; open: boolean; onClose: () => void };

/** Moves a shift to another day or other hours, for keyboards and phones. */
export function MoveSheet({ open, onClose, ...props }: MoveProps) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Move to another day`}>
      {open ? <MoveForm {...props} onDone={onClose} /> : null}
    </Sheet>
  );
}

function MoveForm({
  shift,
  businessId,
  onDone,
}: Omit<MoveProps, 'open' | 'onClose'> & { onDone: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  const { move } = useShiftMoves(businessId);
  const { timeZone } = shift;
  const { offers, booked } = countsOf(shift.people);
  const form = useFormModel<TypedSpan>({
    focusProblems: true,
    start: () => typedSpanOf(shift),
    check: (span) => {
      const skipped = skippedTime(span, timeZone);
      if (skipped) return { [skipped]: skippedText(span[skipped]) };
      const hours = spanAt(span, timeZone);
      if (!hours) return span.day === '' ? { day: t`Choose a day.` } : { to: t`Choose a start and an end.` };
      return new Date(hours.startsAt) <= now ? { day: t`This is in the past. Choose a later time.` } : {};
    },
  });
  return (
    <Form
      onSubmit={() =>
        void form.submit(async (span) => {
          if (await move(shift, span)) onDone();
        })
      }
    >
      <SpanFields
        idOf={form.idOf}
        typed={form.values}
        problems={form.problems}
        firstDay={dayIn(timeZone, now)}
        timeZone={timeZone}
        onChange={form.change}
      />
      {booked > 0 ? (
        <p className="help">
          <Trans>Booked people are asked to agree. Until then they keep the old time.</Trans>
        </p>
      ) : null}
      {offers > 0 ? (
        <p className="help">
          <Trans>Open offers are replaced by ones with the new time.</Trans>
        </p>
      ) : null}
      <div className="row g2 sheet-act">
        <Button kind="go" className="grow" type="submit" needsNetwork busy={form.busy}>
          {t`Move shift`}
        </Button>
      </div>
    </Form>
  );
}

type DragAreaProps = {
  shifts: readonly DayShift[];
  days: string[];
  businessId: string;
  movesShifts: boolean;
  children: ReactNode;
};

/**
 * Lets a mouse or pen drag shifts to another day of the week, which moves them, and with Alt copies them, and people
 * onto shifts with open spots. Only this element renders while dragging: a week may have 2,000 shifts.
 */
export function DragArea({ shifts, days, businessId, movesShifts, children }: DragAreaProps) {
  const { t } = useLingui();
  const now = useNow();
  const { move, copy } = useShiftMoves(businessId);
  const [showsPeople, setShowsPeople] = useState(false);
  const [offering, setOffering] = useState<{ shift: DayShift; person: Person } | null>(null);
  const byId = useMemo(() => new Map(shifts.map((shift) => [shift.jobId, shift])), [shifts]);
  const { drag, grab } = useDrag<DayShift, string>({
    onDrop: (shift, day, copies) => void (copies ? copy(shift, day) : move(shift, typedSpanOf(shift, day))),
    mayDrop: (shift, day) => shift.day !== day,
    isRefused: refuseOffline,
    scroller: '.roster-scroll',
  });
  const { drag: personDrag, grab: grabPerson } = useDrag<Person, string>({
    targetName: 'shift',
    onDrop: (person, jobId) => {
      const shift = byId.get(jobId);
      if (shift) setOffering({ shift, person });
    },
    mayDrop: (person, jobId) => {
      const shift = byId.get(jobId);
      if (shift === undefined || !mayOfferSpots(shift, now)) return false;
      return shift.people.every(({ workerId }) => workerId !== person.workerId);
    },
    isRefused: refuseOffline,
    scroller: '.roster-scroll',
  });
  const overId = personDrag?.over ?? null;
  const overShift = overId === null ? undefined : byId.get(overId);
  useEffect(() => {
    if (overId === null) return;
    const cards = [...document.querySelectorAll(`[data-shift="${overId}"]`)];
    for (const card of cards) card.classList.add('over');
    return () => {
      for (const card of cards) card.classList.remove('over');
    };
  }, [overId]);
  const day = drag?.over ? formatCalendarDay(drag.over) : null;
  return (
    <>
      <div className="col g2 roster-people">
        <div>
          <Button
            kind="text"
            size="s"
            icon="users"
            aria-expanded={showsPeople}
            onClick={() => setShowsPeople(!showsPeople)}
          >
            {showsPeople ? t`Hide people` : t`Show people to assign`}
          </Button>
        </div>
        {showsPeople ? <PeopleStrip shifts={shifts} businessId={businessId} onGrab={grabPerson} /> : null}
      </div>
      <div
        className={movesShifts ? 'roster-scroll may-drag' : 'roster-scroll'}
        data-over={drag?.over ? days.indexOf(drag.over) : undefined}
        onPointerDown={(event) => {
          if (!movesShifts) return;
          const card = (event.target as Element).closest<HTMLElement>('[data-shift]');
          const shift = byId.get(card?.dataset.shift ?? '');
          if (card && shift) grab(event, shift, card);
        }}
      >
        {children}
      </div>
      {drag ? (
        <p className="roster-drop strong">
          {day === null
            ? t`Drop on a day to move. Hold Alt or Option to copy.`
            : drag.copies
              ? t`Copy to ${day}`
              : t`Move to ${day}`}
        </p>
      ) : null}
      {personDrag ? (
        <p className="roster-drop strong">
          {overShift ? (
            <DropVerdict key={overShift.jobId} person={personDrag.item} shift={overShift} />
          ) : (
            t`Drop on a shift with an open spot to offer it.`
          )}
        </p>
      ) : null}
      {offering ? (
        <OfferToSheet
          key={`${offering.shift.jobId}${offering.person.workerId}`}
          {...offering}
          businessId={businessId}
          open
          onClose={() => setOffering(null)}
        />
      ) : null}
    </>
  );
}
