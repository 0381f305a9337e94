import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import type { MoneyScope } from '../money/hooks.ts';
import type { Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';
import type { Scope } from '../platform/http/scope.ts';
import type { JobRow } from './jobs/jobs.columns.ts';

/** Events of `hiring` that later slices handle in the same transaction. Unless a lock is named, the caller has locked the job. */
export type HiringHooks = {
  /**
   * A job opened, closed or was hidden, or its seats cost something else: the money set aside for its free seats follows (ADR 75).
   * @param all fund every free seat or refuse; false funds what the balance covers
   * @throws payment/balance-short (data: missingMinor, currency) when `all`
   */
  seatCostChanged(tx: Tx, scope: MoneyScope, jobId: string, options: { all: boolean }): Promise<unknown>;
  /** A seat is free and counted as such: the waitlist comes first. */
  seatFreed(tx: Tx, scope: MoneyScope, jobId: string): Promise<void>;
  /** The last seat was hired: the other applications end soon after. */
  jobFilled(tx: Tx, jobId: string): Promise<void>;
  /** A job moved to another status, by a person or a timer. */
  jobMoved(
    tx: Tx,
    scope: Pick<Scope, 'clock'>,
    move: { jobId: string; from: JobStatus; to: JobStatus },
  ): Promise<void>;
  /** Jobs opened, by a person, a timer or an import. */
  jobsOpened(tx: Tx, scope: Pick<Scope, 'clock'>, jobIds: readonly string[]): Promise<void>;
  /** Asks whether the jobs of a business open without being screened (ADR 178). */
  isCleanBusiness(tx: Tx, scope: Pick<Scope, 'clock'>, businessId: string): Promise<boolean>;
  /** An open job that needs several people has one seat left. */
  lastSeatLeft(tx: Tx, jobId: string): Promise<void>;
  /** A recruiter closed a job: its applications end with it. */
  jobClosed(tx: Tx, scope: Scope, jobId: string): Promise<unknown>;
  /** The work of a job starts at another time: answers are due by another day. */
  startMoved(tx: Tx, jobId: string): Promise<void>;
  /** Pay, hours, place or seats of a published job changed: applicants are notified, once for each `version`. */
  jobChanged(
    tx: Tx,
    scope: Pick<Scope, 'clock'>,
    job: Pick<JobRow, 'id' | 'title' | 'businessName'>,
    edit: { version: number; changes: readonly string[] },
  ): Promise<void>;
  /** Asks whether an application to an instant-hire job would be a hire. Locks the job. @throws job/filled */
  wouldHireAtOnce(
    tx: Tx,
    scope: Pick<Scope, 'clock'>,
    request: { jobId: string; workerId: string },
  ): Promise<boolean>;
  /** Someone who `wouldHireAtOnce` has applied: they are hired. @throws engagement/overlap, offer/starts-in-past, offer/no-seat */
  hireAtOnce(
    tx: Tx,
    scope: MoneyScope,
    request: { applicationId: string; jobId: string; workerId: string },
  ): Promise<unknown>;
  /** Applications ended, each locked, their job not: their interviews are cancelled. `by` is an account id or `timer`. */
  applicationsEnded(
    tx: Tx,
    scope: Pick<Scope, 'clock' | 'config'>,
    applicationIds: readonly string[],
    ending: { by: string; reason: string | null },
  ): Promise<void>;
  /** Applications ended by a person's act: their live offers end too, `declined` if the worker withdrew. */
  offersEnded(
    tx: Tx,
    scope: MoneyScope,
    applicationIds: readonly string[],
    ending: { by: string; to: 'declined' | 'withdrawn'; reason: string | null },
  ): Promise<void>;
};

export const hiringHooks = createHooks<HiringHooks>('hiring');
