import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import type { TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import type { MoneyScope } from '../money/hooks.ts';
import type { Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';
import type { ClockConfigScope, ClockScope, Scope } from '../platform/http/scope.ts';
import type { JobRow } from './jobs/jobs.columns.ts';

/** A job after an edit, its version then, and the material changes. */
export type JobChange = Pick<JobRow, 'id' | 'title' | 'businessName'> & {
  version: number;
  changes: readonly string[];
  /** Its time and pay before and after, for notices; not its place, which may be private. */
  values: TopicData<'job-changed'>;
  /** Its open offers were made again, so their workers get a notice of the offer. */
  hasNewOffers: boolean;
};

/** Events that later slices handle in the same transaction, with the job locked unless stated otherwise. */
export type HiringEvents = {
  /** A spot of an open job is free again. */
  spotFreed(tx: Tx, scope: MoneyScope, jobId: string): Promise<void>;
  /** The last spot was filled. */
  jobFilled(tx: Tx, jobId: string): Promise<void>;
  jobMoved(tx: Tx, scope: ClockScope, move: { jobId: string; from: JobStatus; to: JobStatus }): Promise<void>;
  jobsOpened(tx: Tx, scope: ClockScope, jobIds: readonly string[]): Promise<void>;
  lastSpotLeft(tx: Tx, jobId: string): Promise<void>;
  jobsClosed(tx: Tx, scope: Scope, jobIds: readonly string[]): Promise<void>;
  /** The start moved, and with it the applications' answer deadlines. */
  startMoved(tx: Tx, jobId: string): Promise<void>;
  /** One edit changed the pay, hours, place or spots of these jobs. */
  jobsChanged(tx: Tx, scope: ClockScope, jobs: readonly JobChange[]): Promise<void>;
  /** Applications ended, and are locked; the job is not. `by` is an account id or `timer`. */
  applicationsEnded(
    tx: Tx,
    scope: ClockConfigScope,
    applicationIds: readonly string[],
    ending: { by: string; reason: string | null },
  ): Promise<void>;
  /** An interview got its time. The interview is locked. */
  interviewAgreed(tx: Tx, scope: ClockScope, interview: { id: string }): Promise<void>;
  /** Applications with live offers ended: `to` is `declined` if the worker withdrew. */
  offersEnded(
    tx: Tx,
    scope: MoneyScope,
    applicationIds: readonly string[],
    ending: { by: string; to: 'declined' | 'withdrawn'; reason: string | null },
  ): Promise<void>;
};

/** Questions and requests to later slices, in the same transaction, with the job locked unless stated otherwise. */
export type HiringNeeds = {
  /**
   * Adjusts the money set aside for free spots (ADR 75).
   * @throws payment/balance-short when `all` must be funded
   */
  fundSpots(tx: Tx, scope: MoneyScope, jobId: string, options: { all: boolean }): Promise<unknown>;
  /** Returns whether a business's jobs open without screening (ADR 178). */
  isCleanBusiness(tx: Tx, scope: ClockScope, businessId: string): Promise<boolean>;
  /** Makes the open offers of jobs again on the terms that an edit changed. Only for `findRenewable` jobs. */
  renewOffers(tx: Tx, scope: Scope, jobIds: readonly string[]): Promise<void>;
  /**
   * Returns whether an application would be a hire. Locks the job.
   * @throws job/filled
   */
  wouldHireAtOnce(tx: Tx, scope: ClockScope, request: { jobId: string; workerId: string }): Promise<boolean>;
  /**
   * Hires an applicant after `wouldHireAtOnce`.
   * @throws engagement/overlap, offer/starts-in-past, offer/no-spot
   */
  hireAtOnce(
    tx: Tx,
    scope: MoneyScope,
    request: { applicationId: string; jobId: string; workerId: string },
  ): Promise<unknown>;
};

export const hiringHooks = createHooks<HiringEvents, HiringNeeds>('hiring');
