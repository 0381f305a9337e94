import {
  type ApplicationStatus,
  type ApplicationStep,
  applicationStatuses,
  liveApplicationStatuses,
  type MyApplication,
} from '@nearhand/contract/hiring/applications';
import { type InterviewStatus, liveInterviewStatuses } from '@nearhand/contract/hiring/interviews';
import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import { readRejection } from '@nearhand/contract/hiring/rejection.rules';
import type { StoredFile } from '@nearhand/contract/people/files';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { jobCardsOf } from '../jobs/job-cards.service.ts';
import type { ApplicationRow } from './application.columns.ts';
import { findMine, findOwn, type PageQuery } from './application-views.sql.ts';
import { applicationActionsFor } from './applications.policy.ts';

type Group = 'live' | 'ended';
type PageInput = { group?: Group; cursor?: string; limit: number };

const isLive = (status: ApplicationStatus) =>
  (liveApplicationStatuses as readonly ApplicationStatus[]).includes(status);
const _isLiveInterview = (status: InterviewStatus) =>
  (liveInterviewStatuses as readonly InterviewStatus[]).includes(status);
const statesOf: Record<Group, readonly ApplicationStatus[]> = {
  live: liveApplicationStatuses,
  ended: applicationStatuses.filter((status) => !isLive(status)),
};

const queryOf = ({ group, cursor, limit }: PageInput): PageQuery => ({
  states: group ? statesOf[group] : null,
  after: decodeCursor(cursor, newestCursor),
  limit: limit + 1,
});
const cut = <Row extends ApplicationRow>(rows: readonly Row[], limit: number) =>
  cutPage(rows, limit, (row) => [row.submitted_at.toISOString(), row.id]);

/** The caller's own applications, newest first. @throws request/bad-cursor */
export async function myApplications(
  db: Db,
  scope: Scope,
  input: PageInput,
): Promise<{ items: MyApplication[]; nextCursor: string | null }> {
  const rows = await findMine(db, scope.actor.accountId, queryOf(input));
  const page = cut(rows, input.limit);
  return { items: await asMine(db, page.items), nextCursor: page.nextCursor };
}

/** One of the caller's own applications. @throws application/not-found */
export async function getApplication(
  db: Db,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<MyApplication> {
  const row = await findOwn(db, applicationId, scope.actor.accountId);
  const [application] = row ? await asMine(db, [row]) : [];
  if (!application) throw new AppError('application/not-found');
  return application;
}

async function asMine(db: Db, rows: readonly ApplicationRow[]): Promise<MyApplication[]> {
  // Hired workers see the exact place; for everyone else a private one is blurred.
  const cardsOf = (hired: boolean) =>
    jobCardsOf(
      db,
      rows.filter((row) => (row.status === 'hired') === hired).map((row) => row.job_id),
      { knowsPlace: hired, from: null },
    );
  const cards = { hired: await cardsOf(true), others: await cardsOf(false) };
  return rows.flatMap((row) => {
    const card = cards[row.status === 'hired' ? 'hired' : 'others'].get(row.job_id);
    if (!card) return [];
    const actions = applicationActionsFor('worker', row.status, {
      waiting: row.waitlisted_at !== null,
      jobFilled: card.status === 'filled',
    });
    const questions = actions.includes('edit') ? card.questions : row.questions;
    return [{ ...commonOf(row, cvOf(row)), actions, job: { ...card, questions } }];
  });
}

/** What both sides see of an application; `cv` is null where it is hidden. */
export const commonOf = (row: ApplicationRow, cv: StoredFile | null) => ({
  id: row.id,
  version: row.version,
  status: row.status,
  origin: row.origin,
  coverNote: row.cover_note,
  answers: row.answers,
  cv,
  submittedAt: row.submitted_at.toISOString(),
  viewedAt: row.viewed_at?.toISOString() ?? null,
  decideBy: row.decide_by.toISOString(),
  steps: row.steps.map(stepOf),
  interview: row.interview,
  offer: row.offer && offerOf(row.offer),
  engagementId: row.engagement_id,
  waitlist:
    row.waitlisted_at === null
      ? null
      : { since: row.waitlisted_at.toISOString(), position: row.waitlist_position ?? 1 },
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

/** The CV attached to the application. */
export const cvOf = (row: ApplicationRow): StoredFile | null =>
  row.cv_id === null
    ? null
    : {
        id: row.cv_id,
        purpose: 'cv',
        name: row.cv_name,
        mediaType: row.cv_media_type,
        bytes: row.cv_bytes,
        path: fileContentPath(row.cv_id),
      };
