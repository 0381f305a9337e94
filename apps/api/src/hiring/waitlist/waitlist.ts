import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { liveOfferStatuses } from '@nearhand/contract/hiring/offers';
import { waitlist } from '@nearhand/contract/hiring/waitlist';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { tryHold } from '../../money/holds/hold-entries.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { isHiring } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { type ChangedRow, emitRecord } from '../../platform/realtime/publish-records.ts';
import { requireApplicant, requireMove } from '../applications/application-access.ts';
import { notifyOf } from '../applications/application-notices.ts';
import { makeApplicationMove } from '../applications/application-transitions.ts';
import { getApplication } from '../applications/application-views.ts';
import { openPausedJob } from '../jobs/job-lifecycle.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { isHiddenForReplacement } from '../jobs/jobs.sql.ts';
import { createOffer, fundingOfOffer } from '../offers/offer-making.ts';
import { notifyOfOffer, notifyOfUnfundedSpots } from '../offers/offer-notices.ts';
import { possibleTerms } from '../spots/spot-terms.ts';
import { freeSpotsOf, fundSpots } from '../spots/spots.ts';

type ApplicationRef = { applicationId: string };

/** Joins a full job's waitlist. For its applicant. */
export async function joinWaitlist(
  tx: Tx,
  scope: Scope,
  { applicationId }: ApplicationRef,
): Promise<MyApplication> {
  await requireApplicant(tx, scope.actor.accountId, applicationId, 'join-waitlist');
  const job = await holdJobOf(tx, applicationId);
  const { row } = await requireMove(tx, scope, applicationId, 'join-waitlist');
  if (row.waitlistedAt === null) {
    if (job?.status !== 'filled') throw new AppError('application/not-waiting');
    await setWaitlisted(tx, applicationId, scope.clock.now());
    const application = { id: row.id, jobId: row.jobId, workerId: row.workerId, decideBy: row.decideBy };
    await notifyOf(tx, scope, application, { worker: 'waitlist-joined', recruiters: 'waitlist-joined' });
  }
  return getApplication(tx, scope, { applicationId });
}

/** Leaves the waitlist. For its applicant. */
async function leaveWaitlist(
  tx: Tx,
  scope: Scope,
  { applicationId }: ApplicationRef,
): Promise<MyApplication> {
  const { row } = await requireMove(tx, scope, applicationId, 'leave-waitlist');
  if (row.waitlistedAt !== null) await setWaitlisted(tx, applicationId, null);
  return getApplication(tx, scope, { applicationId });
}

/** Skips rows locked elsewhere, and suspended workers. */
async function lockNextWaiting(
  tx: Tx,
  jobId: string,
  now: Date,
): Promise<{ id: string; workerId: string } | undefined> {
  const { rows } = await sql<{ id: string; workerId: string }>`
    select id, worker_id from applications application where job_id = ${jobId} and waitlisted_at is not null
      and not exists (select from offers where offers.application_id = application.id and offers.status in (${literals(liveOfferStatuses)}))
      and not exists (select from sanctions where sanctions.account_id = application.worker_id
        and scope in ('applying', 'everything') and ended_at is null and (ends_at is null or ends_at > ${now}))
    order by waitlisted_at, id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

/** Locks the job before the application (ADR 38). */
async function holdJobOf(
  tx: Tx,
  applicationId: string,
): Promise<{ id: string; status: JobStatus } | undefined> {
  const { rows } = await sql<{ id: string; status: JobStatus }>`
    select id, status from jobs where id = (select job_id from applications where id = ${applicationId}) for share`.execute(
    tx,
  );
  return rows[0];
}

/** Does not log a step, because the status stays the same. */
async function setWaitlisted(tx: Tx, applicationId: string, since: Date | null): Promise<void> {
  const { rows } =
    await sql<ChangedRow>`update applications set waitlisted_at = ${since}::timestamptz, version = version + 1
    where id = ${applicationId} and status = 'position_filled' returning id, job_id, worker_id, business_id`.execute(
      tx,
    );
  emitRecord(tx, 'application', rows[0]);
}

/** Offers a counted free spot to the waitlist in order, in the caller's transaction (product.md, Application). */
export async function offerToWaitlist(tx: Tx, scope: MoneyScope, jobId: string): Promise<void> {
  const job = await lockJob(tx, jobId);
  const now = scope.clock.now();
  if (!(await isHiring(tx, job.businessId, now))) return;
  const isAhead = job.startsAt !== null && job.startsAt > now;
  if (job.status === 'paused' && job.opensWhenFreed && isAhead && freeSpotsOf(job) > 0)
    return openPausedJob(tx, scope, job);
  const isOffering =
    job.status === 'open' || job.status === 'filled' || (await isJobHiddenForReplacement(tx, jobId));
  // A date of a block is offered with the others only (ADR 414).
  if (isOffering && !job.asBlock) await offerToWaiting(tx, scope, job);
  if (!job.instantHire) return;
  const { missing } = await fundSpots(tx, scope, jobId, { all: false });
  if (missing > 0) await notifyOfUnfundedSpots(tx, scope, job, { missing, terms: possibleTerms(scope, job) });
}

async function isJobHiddenForReplacement(tx: Tx, jobId: string): Promise<boolean> {
  const { rows } = await sql<{
    hidden: boolean;
  }>`select ${isHiddenForReplacement(sql`${jobId}::uuid`)} as hidden`.execute(tx);
  return rows[0]?.hidden ?? false;
}

async function offerToWaiting(tx: Tx, scope: MoneyScope, job: JobRow): Promise<void> {
  for (let free = freeSpotsOf(job); free > 0; free -= 1) {
    const terms = possibleTerms(scope, job);
    const waiting = terms && (await nextWaiting(tx, scope, job.id));
    if (!terms || !waiting) return;
    const offered = await tryHold(tx, () => offerTo(tx, scope, job, { ...waiting, terms }));
    if (offered !== null) continue;
    const { applicationId } = waiting;
    const about = { id: applicationId, applicationId, jobId: job.id };
    await notifyOfOffer(
      tx,
      scope,
      { ...about, source: 'waitlist', workerId: waiting.workerId, terms, expiresAt: scope.clock.now() },
      { topic: 'hold-unpaid', to: ['business'], amountMinor: terms.holdMinor },
    );
    return;
  }
}

async function offerTo(
  tx: Tx,
  scope: MoneyScope,
  job: JobRow,
  { applicationId, workerId, terms }: { applicationId: string; workerId: string; terms: Terms },
): Promise<void> {
  const funding = await fundingOfOffer(tx, scope, job, terms);
  if (funding.from !== 'card') {
    const move = { applicationId, action: 'waitlist-offer', who: 'timer', actor: 'timer' } as const;
    await makeApplicationMove(tx, scope, move);
  }
  const offer = await createOffer(tx, scope, {
    job,
    applicationId,
    workerId,
    terms,
    funding,
    source: 'waitlist',
    message: '',
    actor: null,
  });
  if (offer.status === 'sent')
    await notifyOfOffer(tx, scope, offer, { topic: 'offer-received', to: ['worker'] });
}

/** Locks the first on the waitlist; skips rows locked elsewhere. `waitlist-offer` removes them from it. */
export async function nextWaiting(
  tx: Tx,
  { clock }: Pick<MoneyScope, 'clock'>,
  jobId: string,
): Promise<{ applicationId: string; workerId: string } | undefined> {
  const row = await lockNextWaiting(tx, jobId, clock.now());
  return row && { applicationId: row.id, workerId: row.workerId };
}

export const waitlistRoutes = {
  join: write(waitlist.join, joinWaitlist),
  leave: write(waitlist.leave, leaveWaitlist),
};
