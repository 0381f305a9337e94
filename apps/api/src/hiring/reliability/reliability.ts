import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import {
  type BusinessReliability,
  reliability,
  type WorkerReliability,
} from '@nearhand/contract/hiring/reliability';
import { workLimits } from '@nearhand/contract/work/limits';
import { sql } from 'kysely';
import { businessProfile } from '../../people/businesses/businesses.ts';
import { workerProfile } from '../../people/profiles/profiles.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Actor, ClockConfigScope, Scope } from '../../platform/http/scope.ts';

type ReliabilitySettings = { CONTEST_HOURS: number };

const spanBefore = (now: Date, { CONTEST_HOURS }: ReliabilitySettings) => ({
  since: subtractMs(now, hiringLimits.reliabilityDays * dayMs),
  decidedBefore: subtractMs(now, CONTEST_HOURS * hourMs),
});

/** Reliability of up to a few hundred workers in one query (ADR 45). `now` ends the 365 days that count. */
export async function measureWorkers(
  db: Db,
  workerIds: readonly string[],
  now: Date,
  settings: ReliabilitySettings,
): Promise<Map<string, WorkerReliability>> {
  if (workerIds.length === 0) return new Map();
  const { since, decidedBefore } = spanBefore(now, settings);
  const rows = await findWorkerFacts(db, workerIds, since, decidedBefore);
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, percent: keptPercent(row.kept, row.lateCancellations + row.noShows + row.interviewsMissed) },
    ]),
  );
}

/** The reliability of one business over the 365 days before `now` (ADR 45). */
export async function measureBusiness(
  db: Db,
  businessId: string,
  now: Date,
  settings: ReliabilitySettings,
): Promise<BusinessReliability> {
  const { since, decidedBefore } = spanBefore(now, settings);
  const facts = await findBusinessFacts(db, businessId, since, decidedBefore);
  if (!facts) throw new Error('a query without a row');
  return {
    ...facts,
    percent: keptPercent(facts.kept, facts.lateCancellations + facts.interviewsMissed),
    answeredPercent: keptPercent(facts.answered, facts.unanswered),
    approvalHours: isEnough(facts.approvals) ? facts.approvalHours : null,
  };
}

const isEnough = (facts: number): boolean => facts >= hiringLimits.reliabilityLeastFacts;

/** Whole percent; 100 only if nothing was broken. Null with fewer than three facts. */
export function keptPercent(honoured: number, broken: number): number | null {
  const all = honoured + broken;
  return isEnough(all) ? Math.floor((honoured * 100) / all) : null;
}

type WorkerFacts = {
  id: string;
  kept: number;
  lateCancellations: number;
  noShows: number;
  lateArrivals: number;
  interviewsMissed: number;
};

/**
 * Missed work counts once it can no longer be contested; contested work counts as decided by an operator (ADR 45,
 * 86).
 */
async function findWorkerFacts(
  db: Db,
  workerIds: readonly string[],
  since: Date,
  decidedBefore: Date,
): Promise<WorkerFacts[]> {
  const { rows } = await sql<WorkerFacts>`
    select worker.id, work.*, missed.interviews_missed
    from unnest(${[...workerIds]}::uuid[]) as worker (id)
    cross join lateral (select
        count(*) filter (where status = 'completed' and approved_at >= ${since} and amount_minor > 0)::int as kept,
        count(*) filter (where status = 'cancelled_by_worker' and cancelled_late and updated_at >= ${since})::int as late_cancellations,
        count(*) filter (where status = 'no_show_reported' and no_show_at >= ${since}
          and (no_show_at <= ${decidedBefore} or contested))::int as no_shows,
        count(*) filter (where status = 'completed' and approved_at >= ${since} and amount_minor > 0
          and checked_in_at > starts_at + ${workLimits.lateArrivalMinutes}::integer * interval '1 minute')::int as late_arrivals
      from engagements where worker_id = worker.id and status in ('completed', 'cancelled_by_worker', 'no_show_reported')) work
    cross join lateral (select count(*)::int as interviews_missed from interviews
      where worker_id = worker.id and status = 'no_show_worker' and contest is null
        and no_show_at >= ${since} and no_show_at <= ${decidedBefore}) missed`.execute(db);
  return rows;
}

const maxApprovals = 200;

async function findBusinessFacts(db: Db, businessId: string, since: Date, decidedBefore: Date) {
  const { rows } = await sql<{
    kept: number;
    lateCancellations: number;
    interviewsMissed: number;
    answered: number;
    unanswered: number;
    approvals: number;
    approvalHours: number | null;
    disputes: number;
  }>`
    select work.*, missed.*, answers.*, approvals.*, disputed.*
    from (select
        (select count(*) from engagements where business_id = ${businessId} and status = 'completed'
          and approved_at >= ${since} and amount_minor > 0)::int as kept,
        (select count(*) from engagements where business_id = ${businessId} and status = 'cancelled_by_merchant'
          and cancelled_late and updated_at >= ${since})::int as late_cancellations) work
    cross join (select count(*)::int as interviews_missed from interviews
      where business_id = ${businessId} and status = 'no_show_business' and contest is null
        and no_show_at >= ${since} and no_show_at <= ${decidedBefore}) missed
    cross join (select count(*) filter (where status <> 'no_response')::int as answered,
        count(*) filter (where status = 'no_response')::int as unanswered
      from applications where business_id = ${businessId} and submitted_at >= ${since} and origin = 'applied'
        and status in ('rejected', 'offered', 'hired', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response')) answers
    cross join (select count(*)::int as approvals,
        round(percentile_cont(0.5) within group (order by extract(epoch
          from engagement.approved_at - submitted.at)) / 3600)::int as approval_hours
      from (select id, approved_at from engagements
        where business_id = ${businessId} and status = 'completed' and approved_at >= ${since}
        order by approved_at desc, id desc limit ${maxApprovals}) engagement
      cross join lateral (select min(at) as at from engagement_moves move where move.engagement_id = engagement.id
        and move.action in ('submit-hours', 'auto-submit', 'deliver')) submitted
      where submitted.at is not null) approvals
    cross join (select count(*)::int as disputes from disputes dispute
      join engagements engagement on engagement.id = dispute.engagement_id
      where engagement.business_id = ${businessId} and dispute.created_at >= ${since}) disputed`.execute(db);
  return rows[0];
}

async function myReliability(db: Db, scope: Scope): Promise<WorkerReliability> {
  return oneWorker(db, scope, scope.actor.accountId);
}

/** A worker's reliability, for owners, managers and recruiters they applied to. */
async function getWorkerReliability(
  db: Db,
  scope: Scope,
  input: { workerId: string },
): Promise<WorkerReliability> {
  await workerProfile(db, scope, input);
  return oneWorker(db, scope, input.workerId);
}

/** Returns a business's reliability. For anyone. */
async function getBusinessReliability(
  db: Db,
  scope: Scope<Actor | null>,
  input: { businessId: string },
): Promise<BusinessReliability> {
  await businessProfile(db, scope, input);
  return measureBusiness(db, input.businessId, scope.clock.now(), scope.config);
}

async function oneWorker(db: Db, scope: ClockConfigScope, workerId: string): Promise<WorkerReliability> {
  const workerReliability = await measureWorkers(db, [workerId], scope.clock.now(), scope.config);
  const [own] = workerReliability.values();
  if (!own) throw new Error('a worker without figures');
  return own;
}

export const reliabilityRoutes = {
  mine: read(reliability.mine, myReliability),
  ofWorker: read(reliability.ofWorker, getWorkerReliability),
  ofBusiness: read(reliability.ofBusiness, getBusinessReliability),
};
