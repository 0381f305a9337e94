import type { Answer, ApplicationStatus, MyApplication } from '@nearhand/contract/hiring/applications';
import { liveInterviewStatuses } from '@nearhand/contract/hiring/interviews';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { Terms } from '@nearhand/contract/work/terms';
import { type RawBuilder, sql } from 'kysely';

/** The CV's file, if there is one. */
type CvColumns =
  | { cv_id: string; cv_name: string; cv_media_type: string; cv_bytes: number }
  | { cv_id: null; cv_name: null; cv_media_type: null; cv_bytes: null };

/** An application with its CV, its steps and related records. */
export type ApplicationRow = {
  id: string;
  version: number;
  job_id: string;
  status: ApplicationStatus;
  origin: MyApplication['origin'];
  cover_note: string;
  answers: Answer[];
  questions: JobQuestion[];
  submitted_at: Date;
  viewed_at: Date | null;
  decide_by: Date;
  steps: { status: ApplicationStatus; at: string; reason: string | null }[];
  interview: MyApplication['interview'];
  offer: (Omit<NonNullable<MyApplication['offer']>, 'pay'> & { terms: Terms }) | null;
  engagement_id: string | null;
  waitlisted_at: Date | null;
  waitlist_position: number | null;
} & CvColumns;

const iso = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// An edit is logged but is not a step. A worker sees an offer when it is sent, not while it is being funded.
export const columnsFor = (
  side: 'worker' | 'business',
) => sql`application.id, application.version, application.job_id,
  application.status, application.origin, application.cover_note, application.answers, application.questions, application.submitted_at,
  application.viewed_at, application.decide_by, application.waitlisted_at,
  cv.id as cv_id, cv.name as cv_name, cv.media_type as cv_media_type, cv.bytes as cv_bytes,
  (select jsonb_agg(jsonb_build_object('status', to_status, 'at', ${iso(sql`at`)}, 'reason', reason) order by at, id)
    from application_moves where application_id = application.id and from_status is distinct from to_status) as steps,
  (select jsonb_build_object('id', id, 'status', status, 'mode', mode, 'startsAt', ${iso(sql`starts_at`)}) from interviews
    where application_id = application.id
    order by status = any(${[...liveInterviewStatuses]}) desc, created_at desc, id desc limit 1) as interview,
  (select jsonb_build_object('id', id, 'status', status, 'funding', funding, 'expiresAt', ${iso(sql`expires_at`)}, 'terms', terms) from offers
    where application_id = application.id ${side === 'worker' ? sql`and sent_at is not null` : sql``}
    order by created_at desc, id desc limit 1) as offer,
  (select id from engagements where application_id = application.id) as engagement_id,
  case when application.waitlisted_at is not null then (select count(*) from applications other
    where other.job_id = application.job_id and other.waitlisted_at is not null
      and (other.waitlisted_at, other.id) <= (application.waitlisted_at, application.id)) end as waitlist_position`;
