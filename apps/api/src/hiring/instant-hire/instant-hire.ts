import { lackedSkills } from '@nearhand/contract/hiring/matching.rules';
import { sql } from 'kysely';
import { hasFundedSpot } from '../../money/holds/spot-holds.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { isHiring } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import { createOffer } from '../offers/offer-making.ts';
import { notifyOfOffer } from '../offers/offer-notices.ts';
import { hire } from '../offers/offers.ts';
import { possibleTerms, requireTerms } from '../spots/spot-terms.ts';
import { freeSpotsOf } from '../spots/spots.ts';

/**
 * Locks the job to serialize applicants, and returns whether this one would be hired.
 * @throws job/filled
 */
export async function wouldHireAtOnce(
  tx: Tx,
  scope: ClockConfigScope,
  request: { jobId: string; workerId: string },
): Promise<boolean> {
  const job = await lockJob(tx, request.jobId);
  if (!job.instantHire) return false;
  if (job.status === 'filled' || (job.status === 'open' && job.hiredCount >= job.headCount))
    throw new AppError('job/filled');
  if (job.status !== 'open' || freeSpotsOf(job) < 1) return false;
  if (!(await isHiring(tx, job.businessId, scope.clock.now()))) return false;
  const terms = possibleTerms(scope, job);
  // An instant hire needs a funded spot (ADR 75).
  if (!terms || !(await hasFundedSpot(tx, job.id, terms))) return false;
  return lackedSkills(job.skills, await findSkillsOf(tx, request.workerId)).length === 0;
}

/**
 * Offers, accepts and books in one step, or writes nothing.
 * @throws engagement/overlap, offer/starts-in-past, offer/no-spot
 */
export async function hireAtOnce(
  tx: Tx,
  scope: MoneyScope,
  request: { applicationId: string; jobId: string; workerId: string },
): Promise<string> {
  const job = await lockJob(tx, request.jobId);
  const { applicationId, workerId } = request;
  const offer = await createOffer(tx, scope, {
    job,
    applicationId,
    workerId,
    terms: requireTerms(scope, job),
    source: 'instant',
    message: '',
    actor: null,
    funding: { from: 'spot' },
  });
  const engagementId = await hire(tx, scope, offer);
  await notifyOfOffer(tx, scope, offer, {
    topic: 'hired-at-once',
    to: ['worker', 'business'],
    engagementId,
  });
  return engagementId;
}

async function findSkillsOf(db: Db, workerId: string): Promise<string[]> {
  const { rows } = await sql<{ skill: string }>`
    select skill ->> 'skill' as skill from profiles, jsonb_array_elements(profiles.skills) as skill
    where profiles.account_id = ${workerId}`.execute(db);
  return rows.map((row) => row.skill);
}
