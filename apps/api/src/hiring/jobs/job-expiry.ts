import { addMs, dayMs } from '@nearhand/contract/durations';
import type { JobFacts } from '@nearhand/contract/hiring/jobs.rules';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ConfigScope } from '../../platform/http/scope.ts';
import { enqueue, enqueueAll } from '../../platform/tasks/tasks.ts';
import type { JobRow } from './jobs.columns.ts';

/** The latest time to hire for a job: the start of a shift, or the end of the day on which a task is due. */
export function hireUntil({ startsAt, dueOn }: JobFacts, timeZone: string): Date | null {
  if (startsAt) return startsAt;
  return dueOn ? new Date(dayEndsAt(timeZone, dueOn)) : null;
}

/** The end of a job's life: `JOB_LIFE_DAYS` after publication, but no later than the start of the work. */
export function lifeEnd(facts: JobFacts, timeZone: string, publishedAt: Date, lifeDays: number): Date {
  const full = publishedAt.getTime() + lifeDays * dayMs;
  return new Date(Math.min(full, hireUntil(facts, timeZone)?.getTime() ?? full));
}

/** A life cut short by its source's last day (ADR 26) keeps that day. */
export function lifeEndAfterEdit(
  before: { facts: JobFacts; timeZone: string; expiresAt: Date | null },
  after: { facts: JobFacts; timeZone: string },
  publishedAt: Date,
  lifeDays: number,
): Date {
  const end = lifeEnd(after.facts, after.timeZone, publishedAt, lifeDays);
  const uncut = lifeEnd(before.facts, before.timeZone, publishedAt, lifeDays);
  const wasCut = before.expiresAt !== null && before.expiresAt < uncut;
  return wasCut && before.expiresAt !== null && before.expiresAt < end ? before.expiresAt : end;
}

/** Reopening the job replaces its timers; they recheck the job when they run. */
export async function setTimers(
  tx: Tx,
  scope: ConfigScope,
  jobId: string,
  publishedAt: Date,
  expiresAt: Date,
): Promise<void> {
  const payload = { jobId, expiresAt: expiresAt.toISOString() };
  const warnAt = addMs(publishedAt, scope.config.JOB_EXPIRY_WARNING_DAY * dayMs);
  await enqueue(tx, warnOfExpiryTask, payload, { runAt: warnAt, key: `job-warning:${jobId}` });
  await enqueue(tx, expireJobTask, payload, { runAt: expiresAt, key: `job-expiry:${jobId}` });
}

/** Ends a paused job when nobody can be hired any more, not at the end of its life. A new life makes this timer a no-op. */
export const expireWhenOver = (tx: Tx, jobId: string, expiresAt: string, runAt: Date): Promise<void> =>
  enqueue(tx, expireJobTask, { jobId, expiresAt }, { runAt, key: `job-expiry-when-over:${jobId}` });

/** A warning due after the end finds the job expired and is a no-op. */
export async function setTimersOfNew(
  tx: Tx,
  scope: ClockConfigScope,
  jobs: readonly { id: string; expiresAt?: unknown }[],
): Promise<void> {
  const warnAt = addMs(scope.clock.now(), scope.config.JOB_EXPIRY_WARNING_DAY * dayMs);
  const timers = (name: string, runAt: (end: Date) => Date) =>
    jobs.map(({ id: jobId, expiresAt }) => {
      const end = expiresAt as Date;
      return { payload: { jobId, expiresAt: end.toISOString() }, runAt: runAt(end), key: `${name}:${jobId}` };
    });
  await enqueueAll(
    tx,
    warnOfExpiryTask,
    timers('job-warning', () => warnAt),
  );
  await enqueueAll(
    tx,
    expireJobTask,
    timers('job-expiry', (end) => end),
  );
}

/** Moves the expiry and its reminder when the dates of an open or paused job change. */
export async function moveTimers(
  tx: Tx,
  scope: ConfigScope,
  before: Pick<JobRow, 'id' | 'status' | 'publishedAt' | 'expiresAt'>,
  expiresAt: Date | null,
): Promise<void> {
  if (before.status !== 'open' && before.status !== 'paused') return;
  if (!before.publishedAt || !expiresAt) return;
  if (expiresAt.getTime() !== before.expiresAt?.getTime())
    await setTimers(tx, scope, before.id, before.publishedAt, expiresAt);
}

/** The expiry that a timer was set for. A timer of an earlier expiry is a no-op. */
const expiryPayload = z.object({ jobId: z.uuid(), expiresAt: z.iso.datetime() });

export const warnOfExpiryTask = { name: 'jobs.warn-of-expiry', payload: expiryPayload };
export const expireJobTask = { name: 'jobs.expire', payload: expiryPayload };
