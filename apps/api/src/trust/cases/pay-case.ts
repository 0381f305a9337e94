import { addMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Side } from '@nearhand/contract/sides';
import type { Message } from '@nearhand/contract/talk/messages';
import type {
  ChargebackCase,
  PayCase,
  PayEffect,
  PayHistory,
  SideHistory,
} from '@nearhand/contract/trust/case-facts';
import { type ChatKind, caseLimits } from '@nearhand/contract/trust/cases.rules';
import { boundsProblem, type PayBounds, workedBounds } from '@nearhand/contract/work/pay.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { type RawBuilder, sql } from 'kysely';
import { quoteRelease } from '../../money/holds/release-quotes.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Db, isoText } from '../../platform/db.ts';
import type { ConfigScope, Scope } from '../../platform/http/scope.ts';
import { readAround } from '../../talk/conversations/message-views.ts';
import { attemptsOf, wrongCodesOf } from '../../work/attendance/attendance.sql.ts';
import { disputeOf, proposalOf } from '../../work/engagements/dispute-view.ts';
import { attendanceOf, claimsOf, listDeliveries } from '../../work/engagements/engagement-record.ts';
import { payBoundsOf } from '../../work/settlement/pay-bounds.ts';
import { amountAtStake, takesSecondPerson } from '../../work/settlement/second-person.ts';
import { findReportCase } from '../reports/reports.sql.ts';
import { requireOutside } from '../sanctions/sanctions.ts';
import { requireCase, requireOpen } from './cases.ts';

type Subject = { kind: 'dispute' | 'no_show'; subjectId: string };

/** The facts of a dispute or contested no-show; undefined if there is neither. Amounts in minor units. */
export async function payCaseOf(db: Db, scope: ConfigScope, subject: Subject): Promise<PayCase | undefined> {
  const row = await findPayCase(db, subject);
  if (!row) return undefined;
  const { terms, engagementId: id } = row;
  const bounds = await boundsOf(db, subject.kind, { id, terms });
  const amounts = await Promise.all(
    amountsOf(row, subject.kind, bounds).map((minor) => effectOf(db, scope, id, minor)),
  );
  return {
    engagementId: id,
    engagementStatus: row.status,
    version: row.version,
    stopAt: row.stopAt?.toISOString() ?? null,
    jobKind: terms.kind,
    title: terms.title,
    timeZone: terms.timeZone,
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    worker: { id: row.workerId, name: row.workerName },
    business: { id: row.businessId, name: row.businessName },
    currency: terms.currency,
    plannedMinor: terms.payTotalMinor,
    workerAmountMinor: row.workerAmountMinor,
    businessAmountMinor: row.businessAmountMinor,
    proposal: proposalOf(row),
    ...bounds,
    heldMinor: (await quoteRelease(db, id, null)).heldMinor,
    funding: row.funding,
    reason: row.reason,
    steps: row.steps,
    attendance: await attendanceOf(db, id, false),
    attempts: await attemptsOf(db, id),
    wrongCodes: await wrongCodesOf(db, id),
    history: await historyOf(db, { engagementId: id, workerId: row.workerId, businessId: row.businessId }),
    claims: await claimsOf(db, id),
    deliveries: await listDeliveries(db, id),
    shown: await shownIn(db, id),
    effects: amounts,
  };
}

/**
 * Both sides' messages around the time of the work, including deleted ones. Also for a decided case as long as it has
 * evidence. Not for a member of the work's business, which a case about a withdrawal doesn't name.
 * @throws case/not-found, operator/own-record
 */
export async function caseChat(
  db: Db,
  scope: Scope,
  input: { kind: ChatKind; subjectId: string; engagementId?: string },
): Promise<{ from: string | null; until: string | null; messages: Message[] }> {
  await requireCase(db, scope, input);
  const work = await findWorkOf(db, input);
  if (!work) throw new AppError('case/not-found');
  const { jobId, workerId, businessId } = work;
  await requireOutside(db, scope, { accountId: workerId, businessId });
  const aroundMs = caseLimits.chatHours * hourMs;
  const from = work.startsAt && subtractMs(work.startsAt, aroundMs);
  const until = work.endsAt && addMs(work.endsAt, aroundMs);
  const range = { jobId, workerId, from, until, limit: caseLimits.chatMax };
  const messages = await readAround(db, scope.actor.accountId, range);
  return { from: from?.toISOString() ?? null, until: until?.toISOString() ?? null, messages };
}

type WorkSpan = {
  jobId: string;
  workerId: string;
  businessId: string;
  startsAt: Date | null;
  endsAt: Date | null;
};

/** The report that led to an appealed decision; undefined for other decisions. */
async function reportOfAppeal(db: Db, appealId: string): Promise<string | undefined> {
  const { rows } = await sql<{ caseId: string | null }>`select sanction.case_id from appeals appeal
    join sanctions sanction on sanction.id = appeal.sanction_id where appeal.id = ${appealId}`.execute(db);
  return rows[0]?.caseId ?? undefined;
}

/** The work of a case; of a withdrawal the one that is named, if it was paid to this person before. */
async function findWorkOf(
  db: Db,
  { kind, subjectId, engagementId }: { kind: ChatKind; subjectId: string; engagementId?: string },
): Promise<WorkSpan | undefined> {
  const reportCaseId =
    kind === 'report' ? subjectId : kind === 'appeal' ? await reportOfAppeal(db, subjectId) : undefined;
  const work = reportCaseId === undefined ? null : ((await findReportCase(db, reportCaseId))?.work ?? null);
  if (work) {
    const isBooked = work.engagementId !== null;
    const dateOf = (text: string | null) => (isBooked && text !== null ? new Date(text) : null);
    const { businessId } = await db
      .selectFrom('jobs')
      .select('businessId')
      .where('id', '=', work.jobId)
      .executeTakeFirstOrThrow();
    return { ...work, businessId, startsAt: dateOf(work.startsAt), endsAt: dateOf(work.endsAt) };
  }
  const isPaidWork = sql`id = ${engagementId ?? null} and exists (
    select from withdrawals withdrawal join releases release on release.engagement_id = engagements.id
      and release.state = 'released' and release.released_at <= withdrawal.requested_at
    where withdrawal.account_id = engagements.worker_id and (withdrawal.id = ${subjectId} or withdrawal.id = (
      select sanction.withdrawal_id from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id
      where appeal.id = ${subjectId})))`;
  const ofReview = (reviewIds: RawBuilder<unknown>) =>
    sql`id in (select engagement_id from reviews where id in (${reviewIds}))`;
  const isWork = {
    report: sql`false`,
    flagged_review: ofReview(sql`${subjectId}`),
    dispute: sql`id = (select engagement_id from disputes where id = ${subjectId})`,
    no_show: sql`id = ${subjectId}`,
    payout_held: isPaidWork,
    appeal: sql`(${isPaidWork} or ${ofReview(sql`select sanction.review_id from appeals appeal
      join sanctions sanction on sanction.id = appeal.sanction_id where appeal.id = ${subjectId}`)})`,
  };
  const { rows } = await sql<WorkSpan>`
    select job_id, worker_id, business_id, starts_at, ends_at from engagements where ${isWork[kind]}`.execute(
    db,
  );
  return rows[0];
}

const noShowsShown = 10;

/** The earlier work, disputes and reported no-shows of both sides, without the work of the case itself. */
async function historyOf(
  db: Db,
  { engagementId, workerId, businessId }: { engagementId: string; workerId: string; businessId: string },
): Promise<PayHistory> {
  const sideOf = async (isOfSide: RawBuilder<unknown>): Promise<SideHistory> => {
    const work = sql`from engagements work where ${isOfSide} and work.id <> ${engagementId}`;
    const counts = await sql<Omit<SideHistory, 'noShows'>>`
      select (select count(*)::int ${work} and work.status = 'completed' and work.amount_minor > 0) as completed,
        (select count(*)::int ${work} and exists (select from disputes where disputes.engagement_id = work.id)) as disputes,
        (select count(*)::int ${work} and work.no_show_at is not null) as no_show_count`.execute(db);
    const noShows = await sql<SideHistory['noShows'][number]>`
      select work.id as engagement_id, work.terms ->> 'title' as title, ${isoText(sql`work.no_show_at`)} as at,
        case when exists (select from engagement_moves move where move.engagement_id = work.id and move.action = 'uphold') then 'confirmed'
          when work.status = 'contested' then 'open' when work.status = 'no_show_reported' then 'reported' else 'worked' end as outcome
      ${work} and work.no_show_at is not null
      order by work.no_show_at desc, work.id desc limit ${noShowsShown}`.execute(db);
    const [totals] = counts.rows;
    return { completed: 0, disputes: 0, noShowCount: 0, ...totals, noShows: noShows.rows };
  };
  const ofBusiness = sql`work.business_id = ${businessId}`;
  const { rows } = await sql<{ together: number }>`
    select count(*)::int as together from engagements work
    where ${ofBusiness} and work.worker_id = ${workerId} and work.id <> ${engagementId} and work.status = 'completed'
      and work.amount_minor > 0`.execute(db);
  return {
    worker: await sideOf(sql`work.worker_id = ${workerId}`),
    business: await sideOf(ofBusiness),
    together: rows[0]?.together ?? 0,
  };
}

async function shownIn(db: Db, engagementId: string): Promise<PayCase['shown']> {
  const dispute = await disputeOf(db, engagementId, null);
  return (dispute?.steps ?? []).flatMap(({ by, at, files }) =>
    files.length > 0 && (by === 'worker' || by === 'business') ? [{ by, at, files }] : [],
  );
}

const boundsOf = (
  db: Db,
  kind: Subject['kind'],
  work: Pick<PayCaseRow, 'terms'> & { id: string },
): Promise<PayBounds> | PayBounds =>
  kind === 'dispute' ? payBoundsOf(db, work) : workedBounds(work.terms.payTotalMinor);

/** The amounts that the sides named and the bounds; none for a no-show that counts. */
function amountsOf(row: PayCaseRow, kind: Subject['kind'], { minMinor, maxMinor }: PayBounds): number[] {
  const proposed = [row.workerAmountMinor, row.businessAmountMinor, row.proposalAmountMinor];
  const possible = [kind === 'no_show' ? 0 : minMinor, maxMinor, ...proposed];
  const amounts = possible.filter(
    (minor) => minor !== null && minor <= maxMinor && (kind === 'no_show' || minor >= minMinor),
  );
  return [...new Set(amounts as number[])].sort((a, b) => a - b);
}

/** The effect of releasing this amount: pay, fees and refund, in minor units. Reads only. */
export async function effectOf(
  db: Db,
  scope: ConfigScope,
  engagementId: string,
  amountMinor: number,
): Promise<PayEffect> {
  const quote = await quoteRelease(db, engagementId, amountMinor);
  return {
    amountMinor,
    workerGetsMinor: quote.workerGetsMinor,
    alreadyPaidMinor: quote.alreadyPaidMinor,
    feeMinor: quote.feeMinor,
    backMinor: quote.backMinor,
    missingMinor: quote.missingMinor,
    currency: quote.hold.currency,
    takesSecondPerson: takesSecondPerson(scope, await amountAtStake(db, engagementId, amountMinor)),
  };
}

/** Previews the payments of a decision that sets this total pay, in minor units. 0 for a no-show means absence. */
export async function previewDecision(
  db: Db,
  scope: Scope,
  input: Subject & { amountMinor: number },
): Promise<PayEffect> {
  await requireOpen(db, scope, input);
  const work = await findEngagementOf(db, input);
  if (!work) throw new AppError('case/not-found');
  const isAbsent = input.kind === 'no_show' && input.amountMinor === 0;
  const bounds = await boundsOf(db, input.kind, work);
  if (!isAbsent && boundsProblem(input.amountMinor, bounds))
    throw new AppError('dispute/amount-impossible', bounds);
  return effectOf(db, scope, work.id, input.amountMinor);
}

type PayCaseRow = {
  engagementId: string;
  disputeId: string | null;
  version: number;
  stopAt: Date | null;
  reason: string;
  workerAmountMinor: number | null;
  businessAmountMinor: number | null;
  proposalBy: Side | null;
  proposalAmountMinor: number | null;
  proposalNote: string | null;
  proposalAt: Date | null;
  status: EngagementStatus;
  terms: Terms;
  funding: Funding;
  startsAt: Date | null;
  endsAt: Date | null;
  workerId: string;
  workerName: string;
  businessId: string;
  businessName: string;
  steps: PayCase['steps'];
};

const instantText = isoText(sql`at`);

const disputed = sql`
  select dispute.engagement_id, dispute.id as dispute_id, dispute.version, dispute.stop_at, dispute.reason, dispute.worker_amount_minor,
    dispute.business_amount_minor, dispute.proposal_by, dispute.proposal_amount_minor, dispute.proposal_note, dispute.proposal_at
  from disputes dispute`;

const missed = sql`
  select id as engagement_id, null::uuid as dispute_id, version, null::timestamptz as stop_at, coalesce(contest, '') as reason,
    (terms ->> 'payTotalMinor')::bigint as worker_amount_minor, 0::bigint as business_amount_minor, null::text as proposal_by,
    null::bigint as proposal_amount_minor, null::text as proposal_note, null::timestamptz as proposal_at
  from engagements`;

async function findPayCase(
  db: Db,
  { kind, subjectId }: { kind: 'dispute' | 'no_show'; subjectId: string },
): Promise<PayCaseRow | undefined> {
  const subject =
    kind === 'dispute'
      ? sql`${disputed} where dispute.id = ${subjectId}`
      : sql`${missed} where id = ${subjectId}`;
  const { rows } = await sql<PayCaseRow>`
    select subject.*, engagement.status, engagement.terms, engagement.funding, engagement.starts_at, engagement.ends_at,
      engagement.worker_id, worker.name as worker_name, engagement.business_id, business.name as business_name,
      (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'status', to_status, 'by', side, 'at', ${instantText},
          'reason', reason, 'amountMinor', amount_minor) order by at, id), '[]')
        from (select id, action, to_status, side, at, reason, null::bigint as amount_minor from engagement_moves
            where engagement_id = engagement.id and not (action = 'dispute' and exists (
              select from dispute_steps filed where filed.dispute_id = subject.dispute_id and filed.action = 'file'))
          union all select id, action, to_status, side, at, reason, amount_minor from dispute_steps
            where dispute_id = subject.dispute_id) step) as steps
    from (${subject}) subject
    join engagements engagement on engagement.id = subject.engagement_id
    join accounts worker on worker.id = engagement.worker_id
    join businesses business on business.id = engagement.business_id`.execute(db);
  return rows[0];
}

async function findEngagementOf(
  db: Db,
  { kind, subjectId }: { kind: 'dispute' | 'no_show'; subjectId: string },
): Promise<{ id: string; terms: Terms } | undefined> {
  const { rows } = await sql<{ id: string; terms: Terms }>`
    select id, terms from engagements where id = ${
      kind === 'dispute' ? sql`(select engagement_id from disputes where id = ${subjectId})` : subjectId
    }`.execute(db);
  return rows[0];
}

export type ChargebackRow = {
  id: string;
  businessId: string;
  businessName: string;
  purpose: ChargebackCase['purpose'];
  description: string;
  currency: ChargebackCase['currency'];
  amountMinor: number;
  chargebackMinor: number;
  borneMinor: number;
  providerRef: string | null;
  engagementId: string | null;
  createdAt: Date;
};

export async function findChargeback(db: Db, chargeId: string): Promise<ChargebackRow | undefined> {
  const { rows } = await sql<ChargebackRow>`
    select charge.id, charge.business_id, business.name as business_name, charge.purpose, charge.description, charge.currency,
      charge.amount_minor, open.chargeback_minor, open.borne_minor, charge.provider_ref, charge.created_at,
      coalesce(hold.engagement_id, tip.engagement_id) as engagement_id
    from charges charge join businesses business on business.id = charge.business_id
    cross join lateral (
      select sum(amount_minor)::bigint as chargeback_minor, sum(borne_minor)::bigint as borne_minor
      from chargebacks where charge_id = charge.id and status = 'open'
    ) open
    left join holds hold on hold.id = charge.subject_id left join tips tip on tip.id = charge.subject_id
    where charge.id = ${chargeId} and charge.chargeback = 'open'`.execute(db);
  return rows[0];
}
