import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Reported messages and conversations; danger to someone comes first. Index: `chat_reports_open`. */
export const chatReportSource: CaseSource = {
  kind: 'chat_report',
  open: sql`
    select report.id, report.at, null::timestamptz, job.title, report.reason,
      case when report.reason in ('harassment', 'illegal') then 1 end, conversation.business_id,
      array[report.account_id, conversation.worker_id]
    from chat_reports report join conversations conversation on conversation.id = report.conversation_id
    join jobs job on job.id = conversation.job_id
    where report.decided_at is null`,
};

/** Frozen conversations, since the decision that froze each first. Index: `chat_reports_frozen`. */
export const frozenChatSource: CaseSource = {
  kind: 'frozen_chat',
  open: sql`
    select report.conversation_id, report.decided_at, null::timestamptz, job.title, report.reason, null::int,
      conversation.business_id, array[report.account_id, conversation.worker_id]
    from chat_reports report join conversations conversation on conversation.id = report.conversation_id
    join jobs job on job.id = conversation.job_id
    where report.decision = 'freeze' and report.decided_at is not null and report.lifted_at is null
      and not exists (select from chat_reports earlier where earlier.conversation_id = report.conversation_id
        and earlier.decision = 'freeze' and earlier.lifted_at is null
        and (earlier.decided_at, earlier.id) < (report.decided_at, report.id))`,
};
