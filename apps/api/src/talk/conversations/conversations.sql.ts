import { liveEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { keptPlan, literals } from '../../platform/prepared-statements.ts';

export async function findSettings(db: Db, accountId: string) {
  return db.selectFrom('chat_settings').selectAll().where('accountId', '=', accountId).executeTakeFirst();
}

type Saved = {
  showsTyping?: boolean;
  showsLastSeen?: boolean;
  showsRead?: boolean;
  quickReplies?: string[];
};

export async function saveSettingsRow(tx: Tx, accountId: string, saved: Saved): Promise<void> {
  await tx
    .insertInto('chat_settings')
    .values({ accountId, ...saved })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(saved))
    .execute();
}

type TypingRow = PartRow & {
  showsTyping: boolean;
  /** Accounts of the other side that share when they type; only they see when others do. */
  recipients: string[];
};

export async function findTyping(
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<TypingRow | undefined> {
  const { rows } = await sql<TypingRow>`${keptPlan}
    select ${partColumns}, ${roleOf(accountId)},
      coalesce((select shows_typing from chat_settings where account_id = ${accountId}), true) and not exists (select from sanctions
        where sanctions.account_id = ${accountId} and scope in ('chat', 'everything') and ended_at is null) as shows_typing,
      array(
        select recipient.account_id from (
          select conversation.worker_id as account_id
          union
          select member.account_id from job_members member where member.job_id = conversation.job_id
            and member.role in ${recruiters}
        ) recipient
        left join chat_settings setting on setting.account_id = recipient.account_id
        where coalesce(setting.shows_typing, true) and recipient.account_id <> ${accountId}
      ) as recipients
    from conversations conversation ${workBehind} where conversation.id = ${conversationId}`.execute(db);
  return rows[0];
}

export async function deleteChatSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('chat_settings').where('accountId', '=', accountId).execute();
}

/** Checks the worker's side first, because a worker who becomes a recruiter stays the worker of the conversation. */
export function sideOf(
  accountId: string,
  conversation: { workerId: string; role: MemberRole | null },
): ChatSide | null {
  if (accountId === conversation.workerId) return 'worker';
  return roleMay(conversation.role, 'messages') ? 'business' : null;
}

const liveEngagements = literals(liveEngagementStatuses);

/**
 * The newest application and engagement, and when they ended: not while the worker still has another shift of the
 * series or an open application for one. A few index lookups, so no timer has to store it (ADR 92).
 */
export const workBehind: RawBuilder<unknown> = sql`
  left join lateral (select id, status, stage from applications where job_id = conversation.job_id and worker_id = conversation.worker_id
    order by submitted_at desc limit 1) application on true
  left join lateral (select id, status from engagements where job_id = conversation.job_id and worker_id = conversation.worker_id
    order by created_at desc limit 1) engagement on true
  left join lateral (select case
    when engagement.status in (${liveEngagements}) then null
    when exists (select from jobs own join jobs other on other.series_id = own.series_id
      join applications live on live.job_id = other.id and live.worker_id = conversation.worker_id
      where own.id = conversation.job_id and live.stage not in ('done', 'ended')) then null
    when engagement.id is not null then
      (select max(move.at) from engagement_moves move where move.engagement_id = engagement.id)
    when application.stage = 'ended' then
      (select max(move.at) from application_moves move where move.application_id = application.id)
    when application.id is null then
      (select answered_at from job_invitations invitation
        where invitation.job_id = conversation.job_id and invitation.worker_id = conversation.worker_id and invitation.status = 'declined')
    end as ended_at) work on true`;

export type PartRow = {
  id: string;
  jobId: string;
  workerId: string;
  businessId: string;
  lastSeq: number;
  rev: number;
  frozen: boolean;
  blockedBy: ChatSide[];
  role: MemberRole | null;
  applicationId: string | null;
  engagementId: string | null;
  endedAt: Date | null;
};

export const partColumns: RawBuilder<unknown> = sql`conversation.id, conversation.job_id, conversation.worker_id, conversation.business_id,
  conversation.last_seq, conversation.rev, conversation.frozen_at is not null as frozen,
  array(select side from chat_blocks block where block.worker_id = conversation.worker_id and block.business_id = conversation.business_id)
    as blocked_by,
  application.id as application_id, engagement.id as engagement_id, work.ended_at`;

export const roleOf = (accountId: string): RawBuilder<unknown> =>
  sql`(select role from job_members member where member.job_id = conversation.job_id and member.account_id = ${accountId}) as role`;

/** Returns a conversation with the caller's role as a member of its business. The caller checks access. */
export async function findPart(
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<PartRow | undefined> {
  const { rows } = await sql<PartRow>`${keptPlan}
    select ${partColumns}, ${roleOf(accountId)} from conversations conversation ${workBehind}
    where conversation.id = ${conversationId}`.execute(db);
  return rows[0];
}

/** The row that sending a message needs, read in one statement. */
export type SendingRow = PartRow & {
  name: string;
  photoFileId: string | null;
  jobTitle: string;
  businessName: string;
  /** Seconds until the author may write again. `chat_send` counts; this only refuses before anything is locked. */
  wait: number | null;
  /** True if no other call is sending under this id; none can until this one ends. */
  alone: boolean;
  knownSeq: number | null;
  replyName: string | null;
  replyBody: string | null;
  replyRedacted: boolean | null;
  /** Accounts of the other side that have neither muted the conversation nor have it open. */
  recipients: string[];
};

const sendingLock = (accountId: string, clientId: string): RawBuilder<number> =>
  sql<number>`hashtextextended(${`chat/${accountId}/${clientId}`}, 0)`;

/** Lets no concurrent request send the same message, so that it is stored once. */
export async function waitForTwin(tx: Tx, accountId: string, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sendingLock(accountId, clientId)})`.execute(tx);
}

export async function findForSending(
  db: Db,
  accountId: string,
  message: { conversationId: string; clientId: string; replyTo: number | null },
  limits: { burst: number; perMinute: number },
  now: Date,
): Promise<SendingRow | undefined> {
  const { rows } = await sql<SendingRow>`${keptPlan}
    select ${partColumns}, ${roleOf(accountId)}, writer.name, profile.photo_file_id, job.title as job_title, job.business_name,
      pg_try_advisory_xact_lock(${sendingLock(accountId, message.clientId)}) as alone,
      (select case
          when pace.minute_count >= ${limits.perMinute}::integer and not chat_begins_anew(${now}, pace.minute_at, interval '1 minute')
            then extract(epoch from pace.minute_at + interval '1 minute' - ${now}::timestamptz)
          when pace.second_count >= ${limits.burst}::integer and not chat_begins_anew(${now}, pace.second_at, interval '1 second')
            then extract(epoch from pace.second_at + interval '1 second' - ${now}::timestamptz)
        end::double precision from chat_paces pace where pace.account_id = ${accountId}) as wait,
      (select seq from messages earlier where earlier.conversation_id = conversation.id and earlier.author_id = ${accountId}
        and earlier.client_id = ${message.clientId}) as known_seq,
      answered.name as reply_name, answered.body as reply_body, answered.redacted as reply_redacted,
      array(
        select recipient.account_id from (
          select conversation.worker_id as account_id where conversation.worker_id <> ${accountId}
          union all
          select member.account_id from job_members member
          where conversation.worker_id = ${accountId} and member.job_id = conversation.job_id
            and member.role in ${recruiters} and member.account_id <> ${accountId}
        ) recipient
        left join conversation_readers reader on reader.conversation_id = conversation.id and reader.account_id = recipient.account_id
        left join presence on presence.account_id = recipient.account_id
        where not coalesce(reader.muted, false)
          and not coalesce(presence.looking = conversation.id and presence.looking_until > ${now}, false)
        order by recipient.account_id
      ) as recipients
    from conversations conversation
    join jobs job on job.id = conversation.job_id
    join accounts writer on writer.id = ${accountId}
    left join profiles profile on profile.account_id = writer.id
    left join lateral (
      select author.name, message.body, message.redacted_at is not null as redacted
      from messages message join accounts author on author.id = message.author_id
      where message.conversation_id = conversation.id and message.seq = ${message.replyTo}::bigint
    ) answered on true
    ${workBehind}
    where conversation.id = ${message.conversationId}`.execute(db);
  return rows[0];
}
