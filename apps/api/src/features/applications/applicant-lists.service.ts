import { type Applicant, type Stage, stages } from '@nearhand/contract/applications';
import type { SkillId } from '@nearhand/contract/taxonomy';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { demandRole } from '../businesses/members.service.ts';
import { demandRecruiter } from '../jobs/job-views.service.ts';
import { type ApplicantsOf, findApplicants } from './applicant-lists.sql.ts';
import { asApplicant } from './application-views.service.ts';
import { findOfWorker } from './application-views.sql.ts';

type ListInput = {
  group?: 'live' | 'ended';
  stage?: Stage;
  sort: 'match' | 'newest';
  q?: string;
  skill?: SkillId;
  tag?: string;
  withinM?: number;
  rehire?: boolean;
  cursor?: string;
  limit: number;
};
type Page = { items: Applicant[]; nextCursor: string | null };

/** The cursor of the list that runs best first: score, then id. */
const matchCursor = z.tuple([z.int().min(0).max(100), z.uuid()]);
const mostNameWords = 6;
const mostOfWorker = 100;

/**
 * Applicants of one job for its recruiters, best match or newest first.
 * @throws job/not-found, job/not-allowed, request/bad-cursor also for a cursor of the other order
 */
export async function applicantsOfJob(
  db: Db,
  scope: Scope,
  input: ListInput & { jobId: string },
): Promise<Page> {
  await demandRecruiter(db, scope.actor.accountId, input.jobId);
  return applicantPage(db, { jobId: input.jobId }, input);
}

/**
 * Applicants over all jobs of a business for its recruiters, best match or newest first.
 * @throws business/not-found, business/not-allowed, request/bad-cursor also for a cursor of the other order
 */
export async function applicantsOfBusiness(
  db: Db,
  scope: Scope,
  input: ListInput & { businessId: string },
): Promise<Page> {
  await demandRole(db, input.businessId, scope.actor.accountId, 'recruiter');
  return applicantPage(db, { businessId: input.businessId }, input);
}

async function applicantPage(db: Db, of: ApplicantsOf, input: ListInput): Promise<Page> {
  const { cursor, limit } = input;
  const wishes = {
    stages: stagesOf(input),
    nameWords: (input.q ?? '').split(/\s+/).filter(Boolean).slice(0, mostNameWords),
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
            ...wishes,
            sort: 'match',
            after: decodeCursor(cursor, matchCursor),
          }),
          limit,
          (row) => [row.match_score, row.id],
        )
      : cutPage(
          await findApplicants(db, of, {
            ...wishes,
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
      (group === undefined || (group === 'ended') === (one === 'ended')),
  );

/**
 * What one worker sent to the businesses where the caller hires, newest first, at most 100.
 * @throws profile/not-found where they never applied to any of them
 */
export async function applicationsOfWorker(
  db: Db,
  scope: Scope,
  { workerId }: { workerId: string },
): Promise<Applicant[]> {
  const rows = await findOfWorker(db, workerId, scope.actor.accountId, mostOfWorker);
  if (rows.length === 0) throw new AppError('profile/not-found');
  return rows.map(asApplicant);
}
