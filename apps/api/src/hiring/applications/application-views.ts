import type { Answer, ApplicationStep, MyApplication } from '@nearhand/contract/hiring/applications';
import {
  type ApplicationStatus,
  applicationStatuses,
  liveApplicationStatuses,
} from '@nearhand/contract/hiring/applications.rules';
import { liveInterviewStatuses } from '@nearhand/contract/hiring/interviews';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { WorkEnding } from '@nearhand/contract/hiring/jobs.rules';
import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import type { Page, PageInput } from '@nearhand/contract/operation';
import type { StoredFile } from '@nearhand/contract/people/files';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { readRejection } from '@nearhand/contract/reject-reasons';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { isoText } from '../../platform/db.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { jobCardsOf } from '../jobs/job-cards.ts';
import { applicationActionsFor } from './application-access.ts';

type CvColumns =
  | { cvId: string; cvName: string; cvMediaType: string; cvBytes: number }
  | { cvId: null; cvName: null; cvMediaType: null; cvBytes: null };

export type ApplicationRow = {
  id: string;
  version: number;
  jobId: string;
  status: ApplicationStatus;
  origin: MyApplication['origin'];
  coverNote: string;
  answers: Answer[];
  questions: JobQuestion[];
  submittedAt: Date;
  viewedAt: Date | null;
  decideBy: Date;
  steps: { status: ApplicationStatus; at: string; reason: string | null }[];
  interview: MyApplication['interview'];
  offer: (Omit<NonNullable<MyApplication['offer']>, 'pay'> & { terms: Terms }) | null;
  engagementId: string | null;
  workEnding: WorkEnding | null;
  waitlistedAt: Date | null;
  waitlistPosition: number | null;
} & CvColumns;

// Edits are left out of the history. A worker sees an offer once it is sent, not while it is being funded.
export const columnsFor = (
  side: 'worker' | 'business',
) => sql`application.id, application.version, application.job_id,
  application.status, application.origin, application.cover_note, application.answers, application.questions, application.submitted_at,
  application.viewed_at, application.decide_by, application.waitlisted_at, application.work_ending,
  cv.id as cv_id, cv.name as cv_name, cv.media_type as cv_media_type, cv.bytes as cv_bytes,
  (select jsonb_agg(jsonb_build_object('status', to_status, 'at', ${isoText(sql`at`)}, 'reason', reason) order by at, id)
    from application_moves where application_id = application.id and from_status is distinct from to_status) as steps,
  (select jsonb_build_object('id', id, 'status', status, 'mode', mode, 'startsAt', ${isoText(sql`starts_at`)}, 'answerBy', ${isoText(sql`answer_by`)},
      'awaits', case case status when 'proposed' then proposed_by when 'reschedule_requested' then reschedule_by end
        when 'worker' then 'business' when 'business' then 'worker' end) from interviews
    where id in (select interview_id from interview_applications where application_id = application.id)
    order by status = any(${[...liveInterviewStatuses]}) desc, created_at desc, id desc limit 1) as interview,
  (select jsonb_build_object('id', id, 'status', status, 'funding', funding, 'expiresAt',
    ${isoText(sql`expires_at`)}, 'terms', terms) from offers
    where application_id = application.id ${side === 'worker' ? sql`and sent_at is not null` : sql``}
    order by created_at desc, id desc limit 1) as offer,
  (select id from engagements where application_id = application.id) as engagement_id,
  case when application.waitlisted_at is not null then (select count(*) from applications other
    where other.job_id = application.job_id and other.waitlisted_at is not null
      and (other.waitlisted_at, other.id) <= (application.waitlisted_at, application.id)) end as waitlist_position`;

type Group = 'live' | 'ended';
type MyApplicationsInput = { group?: Group } & PageInput;

const isLive = (status: ApplicationStatus) =>
  (liveApplicationStatuses as readonly ApplicationStatus[]).includes(status);
const statesOf: Record<Group, readonly ApplicationStatus[]> = {
  live: liveApplicationStatuses,
  ended: applicationStatuses.filter((status) => !isLive(status)),
};

const queryOf = ({ group, cursor, limit }: MyApplicationsInput): PageQuery => ({
  states: group ? statesOf[group] : null,
  after: decodeCursor(cursor, newestCursor),
  limit: limit + 1,
});
const cutApplications = <Row extends ApplicationRow>(rows: readonly Row[], limit: number) =>
  cutPage(rows, limit, (row) => [row.submittedAt.toISOString(), row.id]);

/** Lists the caller's applications, newest first. */
export async function myApplications(
  db: Db,
  scope: Scope,
  input: MyApplicationsInput,
): Promise<Page<MyApplication>> {
  const rows = await findMine(db, scope.actor.accountId, queryOf(input));
  const page = cutApplications(rows, input.limit);
  return { items: await toMyApplications(db, page.items), nextCursor: page.nextCursor };
}

/** Returns one of the caller's applications. */
export async function getApplication(
  db: Db,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<MyApplication> {
  const row = await findOwn(db, applicationId, scope.actor.accountId);
  const [application] = row ? await toMyApplications(db, [row]) : [];
  if (!application) throw new AppError('application/not-found');
  return application;
}

async function toMyApplications(db: Db, rows: readonly ApplicationRow[]): Promise<MyApplication[]> {
  // Hired workers see the exact place; for everyone else a private one is blurred.
  const cardsOf = (hired: boolean) =>
    jobCardsOf(
      db,
      rows.filter((row) => (row.status === 'hired') === hired).map((row) => row.jobId),
      { knowsPlace: hired, from: null },
    );
  const cards = { hired: await cardsOf(true), others: await cardsOf(false) };
  return rows.flatMap((row) => {
    const card = cards[row.status === 'hired' ? 'hired' : 'others'].get(row.jobId);
    if (!card) return [];
    const actions = applicationActionsFor('worker', row.status, {
      waiting: row.waitlistedAt !== null,
      jobFilled: card.status === 'filled',
    });
    const questions = actions.includes('edit') ? card.questions : row.questions;
    return [{ ...commonFields(row, cvOf(row)), actions, job: { ...card, questions } }];
  });
}

export const commonFields = (row: ApplicationRow, cv: StoredFile | null) => ({
  ...row,
  cv,
  submittedAt: row.submittedAt.toISOString(),
  viewedAt: row.viewedAt?.toISOString() ?? null,
  decideBy: row.decideBy.toISOString(),
  steps: row.steps.map(stepOf),
  offer: row.offer && offerOf(row.offer),
  waitlist:
    row.waitlistedAt === null
      ? null
      : { since: row.waitlistedAt.toISOString(), position: row.waitlistPosition ?? 1 },
});

const offerOf = ({ terms, ...offer }: NonNullable<ApplicationRow['offer']>): MyApplication['offer'] => ({
  ...offer,
  pay: payOfTerms(terms),
});

function stepOf({ status, at, reason }: ApplicationRow['steps'][number]): ApplicationStep {
  if (status !== 'rejected') return { status, at, reason, rejectReason: null };
  const { rejectReason, note } = readRejection(reason);
  return { status, at, reason: note, rejectReason };
}

export const cvOf = (row: ApplicationRow): StoredFile | null =>
  row.cvId === null
    ? null
    : {
        id: row.cvId,
        purpose: 'cv',
        name: row.cvName,
        mediaType: row.cvMediaType,
        bytes: row.cvBytes,
        path: fileContentPath(row.cvId),
      };

const mineColumns = columnsFor('worker');
const mineTables = sql`applications application left join files cv on cv.id = application.cv_file_id`;

type PageQuery = {
  states: readonly ApplicationStatus[] | null;
  after: readonly [string, string] | null;
  limit: number;
};

async function findMine(
  db: Db,
  workerId: string,
  { states, after, limit }: PageQuery,
): Promise<ApplicationRow[]> {
  const { rows } = await sql<ApplicationRow>`
    with page as materialized (select id from applications where worker_id = ${workerId}
      ${states ? sql`and status = any(${[...states]})` : sql``}
      ${andBefore(sql`submitted_at, id`, after)}
      order by submitted_at desc, id desc limit ${limit})
    select ${mineColumns} from ${mineTables} where application.id in (select id from page)
    order by application.submitted_at desc, application.id desc`.execute(db);
  return rows;
}

async function findOwn(db: Db, applicationId: string, workerId: string): Promise<ApplicationRow | undefined> {
  const { rows } = await sql<ApplicationRow>`
    select ${mineColumns} from ${mineTables}
    where application.id = ${applicationId} and application.worker_id = ${workerId}`.execute(db);
  return rows[0];
}
