import type { Tx } from '../../platform/db.ts';

type Change = { jobId: string; version: number; title: string; changes: readonly string[] };

/** Tells the workers whose application is alive that pay, hours, place or seats changed. */
export async function tellApplicantsOfChange(_tx: Tx, _now: Date, _change: Change): Promise<void> {}

type Ending = { jobId: string; businessId: string; title: string; expiresAt: Date };

/** Tells the recruiters of the business that a job soon expires, or did. */
export async function tellRecruiters(
  _tx: Tx,
  _now: Date,
  _topic: 'job-expiring' | 'job-expired',
  _job: Ending,
): Promise<void> {}
