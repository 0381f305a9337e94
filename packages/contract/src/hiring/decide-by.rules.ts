import { addMs, dayMs, hourMs } from '../durations.ts';
import { limits } from '../limits.ts';
import { awakeDeadline } from '../work/confirm.rules.ts';

/** True if an answer is due only by the start of the work, which people read as no deadline (ADR 18). */
export const isDueAtStart = (decideBy: Date, startsAt: Date | null): boolean =>
  startsAt !== null && decideBy >= startsAt;

/** The deadline for answering an application sent at `now`; never after the start of the work (ADR 18). */
export function decideByAt(now: Date, days: number, startsAt: Date | null, timeZone: string): Date {
  const deadline = awakeDeadline(addMs(now, days * dayMs), timeZone, startsAt);
  return deadline < now ? now : deadline;
}

/**
 * The deadline for answering interview times proposed at `now`. The answer is due within `hours`, and early
 * enough before `last` to plan: the last proposed time or, for a reschedule request, the scheduled one. At short
 * notice, half the time remains. A deadline at night moves to the morning, at most halfway to the interview.
 */
export function interviewAnswerBy(now: Date, hours: number, last: Date, timeZone: string): Date {
  const leadMs = Math.min(limits.interviewReplyLeadHours * hourMs, (last.getTime() - now.getTime()) / 2);
  const by = new Date(Math.min(now.getTime() + hours * hourMs, last.getTime() - leadMs));
  return awakeDeadline(by, timeZone, new Date((by.getTime() + last.getTime()) / 2));
}
