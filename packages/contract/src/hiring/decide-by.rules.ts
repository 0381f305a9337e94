import { addMs, dayMs, hourMs, subtractMs } from '../durations.ts';
import { awakeDeadline, beforeNight, night } from '../work/confirm.rules.ts';
import { hiringLimits } from './limits.ts';

/** True if the start of the work shortens the `days` for answering an application sent at `now` (ADR 18). */
export const isDueBeforeStart = (now: Date, days: number, startsAt: Date | null, timeZone: string): boolean =>
  decideByAt(now, days, startsAt, timeZone) < addMs(now, days * dayMs);

/**
 * The deadline for answering an application sent at `now`: within `days`, and early enough before the start of
 * the work for the worker to plan (ADR 18).
 */
export function decideByAt(now: Date, days: number, startsAt: Date | null, timeZone: string): Date {
  const deadline = awakeDeadline(addMs(now, days * dayMs), timeZone, null);
  if (startsAt === null) return deadline;
  if (startsAt <= now) return now;
  const beforeStart = answerBeforeStart(now, startsAt, timeZone);
  return new Date(Math.min(beforeStart.getTime(), deadline.getTime()));
}

/**
 * Some hours before the start; at short notice, half the time remains. A deadline at night moves to the evening
 * before, unless that leaves less time than there is afterwards.
 */
function answerBeforeStart(now: Date, startsAt: Date, timeZone: string): Date {
  const leadMs = Math.min(hiringLimits.decideByLeadHours * hourMs, (startsAt.getTime() - now.getTime()) / 2);
  const latest = subtractMs(startsAt, leadMs);
  const evening = beforeNight(latest, timeZone, night);
  return evening.getTime() - now.getTime() >= leadMs ? evening : latest;
}

/**
 * The deadline for answering interview times proposed at `now`. The answer is due within `hours`, and early
 * enough before `last` to plan: the last proposed time or, for a reschedule request, the scheduled one. At short
 * notice, half the time remains. A deadline at night moves to the morning, at most halfway to the interview.
 */
export function interviewAnswerBy(now: Date, hours: number, last: Date, timeZone: string): Date {
  const leadMs = Math.min(
    hiringLimits.interviewReplyLeadHours * hourMs,
    (last.getTime() - now.getTime()) / 2,
  );
  const by = new Date(Math.min(now.getTime() + hours * hourMs, last.getTime() - leadMs));
  return awakeDeadline(by, timeZone, new Date((by.getTime() + last.getTime()) / 2));
}
