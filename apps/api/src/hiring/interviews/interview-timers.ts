import { hourMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTasks, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { type InterviewRow, lockInterview, notifyOfInterviews } from './interview-notices.ts';
import { interviewOver, moveInterview } from './interview-transitions.ts';
import { endOf } from './interviews.rules.ts';

const before = (at: Date, hours: number) => new Date(at.getTime() - hours * hourMs);

/** Sets the timer by which an open proposal lapses. */
export const setLapse = (tx: Tx, interviewId: string, at: Date): Promise<void> =>
  enqueue(tx, lapse, { interviewId }, { runAt: at, key: lapseKey(interviewId) });

/**
 * Sets the timers of a scheduled interview: future reminders, and the question about its outcome. Their keys contain no time: new timers
 * replace old ones, and leftovers become no-ops.
 */
export async function setScheduled(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  row: { id: string; startsAt: Date; minutes: number },
): Promise<void> {
  const payload = { interviewId: row.id, startsAt: row.startsAt.toISOString() };
  await cancelTasks(tx, [lapseKey(row.id)]);
  for (const hours of scope.config.INTERVIEW_REMINDER_HOURS) {
    const runAt = before(row.startsAt, hours);
    if (runAt > scope.clock.now())
      await enqueue(tx, reminder, { ...payload, hours }, { runAt, key: reminderKey(row.id, hours) });
  }
  await enqueue(tx, outcomeDue, payload, { runAt: outcomeDueAt(row), key: outcomeKey(row.id) });
}

const outcomeDueAt = (row: { startsAt: Date; minutes: number }) =>
  new Date((endOf(row) ?? row.startsAt).getTime() + limits.interviewOutcomeDueHours * hourMs);

/** For the runner: ends a proposal that nobody answered in time. Too early, it reschedules itself; already answered, it is a no-op. */
export async function runLapse(scope: TaskScope, interviewId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockInterview(tx, interviewId, null);
    if (!row?.answerBy) return;
    if (scope.clock.now() < row.answerBy) return setLapse(tx, interviewId, row.answerBy);
    await moveInterview(tx, scope, row, 'lapse', { side: 'timer' });
    await interviewOver(tx, scope, row, { side: 'timer' });
    await notifyOfInterviews(tx, scope, [
      {
        topic: 'interview-lapsed',
        to: ['worker', 'business'],
        interview: { ...row, version: row.version + 1 },
      },
    ]);
  });
}

/** For the runner: reminds both sides if the interview is still scheduled at that time. Sent once per scheduled time (ADR 36). */
export async function runReminder(
  scope: TaskScope,
  { interviewId, startsAt, hours }: z.infer<typeof reminder.payload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockInterview(tx, interviewId, null);
    if (!row || !standsAt(row, startsAt)) return;
    const now = scope.clock.now();
    const runAt = before(row.startsAt, hours);
    if (now >= row.startsAt) return;
    if (now < runAt)
      return enqueue(
        tx,
        reminder,
        { interviewId, startsAt, hours },
        { runAt, key: reminderKey(interviewId, hours) },
      );
    await notifyOfInterviews(tx, scope, [
      {
        topic: 'interview-reminder',
        to: ['worker', 'business'],
        interview: row,
        event: `${startsAt}/${hours}`,
        data: { count: hours, mode: row.mode, where: row.whereText },
      },
    ]);
  });
}

/** For the runner: asks the recruiters for the outcome of an interview that is over. */
export async function runOutcomeDue(
  scope: TaskScope,
  { interviewId, startsAt }: z.infer<typeof outcomeDue.payload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockInterview(tx, interviewId, null);
    if (!row || !standsAt(row, startsAt)) return;
    const runAt = outcomeDueAt(row);
    if (scope.clock.now() < runAt)
      return enqueue(tx, outcomeDue, { interviewId, startsAt }, { runAt, key: outcomeKey(interviewId) });
    await notifyOfInterviews(tx, scope, [
      { topic: 'interview-outcome-due', to: ['business'], interview: row, event: startsAt },
    ]);
  });
}

const standsAt = <Row extends Pick<InterviewRow, 'status' | 'startsAt'>>(
  row: Row,
  startsAt: string,
): row is Row & { startsAt: Date } =>
  row.status === 'scheduled' && row.startsAt?.getTime() === Date.parse(startsAt);

const at = z.object({ interviewId: z.uuid(), startsAt: z.iso.datetime() });

/** The timers of an interview, with their payloads. */
export const lapse = { name: 'interviews.lapse', payload: z.object({ interviewId: z.uuid() }) };
export const reminder = { name: 'interviews.remind', payload: at.extend({ hours: z.number().int() }) };
export const outcomeDue = { name: 'interviews.ask-outcome', payload: at };

const lapseKey = (interviewId: string): string => `interviews.lapse/${interviewId}`;
const reminderKey = (interviewId: string, hours: number): string =>
  `interviews.remind/${interviewId}/${hours}`;
const outcomeKey = (interviewId: string): string => `interviews.ask-outcome/${interviewId}`;
