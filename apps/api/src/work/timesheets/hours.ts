import { addMs, hourMs } from '@nearhand/contract/durations';
import type { Engagement, HoursClaim } from '@nearhand/contract/work/engagements';
import {
  type Hours,
  hoursProblem,
  mayClaimHours,
  minimumMinutes,
  type Plan,
  payOf,
} from '@nearhand/contract/work/timesheets.rules';
import { agreedPayOf, requestRelease } from '../../money/holds/releases.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { createAutomaticDispute } from '../disputes/disputes.ts';
import { claimsOf } from '../engagements/engagement-record.ts';
import {
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import { payeeOf } from '../engagements/engagements.ts';
import { attendedOf, planOf, silentOutcomeNow } from '../settlement/pay-bounds.ts';
import { notifyOfWork, remindAt, setSettlementTimer, settlePay } from '../settlement/settlement.ts';
import { approvalByRule, approveLater } from './approval-rules.ts';
import { insertClaim } from './deliveries.ts';
import { claimFlags, undisputedRest } from './timesheets.rules.ts';

type HoursInput = {
  engagementId: string;
  version: number;
  startsAt: string;
  endsAt: string;
  breakMinutes: number;
  note: string;
};
const submittedHours = (input: HoursInput): Hours => ({
  startsAt: new Date(input.startsAt),
  endsAt: new Date(input.endsAt),
  breakMinutes: input.breakMinutes,
});

/** @throws timesheet/hours-impossible (data: problem), engagement/wrong-state for a task, which has no hours */
function requirePossible(row: EngagementRow, hours: Hours, now: Date): Plan {
  const plan = planOf(row);
  if (!plan) throw new AppError('engagement/wrong-state', { status: row.status });
  const problem = hoursProblem(hours, plan, now);
  if (problem) throw new AppError('timesheet/hours-impossible', { problem });
  return plan;
}

async function recordClaim(
  tx: Tx,
  scope: ClockScope,
  row: EngagementRow,
  claim: Hours & { by: HoursClaim['by']; round: number; note: string; flags: string[]; minimum: number },
) {
  const pay = payOf(claim, row.terms, claim.minimum);
  const now = scope.clock.now();
  await insertClaim(tx, {
    id: newId(now),
    engagementId: row.id,
    round: claim.round,
    bySide: claim.by,
    startsAt: claim.startsAt,
    endsAt: claim.endsAt,
    breakMinutes: claim.breakMinutes,
    paidMinutes: pay.paidMinutes,
    amountMinor: pay.amountMinor,
    note: claim.note,
    flags: claim.flags,
    at: now,
  });
  return pay;
}

/**
 * Submits hours, corrects them before the business has acted, or answers a counter-proposal. For its worker.
 * A correction starts the time to reply again, so there are at most `hoursCorrectionsMax` in a round. Never less than
 * the paid part, in minor units. A dispute opens after the last round.
 * @throws timesheet/hours-impossible, timesheet/below-paid (data: minMinor), timesheet/corrections-used,
 * engagement/too-early, engagement/wrong-state
 */
export async function submitHours(tx: Tx, scope: Scope, input: HoursInput): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'worker',
  });
  const now = scope.clock.now();
  requireEngagementMove(row, 'submit-hours', mover);
  if (row.startsAt && now < row.startsAt)
    throw new AppError('engagement/too-early', { from: row.startsAt.toISOString() });
  const hours = submittedHours(input);
  const plan = requirePossible(row, hours, now);
  const attended = await attendedOf(tx, row);
  const minimum = minimumMinutes(attended, plan, row.terms);
  const { paidMinutes, amountMinor } = payOf(hours, row.terms, minimum);
  const released = await agreedPayOf(tx, row.id);
  if (amountMinor < released) throw new AppError('timesheet/below-paid', { minMinor: released });
  const claims = await claimsOf(tx, row.id);
  const counters = claims.filter(({ by }) => by === 'business');
  const round = counters.length + 1;
  if (!mayClaimHours(claims)) throw new AppError('timesheet/corrections-used');
  await recordClaim(tx, scope, row, {
    ...hours,
    by: 'worker',
    round,
    note: input.note,
    flags: claimFlags(payOf(hours, row.terms).paidMinutes, attended, plan, { minimum }),
    minimum,
  });
  const counterMinor = counters.at(-1)?.amountMinor ?? null;
  if (counters.length >= scope.config.COUNTER_ROUNDS) {
    // Other hours with the same pay count as an agreement.
    if (amountMinor === counterMinor)
      await settlePay(tx, scope, row, { action: 'accept-counter', mover, amountMinor });
    else
      await createAutomaticDispute(tx, scope, row, {
        why: 'rounds',
        reason: input.note,
        workerAmountMinor: amountMinor,
        businessAmountMinor: counterMinor,
      });
    return viewEngagement(tx, scope, row.id);
  }
  const by = addMs(now, scope.config.AUTO_APPROVE_SHIFT_HOURS * hourMs);
  const ruled = await approvalByRule(tx, scope, row);
  const next = ruled ?? { ...(await silentOutcomeNow(tx, row)), at: by };
  await makeEngagementMove(tx, scope, row, {
    action: 'submit-hours',
    mover,
    changes: { amountMinor, onBreakSince: null, ...nextStep(next) },
  });
  await setSettlementTimer(tx, row.id, remindAt(by));
  if (ruled) await approveLater(tx, row.id, ruled.at);
  await notifyOfWork(tx, scope, row, {
    topic: 'hours-submitted',
    to: ['business'],
    event: `${row.id}/${claims.length + 1}`,
    data: {
      by: next.at.toISOString(),
      amountMinor,
      minutes: paidMinutes,
      variant: claims.at(-1)?.by === 'worker' ? 'corrected' : undefined,
      silence: next.kind,
      silentMinor: next.amountMinor,
      reason: input.note || undefined,
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Proposes fewer hours. The undisputed part is paid at once, in minor units. Without a reply the recorded
 * hours are paid, or a dispute opens where the record is incomplete (ADR 43). For recruiters.
 */
export async function counterHours(tx: Tx, scope: Scope, input: HoursInput): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
    capability: 'settle',
  });
  const now = scope.clock.now();
  if (requireEngagementMove(row, 'counter', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const hours = submittedHours(input);
  const plan = requirePossible(row, hours, now);
  const claims = await claimsOf(tx, row.id);
  const claim = claims.findLast(({ by }) => by !== 'business');
  if (!claim) throw new Error(`engagement ${row.id} is submitted without a claim`);
  const minimum = minimumMinutes(await attendedOf(tx, row), plan, row.terms);
  const { paidMinutes, amountMinor } = payOf(hours, row.terms, minimum);
  if (amountMinor >= claim.amountMinor)
    throw new AppError('timesheet/counter-higher', { claimMinor: claim.amountMinor });
  const released = await agreedPayOf(tx, row.id);
  if (amountMinor < released) throw new AppError('timesheet/below-paid', { minMinor: released });
  await recordClaim(tx, scope, row, {
    ...hours,
    by: 'business',
    round: claim.round,
    note: input.note,
    flags: [],
    minimum,
  });
  const by = addMs(now, scope.config.AUTO_APPROVE_SHIFT_HOURS * hourMs);
  const undisputedMinor = undisputedRest(claim.amountMinor, amountMinor, released);
  const payee = payeeOf(row);
  await requestRelease(tx, scope, payee, { kind: 'undisputed', amountMinor: undisputedMinor });
  const silence = await silentOutcomeNow(tx, row);
  const next = nextStep({ kind: silence.kind, at: by, amountMinor: silence.amountMinor });
  await makeEngagementMove(tx, scope, row, { action: 'counter', mover, changes: next, reason: input.note });
  await setSettlementTimer(tx, row.id, remindAt(by));
  await notifyOfWork(tx, scope, row, {
    topic: 'hours-countered',
    to: ['worker'],
    event: `${row.id}/${claim.round}`,
    data: {
      by: by.toISOString(),
      amountMinor,
      minutes: paidMinutes,
      reason: input.note,
      silence: silence.kind,
      silentMinor: silence.amountMinor,
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/** Accepts the proposed hours, which releases unpaid pay. For its worker. */
export async function acceptCounter(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number },
): Promise<Engagement> {
  const { row, mover, repeated } = await openEngagement(tx, scope, {
    ...input,
    side: 'worker',
    repeatOf: 'accept-counter',
  });
  if (repeated && row.status === 'completed') return viewEngagement(tx, scope, row.id);
  requireEngagementMove(row, 'accept-counter', mover);
  const counter = (await claimsOf(tx, row.id)).at(-1);
  if (counter?.by !== 'business') throw new AppError('engagement/wrong-state', { status: row.status });
  await settlePay(tx, scope, row, { action: 'accept-counter', mover, amountMinor: counter.amountMinor });
  return viewEngagement(tx, scope, row.id);
}
