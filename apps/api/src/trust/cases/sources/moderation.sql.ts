import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Reports of one job, business, worker or review; danger to someone comes first. Index: `report_cases_queue`. */
export const reportSource: CaseSource = {
  kind: 'report',
  open: sql`
    select reported.id, reported.opened_at, null::timestamptz, case reported.kind when 'review' then 'Review' else coalesce(job.title, business.name, 'Worker') end, first.reason,
      case when exists (select from reports danger where danger.case_id = reported.id
        and danger.reason in ('unsafe', 'harassment', 'illegal')) then 1 end,
      business.id,
      array(select by.account_id from reports by where by.case_id = reported.id union select coalesce(reported.worker_id, review.worker_id)
        where coalesce(reported.worker_id, review.worker_id) is not null)
    from report_cases reported
    left join jobs job on job.id = reported.job_id
    left join reviews review on review.id = reported.review_id
    left join businesses business on business.id = coalesce(reported.business_id, job.business_id, review.business_id)
    left join lateral (select reason from reports where case_id = reported.id order by at, id limit 1) first on true
    where reported.status = 'open'`,
};

/** Jobs that the automatic check keeps in review; a fee or private details come first. Index: `jobs_in_review`. */
export const jobReviewSource: CaseSource = {
  kind: 'job_review',
  open: sql`
    select job.id, screening.at, null::timestamptz, job.title, screening.found #>> '{0,rule}',
      case when screening.found #>> '{0,rule}' in ('asks-fee', 'asks-details') then 1 end, job.business_id, array[]::uuid[]
    from jobs job join job_screenings screening on screening.job_id = job.id and screening.outcome is null
    where job.status = 'in_review'`,
};

/** Appeals, for operators who neither made the decision nor reported what it is about. Index: `appeals_queue`. */
export const appealSource: CaseSource = {
  kind: 'appeal',
  open: sql`
    select appeal.id, appeal.at, appeal.due_at, case when sanction.withdrawal_id is not null then 'Withdrawal' else coalesce(sanction.job_title, business.name, 'Account') end, sanction.measure,
      case when appeal.escalated_at is not null then 1 end, business.id,
      array_remove(array[appeal.account_id, appeal.sanction_by, coalesce(sanction.account_id, review.worker_id, conversation.worker_id)], null)
        || array(select by.account_id from reports by where by.case_id = sanction.case_id)
    from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id
    left join reviews review on review.id = sanction.review_id
    left join conversations conversation on conversation.id = sanction.conversation_id
    left join businesses business on business.id = coalesce(sanction.business_id, review.business_id, conversation.business_id)
    where appeal.outcome is null`,
};
