import { type RawBuilder, sql } from 'kysely';

/** The record that a path ends with; null where it ends otherwise. */
const about = sql`substring(notifications.path from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid`;

const interviewIs = (states: string) =>
  sql`exists (select from interviews known where known.id = ${about} and ${sql.raw(states)})`;
const workIs = (states: string) =>
  sql`exists (select from engagements known where known.id = ${about} and ${sql.raw(states)})`;
const noDispute = (states: string) =>
  sql`not exists (select from disputes known where known.engagement_id = ${about} and ${sql.raw(states)})`;

/**
 * Whether what a notice asks for was dealt with, by whomever: read from the state of the record that its path leads to, so that no way to a change can forget it
 * (ADR 0107). Opened counts as done only where no state says so: a topic without a line, and a path that leads to no record. A no-show that nobody contests and a seat
 * that is never paid for would ask for ever, so these end by being opened too.
 */
const isDone: RawBuilder<boolean> = sql<boolean>`case
  when (${about} is null and notifications.topic <> 'payment-needs-confirmation')
    or notifications.topic in ('interview-no-show', 'payment-missing') and opened_at is not null then opened_at is not null
  else coalesce(case notifications.topic
  when 'application-received' then exists (select from applications known where known.id = ${about} and known.status not in ('submitted', 'viewed'))
  when 'application-nudge' then not exists (select from applications known where known.job_id = ${about} and known.status in ('submitted', 'viewed'))
  when 'application-invited' then exists (select from job_invitations known
      where known.job_id = ${about} and known.worker_id = notifications.account_id and known.status <> 'sent')
    or exists (select from jobs known where known.id = ${about} and known.status not in ('open', 'paused'))
  when 'interview-proposed' then ${interviewIs("known.status <> 'proposed'")}
  when 'interview-reschedule-asked' then ${interviewIs("known.status <> 'reschedule_requested'")}
  when 'interview-outcome-due' then ${interviewIs("known.status not in ('scheduled', 'reschedule_requested')")}
  when 'interview-no-show' then ${interviewIs("(known.status not in ('no_show_worker', 'no_show_merchant') or known.contest is not null)")}
  when 'offer-received' then not exists (select from offers known where known.application_id = ${about} and known.status = 'sent')
  when 'offer-reminder' then not exists (select from offers known where known.application_id = ${about} and known.status = 'sent')
  when 'engagement-confirm-asked' then ${workIs("known.status <> 'booked'")}
  when 'engagement-no-show' then ${workIs("known.status <> 'no_show_reported'")}
  when 'hours-to-submit' then ${workIs("known.status not in ('booked', 'confirmed', 'checked_in', 'checked_out')")}
  when 'hours-submitted' then ${workIs("known.status <> 'submitted'")}
  when 'hours-countered' then ${workIs("known.status <> 'counter_proposed'")}
  when 'work-delivered' then ${workIs("known.status <> 'delivered'")}
  when 'changes-requested' then ${workIs("known.status <> 'changes_requested'")}
  when 'dispute-opened' then ${noDispute("known.status = 'open'")}
  when 'dispute-proposal' then ${noDispute("known.status = 'proposed'")}
  when 'payment-missing' then ${workIs("known.funding = 'funded'")}
  when 'payment-needs-confirmation' then exists (select from charges known
    where known.id::text = split_part(notifications.dedupe_key, '/', 2) and known.status <> 'requires_action')
  end, opened_at is not null) end`;

/** Whether a notice still asks its reader for something: not too late, not told again since, and not dealt with. */
export const isWaiting = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(asks and (asks_until is null or asks_until > ${now})
    and not exists (select from notifications later where later.account_id = notifications.account_id and later.topic = notifications.topic
      and later.path = notifications.path and later.created_at > notifications.created_at)
    and not ${isDone})`;

/** Whether a notice asked for something and does so no more: nobody is mailed or pushed about it any longer (ADR 0114). */
export const isOver = (now: Date): RawBuilder<boolean> => sql<boolean>`(asks and not ${isWaiting(now)})`;
