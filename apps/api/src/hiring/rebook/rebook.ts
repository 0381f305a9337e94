import type { Offer, OfferPreview } from '@nearhand/contract/hiring/offers';
import { type CrewRefusal, crewRefusals, type IfDeclined, rebook } from '@nearhand/contract/hiring/rebook';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { hiringBusiness } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { applicationIdForRebook } from '../applications/rebooked.ts';
import { updateJob } from '../jobs/job-edits.ts';
import { pauseJob, pauseOfferedJob, publishJob } from '../jobs/job-lifecycle.ts';
import { findJob, lockJob, requireWholeBlock } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import { duplicateJob } from '../jobs/jobs.ts';
import { offerJob } from '../offers/offer-making.ts';
import { notifyOfOffer } from '../offers/offer-notices.ts';
import { getOffer, listUnpaidRebookings } from '../offers/offer-views.ts';
import { hasLiveOffer, type OfferRow } from '../offers/offers.sql.ts';
import { previewTerms, requireOffering } from '../offers/offers.ts';
import { listOfferCandidates } from './offer-candidates.ts';

type To = { jobId: string; workerId: string };
type Terms = { payMinor?: number; message: string; funding?: FundingSource };

const maxUnpaid = 20;

/** Previews a direct offer. For recruiters. */
async function previewDirectly(
  db: Db,
  scope: Scope,
  { payMinor, ...to }: To & { payMinor?: number },
): Promise<OfferPreview> {
  await requireJobRecruiter(db, scope.actor.accountId, to.jobId);
  const job = await findJob(db, to.jobId);
  requireOffering(job);
  await requireWholeBlock(db, scope, [job]);
  await applicationIdForRebook(db, scope, to);
  return previewTerms(db, scope, job, { workerId: to.workerId, payMinor });
}

/**
 * Offers a job to a known worker without an application (ADR 165). Otherwise like `offers.make`. For
 * recruiters.
 */
async function offerDirectly(tx: Tx, scope: Scope, input: To & Terms): Promise<Offer> {
  const row = await offerToKnown(tx, scope, input);
  if (row.status === 'sent') await notifyOfOffer(tx, scope, row, { topic: 'offer-received', to: ['worker'] });
  return getOffer(tx, scope, { offerId: row.id });
}

async function offerToKnown(tx: Tx, scope: Scope, input: To & Terms): Promise<OfferRow> {
  const { jobId, workerId, payMinor, message, funding } = input;
  await requireJobRecruiter(tx, scope.actor.accountId, jobId);
  const { businessId } = await findJob(tx, jobId);
  await applicationIdForRebook(tx, scope, input);
  await hiringBusiness(tx, businessId);
  const job = await lockJob(tx, jobId);
  requireOffering(job);
  await requireWholeBlock(tx, scope, [job]);
  // Reads again under the lock: someone else may have made an offer, or the worker may have applied.
  if (await hasLiveOffer(tx, input.jobId, input.workerId))
    throw new AppError('application/wrong-state', { status: 'offered' });
  const applicationId = await applicationIdForRebook(tx, scope, input);
  return offerJob(tx, scope, { job, workerId, applicationId, payMinor, message, funding });
}

/** Copies a job with new dates and offers it to one worker, all or nothing. */
async function offerAgain(
  tx: Tx,
  scope: Scope,
  input: To & Terms & { startsAt: string | null; endsAt: string | null; dueOn: string | null },
): Promise<Offer> {
  const { workerId, startsAt, endsAt, dueOn, payMinor } = input;
  await requireJobRecruiter(tx, scope.actor.accountId, input.jobId);
  const { payMinor: before } = await findJob(tx, input.jobId);
  if (before !== null && payMinor !== undefined && payMinor < before)
    throw new AppError('offer/pay-below-job', { payMinor: before });
  const draft = await duplicateJob(tx, scope, input);
  const jobId = draft.id;
  await updateJob(tx, scope, {
    jobId,
    version: draft.version,
    headCount: 1,
    instantHire: false,
    ...(draft.kind === 'shift' ? { startsAt, endsAt } : { dueOn }),
  });
  // Offers need a published job, which is paused so that nobody else can apply.
  await publishJob(tx, scope, { jobId });
  await pauseJob(tx, scope, { jobId });
  return offerDirectly(tx, scope, { ...input, jobId, workerId });
}

/**
 * Copies a shift to another day with a spot for each reachable worker, and offers it to all of them.
 * Unreachable workers are left out; any other refusal, such as a short balance, undoes everything.
 */
async function offerCrew(
  tx: Tx,
  scope: Scope,
  input: {
    jobId: string;
    workerIds: string[];
    day: string;
    message: string;
    funding?: FundingSource;
    ifDeclined?: IfDeclined;
  },
): Promise<{ jobId: string; offers: Offer[]; leftOut: LeftOut[] }> {
  const { jobId: pastId, day, message, funding, ifDeclined = 'nobody' } = input;
  await requireJobRecruiter(tx, scope.actor.accountId, pastId);
  if ((await findJob(tx, pastId)).startsAt === null) throw new AppError('job/cannot-repeat');
  const draft = await duplicateJob(tx, scope, { jobId: pastId, day });
  const jobId = draft.id;
  const { reachable, leftOut } = await findReachable(tx, scope, jobId, input.workerIds);
  if (reachable.length === 0) throw new AppError(leftOut[0]?.code ?? 'profile/not-found');
  await updateJob(tx, scope, {
    jobId,
    version: draft.version,
    headCount: reachable.length,
    instantHire: false,
  });
  // Offers need a published job, which is paused so that nobody else can apply.
  await publishJob(tx, scope, { jobId });
  await pauseOfferedJob(tx, scope, await lockJob(tx, jobId), ifDeclined);
  const offers: Offer[] = [];
  for (const workerId of reachable)
    offers.push(await offerDirectly(tx, scope, { jobId, workerId, message, funding }));
  return { jobId, offers, leftOut };
}

export type LeftOut = { workerId: string; code: CrewRefusal };

/** Splits workers into those who can get a direct offer of a new job, and those whom the business can't reach. */
export async function findReachable(
  tx: Tx,
  scope: Scope,
  jobId: string,
  workerIds: readonly string[],
): Promise<{ reachable: string[]; leftOut: LeftOut[] }> {
  const reachable: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const workerId of workerIds) {
    const code = await applicationIdForRebook(tx, scope, { jobId, workerId }).then(() => null, crewRefusalOf);
    if (code === null) reachable.push(workerId);
    else leftOut.push({ workerId, code });
  }
  return { reachable, leftOut };
}

function crewRefusalOf(error: unknown): CrewRefusal {
  const code = crewRefusals.find((refusal) => error instanceof AppError && error.code === refusal);
  if (code === undefined) throw error;
  return code;
}

/** Lists up to 20 unpaid direct offers. For recruiters. */
async function unpaidRebookings(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Offer[]> {
  const limit = await requireBusinessRecruiter(db, scope.actor, businessId);
  return listUnpaidRebookings(db, scope, { businessId, limit }, maxUnpaid);
}

export const rebookRoutes = {
  preview: read(rebook.preview, previewDirectly),
  offer: write(rebook.offer, offerDirectly),
  again: write(rebook.again, offerAgain),
  crew: write(rebook.crew, offerCrew),
  candidates: read(rebook.candidates, listOfferCandidates),
  unpaid: read(rebook.unpaid, unpaidRebookings),
};
