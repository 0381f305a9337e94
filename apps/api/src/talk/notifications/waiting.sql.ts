import { type RawBuilder, sql } from 'kysely';
import { recruiters } from '../../platform/members/job-members.ts';

/** The record id at the end of a path; null otherwise. */
const recordId = sql`substring(notifications.path from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid`;

/** The record id in a notice's key, for paths without one; null otherwise. */
const keyRecordId = sql`substring(notifications.dedupe_key from '^[a-z-]+/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})')::uuid`;

/** Topics whose record is in the key, since several records share one path. */
const topicsNamedByKey = sql.raw(
  "('payment-needs-confirmation', 'payment-failed', 'withdrawal-failed', 'withdrawal-returned', 'budget-asked', 'team-invited')",
);

/** An optimization fence: each notice looks up its record, or PostgreSQL would read all records (ADR 143). */
const planFence = sql.raw('offset 0');

const interviewIs = (states: string) =>
  sql`exists (select from interviews subject where subject.id = ${recordId} and ${sql.raw(states)} ${planFence})`;
const workIs = (states: string) =>
  sql`exists (select from engagements subject where subject.id = ${recordId} and ${sql.raw(states)} ${planFence})`;
const noDispute = (states: string) =>
  sql`not exists (select from disputes subject where subject.engagement_id = ${recordId} and ${sql.raw(states)} ${planFence})`;

/** A declined card is dealt with if it was paid or declined again, or nothing is due. Tips and top-ups are optional. */
const chargeDone = sql`(select exists (select from charges later
  where later.business_id = failed.business_id and later.purpose = failed.purpose
      and later.subject_id is not distinct from failed.subject_id and later.created_at > failed.created_at
      and (later.status not in ('failed', 'cancelled') or later.subject_id is not null and exists (select from notifications again
        where again.account_id = notifications.account_id and again.dedupe_key = 'payment-failed/' || later.id)))
    or case failed.purpose
      when 'hold' then not exists (select from holds subject
        where subject.id = failed.subject_id and subject.status in ('created', 'authorising'))
      when 'cover' then exists (select from ledger_postings line
          where line.account_id in ('hold:' || failed.subject_id || ':' || failed.currency,
            'hold_promo:' || failed.subject_id || ':' || failed.currency) and line.entry_id > failed.id
            and line.amount > 0)
        or not exists (select from holds subject join engagements work on work.id = subject.engagement_id
          where subject.id = failed.subject_id and (work.status in ('submitted', 'delivered')
            or exists (select from releases owed where owed.engagement_id = work.id and owed.state = 'not_funded' ${planFence})))
      when 'tip' then opened_at is not null
        or exists (select from tips refused join tips newer on newer.engagement_id = refused.engagement_id
          where refused.id = failed.subject_id and newer.at > refused.at and newer.status <> 'failed')
      else opened_at is not null end
  from charges failed where failed.id = ${keyRecordId})`;

export const isHandledDecline = sql<boolean>`(notifications.topic = 'payment-failed' and coalesce(${chargeDone}, false))`;

const withdrawnAgain = sql`exists (select from withdrawals back join withdrawals again on again.account_id = back.account_id
    where back.id = ${keyRecordId} and again.currency = back.currency and again.requested_at > back.updated_at
      and again.status in ('requested', 'processing', 'in_transit', 'paid') ${planFence})`;

const spotsFunded = sql`not exists (select from jobs subject where subject.id = ${recordId} and subject.status = 'open' and subject.instant_hire
    and subject.head_count - subject.hired_count - subject.offered_count > (select count(*) from holds spot
      where spot.job_id = subject.id and spot.offer_id is null and spot.status = 'held' and not spot.frozen) ${planFence})`;

/** Matches a later notice about the same record; their keys end in a number. */
const sentAgain = (topic: string) => sql`exists (select from notifications later
  where later.account_id = notifications.account_id and later.dedupe_key > ${topic}::text || '/' || ${keyRecordId} || '/'
    and later.dedupe_key < ${topic}::text || '/' || ${keyRecordId} || '/9' and later.created_at > notifications.created_at ${planFence})`;

/**
 * Derived from the record's state, so that no change can miss it (ADR 16). Opening counts only where
 * no state decides, and for uncontested no-shows and unfunded spots, which would wait forever.
 */
const isDone: RawBuilder<boolean> = sql<boolean>`case
  when (${recordId} is null and notifications.topic not in ${topicsNamedByKey})
    or notifications.topic in ('interview-no-show', 'payment-missing') and opened_at is not null then opened_at is not null
  else coalesce(case notifications.topic
  when 'application-received'
    then exists (select from applications subject
    where subject.id = ${recordId} and subject.status not in ('submitted', 'viewed') ${planFence})
  when 'application-nudge'
    then not exists (select from applications subject
    where subject.job_id = ${recordId} and subject.status in ('submitted', 'viewed') ${planFence})
  when 'application-invited' then exists (select from job_invitations subject
      where subject.job_id = ${recordId} and subject.worker_id = notifications.account_id and subject.status <> 'sent' ${planFence})
    or exists (select from jobs subject where subject.id = ${recordId} and subject.status not in ('open', 'paused') ${planFence})
  when 'interview-proposed' then ${interviewIs("(subject.status <> 'proposed' or subject.suggestions > 0)")}
  when 'interview-times-suggested' then ${interviewIs(
    "(subject.status <> 'proposed' or (subject.proposed_by = 'worker') = (subject.worker_id = notifications.account_id))",
  )}
  when 'interview-reschedule-asked' then ${interviewIs("subject.status <> 'reschedule_requested'")}
  when 'interview-outcome-due' then ${interviewIs("subject.status not in ('scheduled', 'reschedule_requested')")}
  when 'interview-no-show' then ${interviewIs("(subject.status not in ('no_show_worker', 'no_show_business') or subject.contest is not null)")}
  when 'offer-received' then not exists (select from offers subject where subject.application_id = ${recordId} and subject.status = 'sent' ${planFence})
  when 'offer-rebooked' then not exists (select from offers subject where subject.application_id = ${recordId} and subject.status = 'sent' ${planFence})
  when 'offer-reminder' then not exists (select from offers subject where subject.application_id = ${recordId} and subject.status = 'sent' ${planFence})
  when 'engagement-confirm-asked' then ${workIs("subject.status <> 'booked'")}
  when 'shift-change-asked' then not exists (select from shift_changes subject
    join shift_changes other on other.worker_id = subject.worker_id and other.edit = subject.edit
    where subject.engagement_id = ${recordId} and other.status = 'open' ${planFence})
  when 'day-off-asked' then not exists (select from days_off subject
    where subject.engagement_id = ${recordId} and subject.status = 'open' ${planFence})
  when 'engagement-no-show' then ${workIs("subject.status <> 'no_show_reported'")}
  when 'giveaway-open' then not exists (select from giveaways subject where subject.id = ${recordId} and subject.status = 'open' ${planFence})
  when 'giveaway-taken' then not exists (select from giveaways subject where subject.id = ${recordId} and subject.status = 'waiting' ${planFence})
  when 'hours-to-submit' then ${workIs("subject.status not in ('booked', 'confirmed', 'checked_in', 'checked_out')")}
  when 'hours-submitted' then ${workIs("subject.status <> 'submitted'")}
  when 'hours-countered' then ${workIs("subject.status <> 'counter_proposed'")}
  when 'work-delivered' then ${workIs("subject.status <> 'delivered'")}
  when 'changes-requested' then ${workIs("subject.status <> 'changes_requested'")}
  when 'dispute-opened' then ${noDispute("subject.status = 'open'")}
  when 'dispute-proposal' then ${noDispute("subject.status = 'proposed'")}
  when 'payment-missing'
    then not exists (select from releases subject
    where subject.engagement_id = ${recordId} and subject.state = 'not_funded' ${planFence})
  when 'pay-not-set-aside' then not ${workIs("subject.funding = 'planned' and subject.status in ('booked', 'confirmed')")}
    and not exists (select from offers subject where subject.application_id = ${recordId} and subject.status = 'sent'
      and subject.funding = 'planned' ${planFence})
    and not exists (select from engagements subject where subject.application_id = ${recordId} and subject.funding = 'planned'
      and subject.status in ('booked', 'confirmed') ${planFence})
  when 'payment-failed' then ${chargeDone}
  when 'spot-unfunded' then opened_at is not null or ${spotsFunded}
  when 'withdrawal-failed' then opened_at is not null or ${withdrawnAgain}
  when 'withdrawal-returned' then opened_at is not null or ${withdrawnAgain}
  when 'ticket-asked' then exists (select from tickets subject where subject.id = ${recordId} and subject.status <> 'waiting' ${planFence})
  when 'budget-asked' then exists (select from budget_requests subject where subject.id = ${keyRecordId} and subject.status <> 'open' ${planFence})
    or ${sentAgain('budget-asked')}
  when 'team-invited' then exists (select from team_invitations subject where subject.id = ${keyRecordId} and subject.status <> 'open' ${planFence})
    or ${sentAgain('team-invited')}
  when 'payment-needs-confirmation' then exists (select from charges subject
    where subject.id = ${keyRecordId} and subject.status <> 'requires_action' ${planFence})
  end, opened_at is not null) end`;

/** Neither expired, nor repeated since, nor done. */
export const isWaiting = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(asks and (asks_until is null or asks_until > ${now})
    and (notifications.topic in ${topicsNamedByKey}
      or not exists (select from notifications later
      where later.account_id = notifications.account_id and later.asks
      and later.topic = notifications.topic and later.path = notifications.path and later.created_at > notifications.created_at))
    and not ${isDone})`;

/**
 * Excludes records that may need an action again without another notice, such as a filled job with a freed
 * spot.
 */
export const isAnswered = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(not ${isWaiting(now)} and (asks_until <= ${now} or case notifications.topic
    when 'application-received' then exists (select from applications subject where subject.id = ${recordId}
      and subject.status not in ('submitted', 'viewed', 'shortlisted', 'interviewing') ${planFence})
    when 'application-invited' then exists (select from job_invitations subject
        where subject.job_id = ${recordId} and subject.worker_id = notifications.account_id and subject.status <> 'sent' ${planFence})
      or exists (select from jobs subject where subject.id = ${recordId} and subject.status in ('closed', 'archived') ${planFence})
    when 'application-nudge'
      then not exists (select from jobs subject
      where subject.id = ${recordId} and subject.status not in ('closed', 'archived') ${planFence})
    when 'spot-unfunded' then opened_at is not null
    else true end))`;

const isOutside: RawBuilder<boolean> = sql<boolean>`notifications.topic = 'message-received' and exists (select from conversations subject
    where subject.id = ${recordId} and subject.worker_id <> notifications.account_id and not exists (select from job_members member
      where member.job_id = subject.job_id and member.account_id = notifications.account_id and member.role in ${recruiters}))`;

/**
 * A condition: the notice no longer needs an action, or quotes text that its reader may no longer read. It is not sent
 * then (ADR 16).
 */
export const isObsolete = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(asks and not ${isWaiting(now)} or ${isOutside})`;
