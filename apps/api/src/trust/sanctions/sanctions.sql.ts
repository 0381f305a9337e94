import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { liveEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { cleanBusiness } from '@nearhand/contract/hiring/screening.rules';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import type { RunningWork, SanctionReversal } from '@nearhand/contract/trust/sanctions';
import {
  type SanctionEnding,
  type SanctionMeasure,
  type SanctionTarget,
  sanctionLimits,
} from '@nearhand/contract/trust/sanctions.rules';
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { HiringNeeds } from '../../hiring/hooks.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Appeals, Sanctions } from '../../platform/tables.gen.ts';

/**
 * Returns whether a business is verified, has completed work, and had no breach for a year (ADR 178). Its
 * jobs open at once.
 */
export const isCleanBusiness: HiringNeeds['isCleanBusiness'] = async (tx, { clock }, businessId) => {
  const since = subtractMs(clock.now(), cleanBusiness.quietDays * dayMs);
  const { verified, completed, breaches } = await findRecord(tx, businessId, since);
  return verified && completed >= cleanBusiness.completedMin && breaches === 0;
};

export type SanctionRow = Pick<
  Selectable<Sanctions>,
  | 'id'
  | 'measure'
  | 'accountId'
  | 'businessId'
  | 'jobId'
  | 'reviewId'
  | 'conversationId'
  | 'seq'
  | 'withdrawalId'
  | 'certificateId'
  | 'identityCheckId'
  | 'scope'
  | 'rule'
  | 'facts'
  | 'source'
  | 'decidedBy'
  | 'decidedAt'
  | 'endsAt'
  | 'endedAt'
  | 'ending'
  | 'endReason'
> & {
  accountName: string | null;
  methodId: string | null;
  businessName: string | null;
  jobTitle: string | null;
  bankName: string | null;
  bankLast4: string | null;
  certificateKind: string | null;
  identityDocument: string | null;
  /** Both sides of the review or conversation, or only the side it concerns. */
  partyWorkerId: string | null;
  partyBusinessId: string | null;
  appealId: string | null;
  appealWords: string | null;
  appealAt: Date | null;
  appealDueAt: Date | null;
  appealOutcome: Appeals['outcome'];
  appealReason: string | null;
  appealDecidedAt: Date | null;
};

const sanctionRows = sql`select sanction.id, sanction.measure, sanction.account_id, account.name as account_name, sanction.business_id,
    business.name as business_name, sanction.job_id, sanction.job_title, sanction.review_id, sanction.conversation_id, sanction.seq,
    sanction.withdrawal_id, sanction.certificate_id, certificate.kind as certificate_kind,
    sanction.identity_check_id, identity_check.document as identity_document, method.id as method_id, method.bank_name, method.last4 as bank_last4,
    coalesce(sanction.account_id, review.worker_id, conversation.worker_id) as party_worker_id,
    coalesce(sanction.business_id, review.business_id, conversation.business_id) as party_business_id,
      sanction.scope, sanction.rule, sanction.facts, sanction.source,
    sanction.decided_by, sanction.decided_at, sanction.ends_at, sanction.ended_at, sanction.ending, sanction.end_reason,
    appeal.id as appeal_id, appeal.words as appeal_words, appeal.at as appeal_at, appeal.due_at as appeal_due_at,
    appeal.outcome as appeal_outcome, appeal.reason as appeal_reason, appeal.decided_at as appeal_decided_at
  from sanctions sanction
  left join accounts account on account.id = sanction.account_id
  left join businesses business on business.id = sanction.business_id
  left join reviews review on review.id = sanction.review_id
  left join conversations conversation on conversation.id = sanction.conversation_id
  left join withdrawals withdrawal on withdrawal.id = sanction.withdrawal_id
  left join payout_methods method on method.id = withdrawal.method_id
  left join certificates certificate on certificate.id = sanction.certificate_id
  left join identity_checks identity_check on identity_check.id = sanction.identity_check_id
  left join appeals appeal on appeal.sanction_id = sanction.id`;

const ofSeenJob = (
  accountId: string,
) => sql`(sanction.job_id is null or exists (select from job_members viewer
    where viewer.job_id = sanction.job_id and viewer.account_id = ${accountId}))`;
const hiresFor = (accountId: string) =>
  sql`business_members member where member.account_id = ${accountId} and member.role in ${recruiters}`;

/** Decisions about the account, the businesses it hires for and jobs it sees. */
const concernsAccount = (accountId: string) => sql`(sanction.account_id = ${accountId} or
  sanction.business_id in (select member.business_id from ${hiresFor(accountId)}) and ${ofSeenJob(accountId)})`;

/** True if a row `report` is about the message or conversation of a decision, or led to a freeze of it. */
export const isReportOf = (sanction: RawBuilder<unknown>) => sql<boolean>`(
  report.conversation_id = ${sanction}.conversation_id and (report.seq is not distinct from ${sanction}.seq
    or ${sanction}.measure = 'frozen' and report.decision = 'freeze'))`;

/** The operators whose dismissal of a report was contested and led to the decision, as an array of accounts. */
export const dismissersOf = (sanction: RawBuilder<unknown>) => sql`array(
  select contested_by from report_cases where id = ${sanction}.case_id and contested_by is not null
  union select contested_by from chat_reports report
    where ${isReportOf(sanction)} and report.contested_by is not null)`;

export async function findSanction(db: Db, sanctionId: string): Promise<SanctionRow | undefined> {
  const { rows } = await sql<SanctionRow>`${sanctionRows} where sanction.id = ${sanctionId}`.execute(db);
  return rows[0];
}

/** Returns a decision if it concerns this account: as its subject, author or owner of the business. */
export async function findConcerning(
  db: Db,
  accountId: string,
  sanctionId: string,
): Promise<SanctionRow | undefined> {
  const { rows } =
    await sql<SanctionRow>`${sanctionRows} where sanction.id = ${sanctionId} and ${concernsAccount(accountId)}`.execute(
      db,
    );
  return rows[0];
}

type Page = { after: readonly [string, string] | null; limit: number };

/** Reads a page of each index before the joins: `sanctions_account`, and `sanctions_business` for each business. */
export async function findMine(db: Db, accountId: string, { after, limit }: Page): Promise<SanctionRow[]> {
  const bound = andBefore(sql`sanction.decided_at, sanction.id`, after);
  const inPage = sql`${bound} order by sanction.decided_at desc, sanction.id desc limit ${limit}`;
  const { rows } = await sql<SanctionRow>`${sanctionRows} where sanction.id = any(array(
      (select sanction.id from sanctions sanction where sanction.account_id = ${accountId} ${inPage})
      union all
      select about.id from (select member.business_id from ${hiresFor(accountId)}) hiring cross join lateral (
        select sanction.id from sanctions sanction
        where sanction.business_id = hiring.business_id and ${ofSeenJob(accountId)} ${inPage}) about
    )) order by sanction.decided_at desc, sanction.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findEarlier(db: Db, target: Target, limit: number): Promise<SanctionRow[]> {
  const column = {
    job: sql`sanction.job_id`,
    business: sql`sanction.business_id`,
    account: sql`sanction.account_id`,
    review: sql`sanction.review_id`,
  };
  const { rows } = await sql<SanctionRow>`${sanctionRows} where ${column[target.kind]} = ${target.id}::uuid
    order by sanction.decided_at desc, sanction.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findRemoval(db: Db, reviewId: string): Promise<SanctionRow | undefined> {
  const { rows } =
    await sql<SanctionRow>`${sanctionRows} where sanction.review_id = ${reviewId} and sanction.ended_at is null`.execute(
      db,
    );
  return rows[0];
}

export async function findAboutChat(
  db: Db,
  message: { conversationId: string; seq: number | null },
): Promise<SanctionRow[]> {
  const { rows } =
    await sql<SanctionRow>`${sanctionRows} where sanction.conversation_id = ${message.conversationId}
    and sanction.seq is not distinct from ${message.seq}::int and sanction.ended_at is null`.execute(db);
  return rows;
}

export async function findOfWithdrawal(db: Db, withdrawalId: string): Promise<SanctionRow | undefined> {
  const { rows } =
    await sql<SanctionRow>`${sanctionRows} where sanction.withdrawal_id = ${withdrawalId}`.execute(db);
  return rows[0];
}

export async function findSanctionsOfJob(
  db: Db,
  jobId: string,
  measure: string,
): Promise<SanctionRow | undefined> {
  const { rows } =
    await sql<SanctionRow>`${sanctionRows} where sanction.job_id = ${jobId} and sanction.measure = ${measure}
    and sanction.ended_at is null order by sanction.decided_at desc, sanction.id desc limit 1`.execute(db);
  return rows[0];
}

export async function findRefusals(db: Db, businessId: string): Promise<SanctionRow[]> {
  const { rows } = await sql<SanctionRow>`${sanctionRows} where sanction.business_id = ${businessId}
    and sanction.measure = 'verification_refused' and sanction.ended_at is null`.execute(db);
  return rows;
}

/** Refusals in force of certificates that were sent before this one of their kind. */
export async function findEarlierRefusals(db: Db, certificateId: string): Promise<SanctionRow[]> {
  const { rows } = await sql<SanctionRow>`${sanctionRows}
    join certificates confirmed on confirmed.account_id = sanction.account_id and confirmed.kind = certificate.kind
      and confirmed.submitted_at > certificate.submitted_at
    where confirmed.id = ${certificateId} and sanction.ended_at is null`.execute(db);
  return rows;
}

/** Refusals in force of identity documents that the person sent before this one. */
export async function findRefusedIdentities(db: Db, checkId: string): Promise<SanctionRow[]> {
  const { rows } = await sql<SanctionRow>`${sanctionRows}
    join identity_checks verified on verified.account_id = sanction.account_id
      and verified.submitted_at > identity_check.submitted_at
    where verified.id = ${checkId} and sanction.ended_at is null`.execute(db);
  return rows;
}

/** The business's completed work, and decisions that were neither lifted nor reversed. */
async function findRecord(
  db: Db,
  businessId: string,
  since: Date,
): Promise<{ verified: boolean; completed: number; breaches: number }> {
  const { rows } = await sql<{ verified: boolean; completed: number; breaches: number }>`
    select exists (select from businesses where id = ${businessId} and status = 'verified') as verified,
      (select count(*)::int
        from (select from engagements where business_id = ${businessId} and status = 'completed'
        limit 100) done) as completed,
      (select count(*)::int from sanctions where business_id = ${businessId}
        and (ending is null or ending = 'expired')
          and (decided_at > ${since} or ended_at is null and measure = 'suspension')) as breaches`.execute(
    db,
  );
  return rows[0] ?? { verified: false, completed: 0, breaches: 0 };
}

export async function findOfCase(db: Db, caseId: string): Promise<SanctionRow | undefined> {
  const { rows } = await sql<SanctionRow>`${sanctionRows} where sanction.case_id = ${caseId}`.execute(db);
  return rows[0];
}

export async function insertSanction(tx: Tx, row: Insertable<Sanctions> & { id: string }): Promise<void> {
  await tx.insertInto('sanctions').values(row).execute();
  emitSanction(tx, { id: row.id, accountId: row.accountId ?? null, businessId: row.businessId ?? null });
}

/** Both sides of a decision refetch it, including after an appeal. */
export const emitSanction = (
  tx: Tx,
  row: { id: string; accountId: string | null; businessId: string | null },
): void => emitRecord(tx, 'sanction', { id: row.id, workerId: row.accountId, businessId: row.businessId });

/** Locks a decision, to serialize its appeals, endings and timers. */
export async function lockSanction(tx: Tx, sanctionId: string): Promise<SanctionRow | undefined> {
  await tx
    .selectFrom('sanctions')
    .select('id')
    .where('id', '=', sanctionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return findSanction(tx, sanctionId);
}

/** Ends a decision; returns false if it had already ended. */
export async function updateEnded(
  tx: Tx,
  row: Pick<SanctionRow, 'id' | 'accountId' | 'businessId'>,
  end: { ending: SanctionEnding; reason: string | null; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sanctions')
    .set({ ending: end.ending, endReason: end.reason, endedAt: end.at })
    .where('id', '=', row.id)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  emitSanction(tx, row);
  return true;
}

/** Returns whether another running suspension keeps a business from hiring. */
export async function isSuspended(db: Db, businessId: string): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean;
  }>`select exists (select from sanctions where business_id = ${businessId}
    and scope is not null and ended_at is null) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** A suspended or rejected business shows no jobs. */
export async function isBarred(db: Db, businessId: string): Promise<boolean> {
  const { rows } = await sql<{
    found: boolean;
  }>`select exists (select from businesses where id = ${businessId}
    and status in ('rejected', 'resubmitted')) as found`.execute(db);
  return rows[0]?.found === true || isSuspended(db, businessId);
}

export async function isHidden(db: Db, jobId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
      select from sanctions where job_id = ${jobId} and measure = 'hidden' and ended_at is null)
    or exists (select from sanctions join jobs on jobs.business_id = sanctions.business_id
      where jobs.id = ${jobId} and sanctions.scope is not null and sanctions.ended_at is null)
    or exists (select from businesses join jobs on jobs.business_id = businesses.id
      where jobs.id = ${jobId} and businesses.status in ('rejected', 'resubmitted')) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** The state of what a decision is about, as `SanctionReversal` describes it. */
export async function findTargetState(
  db: Db,
  row: Pick<SanctionRow, 'id' | 'measure' | 'accountId' | 'businessId'>,
): Promise<Omit<SanctionReversal, 'ends'>> {
  const states: Record<SanctionMeasure, RawBuilder<unknown>> = {
    warning: sql`null`,
    hidden: sql`(select status from jobs where id = sanction.job_id)`,
    refused: sql`(select status from jobs where id = sanction.job_id)`,
    suspension: sql`case when sanction.business_id is null then 'free'
      else (select status from businesses where id = sanction.business_id) end`,
    verification_refused: sql`(select status from businesses where id = sanction.business_id)`,
    removed: sql`(select state from reviews where id = sanction.review_id)`,
    redacted: sql`(select case when redacted_at is null then 'readable' else 'removed' end from messages
      where conversation_id = sanction.conversation_id and seq = sanction.seq)`,
    frozen: sql`(select case when frozen_at is not null then 'frozen' when exists (select from chat_blocks block
        where block.worker_id = conversation.worker_id and block.business_id = conversation.business_id) then 'blocked' else 'open' end
      from conversations conversation where conversation.id = sanction.conversation_id)`,
    certificate_refused: sql`(select status from certificates where id = sanction.certificate_id)`,
    identity_refused: sql`(select status from identity_checks where id = sanction.identity_check_id)`,
    payout_refused: sql`(select case when method.accepted_for is not null and method.removed_at is null then 'accepted' else 'refused' end
      from withdrawals withdrawal join payout_methods method on method.id = withdrawal.method_id
      where withdrawal.id = sanction.withdrawal_id)`,
  };
  const { rows } = await sql<Omit<SanctionReversal, 'ends'>>`
    select (${states[row.measure]})::text as state,
      (select status from businesses where id = coalesce(sanction.business_id, (select business_id from jobs where id = sanction.job_id),
        (select business_id from reviews where id = sanction.review_id))) as business_status,
      array(select distinct scope from sanctions other where other.account_id = sanction.account_id and other.id <> sanction.id
        and other.scope is not null and other.ended_at is null order by scope) as other_scopes
    from sanctions sanction where id = ${row.id}`.execute(db);
  return rows[0] ?? { state: null, businessStatus: null, otherScopes: [] };
}

/** Returns the status to restore when a suspension ends; null if the business was never suspended. */
export async function statusBeforeSuspension(db: Db, businessId: string): Promise<BusinessStatus | null> {
  const { rows } = await sql<{ fromStatus: BusinessStatus }>`select from_status from business_moves
    where business_id = ${businessId} and action = 'suspend' order by at desc, id desc limit 1`.execute(db);
  return rows[0]?.fromStatus ?? null;
}

export async function findJobIds(
  db: Db,
  page: { businessId: string; statuses: readonly string[]; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from jobs where business_id = ${page.businessId}
    and status = any(${[...page.statuses]}::text[]) ${page.after === null ? sql`` : sql`and id > ${page.after}::uuid`}
    order by id limit ${page.limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Work that still needs its worker or an answer about its hours. */
const unfinished = sql`(${literals(liveEngagementStatuses.filter((status) => status !== 'approved'))})`;

/**
 * Counts what a person or business has running. A filled job counts while someone is booked or at work on it: it stays
 * filled afterwards until its business closes it. Indexes: `jobs_business`, `engagements_job`,
 * `engagements_business_live`, `engagements_worker`.
 */
export async function findRunning(
  db: Db,
  { kind, id }: { kind: 'account' | 'business'; id: string },
): Promise<RunningWork> {
  const jobs =
    kind === 'business'
      ? sql`select from jobs where business_id = ${id} and (status in ('in_review', 'open', 'paused')
          or status = 'filled' and exists (select from engagements
            where engagements.job_id = jobs.id and engagements.status in ${unfinished}))
          limit ${sanctionLimits.runningMax}`
      : sql`select where false`;
  const { rows } = await sql<RunningWork>`
    select (select count(*)::int from (${jobs}) job) as open_jobs,
      (select count(*)::int from (select from engagements
        where ${kind === 'business' ? sql`business_id` : sql`worker_id`} = ${id} and status in ${unfinished}
        limit ${sanctionLimits.runningMax}) work) as bookings`.execute(db);
  return rows[0] ?? { openJobs: 0, bookings: 0 };
}

type TargetRow = {
  jobId: string | null;
  jobTitle: string | null;
  businessId: string | null;
  accountId: string | null;
};

/** Targets that need no report. */
export type Target = {
  kind: Exclude<SanctionTarget, 'message' | 'conversation' | 'withdrawal' | 'certificate' | 'identity_check'>;
  id: string;
};

export async function findTarget(db: Db, { kind, id }: Target): Promise<TargetRow | undefined> {
  const none = sql`null::uuid`;
  const source = {
    job: sql`select id as job_id, title as job_title, business_id, ${none} as account_id from jobs where id = ${id}`,
    business: sql`select ${none} as job_id, null::text as job_title, id as business_id, ${none} as account_id
      from businesses where id = ${id}`,
    account: sql`select ${none} as job_id, null::text as job_title, ${none} as business_id, id as account_id
      from accounts where id = ${id}`,
    review: sql`select review.job_id, coalesce(engagement.terms->>'title', '') as job_title,
        case review.author_side when 'business' then review.business_id end as business_id,
        case review.author_side when 'worker' then review.worker_id end as account_id
      from reviews review join engagements engagement on engagement.id = review.engagement_id
      where review.id = ${id} and review.stars is not null`,
  };
  const { rows } = await sql<TargetRow>`
    select job_id, job_title, business_id, account_id from (${source[kind]}) target`.execute(db);
  return rows[0];
}

/** Returns the person concerned, or the members who hire for the business or see the job. */
export async function findRecipients(
  db: Db,
  subject: { accountId: string | null; businessId: string | null; jobId: string | null },
): Promise<string[]> {
  if (subject.accountId !== null) return [subject.accountId];
  const members =
    subject.jobId === null
      ? sql`business_members where business_id = ${subject.businessId}`
      : sql`job_members where job_id = ${subject.jobId}`;
  const { rows } = await sql<{ accountId: string }>`
    select account_id from ${members} and role in ${recruiters}`.execute(db);
  return rows.map((row) => row.accountId);
}

const businessOf: Record<string, { table: string; column: string }> = {
  businessId: { table: 'businesses', column: 'id' },
  jobId: { table: 'jobs', column: 'business_id' },
  applicationId: { table: 'applications', column: 'business_id' },
  interviewId: { table: 'interviews', column: 'business_id' },
  poolId: { table: 'pools', column: 'business_id' },
  templateId: { table: 'job_templates', column: 'business_id' },
  holdId: { table: 'holds', column: 'business_id' },
};

/** Returns whether one of the named records belongs to a suspended business of the account. */
export async function findSuspended(
  db: Db,
  accountId: string,
  named: readonly { field: string; id: string }[],
): Promise<boolean> {
  const businesses = named.flatMap(({ field, id }) => {
    const place = businessOf[field];
    return place
      ? [sql`select ${sql.ref(place.column)} from ${sql.table(place.table)} where id = ${id}`]
      : [];
  });
  if (businesses.length === 0) return false;
  const { rows } = await sql`select from businesses
    join business_members on business_members.business_id = businesses.id and business_members.account_id = ${accountId}
    where businesses.status = 'suspended' and businesses.id in (${sql.join(businesses, sql` union all `)})`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns the accounts to notify: the subject's, or the members of the business. */
export async function findEveryone(
  db: Db,
  subject: { accountId: string | null; businessId: string | null },
): Promise<string[]> {
  const { rows } = await sql<{
    accountId: string;
  }>`select account_id from business_members where business_id = ${subject.businessId}`.execute(db);
  return [...(subject.accountId === null ? [] : [subject.accountId]), ...rows.map((row) => row.accountId)];
}

/** Removes a deleted account's name; the decision stays. */
export async function eraseSanctions(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update sanctions set facts = ${withoutWords('facts', member)}, end_reason = ${withoutWords('end_reason', member)}
    where account_id = ${member.accountId} or business_id in
      (select business_id from business_members where account_id = ${member.accountId})`.execute(tx);
}
