import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { roughDistanceM } from '@nearhand/contract/hiring/home-distance.rules';
import { type InterviewStatus, liveInterviewStatuses } from '@nearhand/contract/hiring/interviews';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import { nothingChecked } from '@nearhand/contract/people/verification.rules';
import { shownArea } from '../../people/profiles/profiles.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { recruiterActions, requireApplicant } from '../applications/application-access.service.ts';
import { commonOf, cvOf } from '../applications/application-views.service.ts';
import { type ApplicantRow, findApplicant } from './applicant-views.sql.ts';

const isLiveInterview = (status: InterviewStatus) =>
  (liveInterviewStatuses as readonly InterviewStatus[]).includes(status);

/**
 * One applicant, for recruiters of the business.
 * @throws application/not-found for anyone who may not know of it, application/not-allowed for its worker and for finance
 */
export async function getApplicant(
  db: Db,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<Applicant> {
  await requireApplicant(db, scope.actor.accountId, applicationId);
  return applicantById(db, applicationId);
}

/** For moves, after their policy check: the applicant's current state. @throws application/not-found */
export async function applicantById(db: Db, applicationId: string): Promise<Applicant> {
  const row = await findApplicant(db, applicationId);
  if (!row) throw new AppError('application/not-found');
  return asApplicant(row);
}

/** A recruiter's view: a withdrawn application keeps only its name and status. */
export function asApplicant(row: ApplicantRow): Applicant {
  const withdrawn = row.status === 'withdrawn';
  const home =
    withdrawn || row.home_lat === null || row.home_lng === null
      ? null
      : { lat: row.home_lat, lng: row.home_lng };
  return {
    ...commonOf(row, withdrawn ? null : cvOf(row)),
    ...(withdrawn ? { coverNote: '', answers: [] } : {}),
    actions: recruiterActions(row.status, {
      interviewOpen: row.interview !== null && isLiveInterview(row.interview.status),
      jobHires: row.job_hires,
      // An unpaid offer is an offer already; the application moves once it is sent.
      seatFree: row.free_seats > 0 && row.offer?.status !== 'funding',
    }),
    jobId: row.job_id,
    jobTitle: row.job_title,
    timeZone: row.job_time_zone,
    questions: row.questions,
    worker: {
      workerId: row.worker_id,
      name: row.worker_name,
      photoPath: withdrawn ? null : row.photo_file_id && fileContentPath(row.photo_file_id),
      bio: withdrawn ? '' : (row.bio ?? ''),
      area: withdrawn ? null : shownArea(row.home_label),
      languages: withdrawn ? [] : (row.languages ?? []),
      availability: withdrawn ? [] : (row.availability ?? []),
      skills: withdrawn ? [] : (row.skills ?? []),
      checks: withdrawn ? nothingChecked : row.checks,
      rating: ratingOf(withdrawn ? [] : (row.review_stars ?? [])),
    },
    distanceM: home && roughDistanceM(home, { lat: row.job_lat, lng: row.job_lng }),
    stage: row.stage,
    workEnding: row.work_ending,
    matchScore: withdrawn ? 0 : row.match_score,
    match: withdrawn ? [] : row.match_reasons,
    tags: row.tags,
    notes: row.notes,
  };
}
