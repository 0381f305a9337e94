import { type Applicant, type ApplicantSort, type Stage, stages } from '@nearhand/contract/hiring/applicants';
import { owedStages } from '@nearhand/contract/hiring/applicants.rules';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { z } from 'zod';
import { nameWordsOf } from '../../people/accounts/accounts.columns.ts';
import { requireRecruiter as requireRecruiterOf } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireRecruiter } from '../jobs/job-views.service.ts';
import { type ApplicantsOf, findApplicants } from './applicant-lists.sql.ts';
import { asApplicant } from './applicant-views.service.ts';
import { findOfWorker } from './applicant-views.sql.ts';

type ListInput = {
  group?: 'live' | 'ended';
  stage?: Stage;
  sort: ApplicantSort;
  q?: string;
  skill?: SkillId;
  tag?: string;
  withinM?: number;
  rehire?: boolean;
  cursor?: string;
  limit: number;
};
type Page = { items: Applicant[]; nextCursor: string | null };

/** The cursor of the order by deadline: 0 where an answer is owed, the time, then id. */
const deadlineCursor = z.tuple([z.int().min(0).max(1), z.iso.datetime(), z.uuid()]);
/** The cursor of the best-match order: score, then id. */
const matchCursor = z.tuple([z.int().min(0).max(100), z.uuid()]);
const maxPerWorker = 100;

/**
 * Applicants of one job for its recruiters, best match, newest or soonest deadline first.
 * @throws job/not-found, job/not-allowed, request/bad-cursor (also for a cursor of another order)
 */
export async function applicantsOfJob(
  db: Db,
  scope: Scope,
  input: ListInput & { jobId: string },
): Promise<Page> {
  await requireRecruiter(db, scope.actor.accountId, input.jobId);
  return applicantPage(db, { jobId: input.jobId }, input);
}

/**
 * Applicants over all jobs of a business for its recruiters, best match, newest or soonest deadline first.
 * @throws business/not-found, business/not-allowed, request/bad-cursor (also for a cursor of another order)
 */
export async function applicantsOfBusiness(
  db: Db,
  scope: Scope,
  input: ListInput & { businessId: string },
): Promise<Page> {
  const limit = await requireRecruiterOf(db, scope.actor, input.businessId);
  return applicantPage(db, { businessId: input.businessId, limit }, input);
}

async function applicantPage(db: Db, of: ApplicantsOf, input: ListInput): Promise<Page> {
  const { cursor, limit } = input;
  const options = {
    stages: stagesOf(input),
    nameWords: nameWordsOf(input.q),
    skill: input.skill ?? null,
    tag: input.tag ?? null,
    withinM: input.withinM ?? null,
    rehire: input.rehire ?? false,
    limit: limit + 1,
  };
  const page =
    input.sort === 'match'
      ? cutPage(
          await findApplicants(db, of, {
            ...options,
            sort: 'match',
            after: decodeCursor(cursor, matchCursor),
          }),
          limit,
          (row) => [row.match_score, row.id],
        )
      : input.sort === 'deadline'
        ? cutPage(
            await findApplicants(db, of, {
              ...options,
              sort: 'deadline',
              after: decodeCursor(cursor, deadlineCursor),
            }),
            limit,
            (row) => [owedStages.includes(row.stage) ? 0 : 1, row.decide_by.toISOString(), row.id],
          )
        : cutPage(
            await findApplicants(db, of, {
              ...options,
              sort: 'newest',
              after: decodeCursor(cursor, newestCursor),
            }),
            limit,
            (row) => [row.submitted_at.toISOString(), row.id],
          );
  return { items: page.items.map(asApplicant), nextCursor: page.nextCursor };
}

const stagesOf = ({ group, stage }: ListInput): Stage[] =>
  stages.filter(
    (one) =>
      (stage === undefined || one === stage) &&
      (group === undefined || (group === 'ended') === (one === 'ended' || one === 'done')),
  );

/**
 * One worker's applications to businesses where the caller hires, newest first, at most 100.
 * @throws profile/not-found where they never applied to any of them
 */
export async function applicationsOfWorker(
  db: Db,
  scope: Scope,
  { workerId }: { workerId: string },
): Promise<Applicant[]> {
  const rows = await findOfWorker(db, workerId, scope.actor.accountId, maxPerWorker);
  if (rows.length === 0) throw new AppError('profile/not-found');
  return rows.map(asApplicant);
}
