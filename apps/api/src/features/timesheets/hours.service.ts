import { hourMs } from '@nearhand/contract/durations';
import type { Engagement, HoursClaim } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { disputeByItself } from '../disputes/dispute-opening.service.ts';
import {
  demandEngagementMove,
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
} from '../engagements/engagement-moves.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { requestRelease } from '../holds/releases.service.ts';
import { releasedOf, settlePay } from './settlement.service.ts';
import { nextStep, setSettlementTimer } from './settlement-timer.service.ts';
import { tellOfWork } from './timesheet-notices.service.ts';
import {
  claimFlags,
  type Hours,
  hoursProblem,
  hoursText,
  payOf,
  undisputedRest,
} from './timesheets.rules.ts';
import { findAttendance, findClaims, insertClaim } from './timesheets.sql.ts';

type HoursInput = {
  engagementId: string;
  version: number;
  startsAt: string;
  endsAt: string;
  breakMinutes: number;
  note: string;
};
const hoursOf = (input: HoursInput): Hours => ({
  startsAt: new Date(input.startsAt),
  endsAt: new Date(input.endsAt),
  breakMinutes: input.breakMinutes,
});

/** @throws timesheet/hours-impossible (data: problem), engagement/wrong-state for a task, which has no hours */
function demandPossible(row: EngagementRow, hours: Hours, now: Date): void {
  if (!row.starts_at || !row.ends_at) throw new AppError('engagement/wrong-state', { status: row.status });
  const problem = hoursProblem(hours, { startsAt: row.starts_at, endsAt: row.ends_at }, now);
  if (problem) throw new AppError('timesheet/hours-impossible', { problem });
}

async function keepClaim(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: EngagementRow,
  claim: Hours & { by: HoursClaim['by']; round: number; note: string; flags: string[] },
) {
  const pay = payOf(claim, row.terms);
  const now = scope.clock.now();
  await insertClaim(tx, {
    id: newId(now),
    engagement_id: row.id,
    round: claim.round,
    by_side: claim.by,
    starts_at: claim.startsAt,
    ends_at: claim.endsAt,
    break_minutes: claim.breakMinutes,
    paid_minutes: pay.paidMinutes,
    amount_minor: pay.amountMinor,
    note: claim.note,
    flags: claim.flags,
    at: now,
  });
  return pay;
}

/**
 * Submits the hours worked, or answers a counter-proposal with other hours; the worker. After the last counter-proposal that is not agreed to, a dispute
 * opens by itself. Never less than what was already paid. Pay in minor units of the terms.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, engagement/too-early (before the start),
 * timesheet/hours-impossible (data: problem), timesheet/below-paid (data: leastMinor)
 */
export async function submitHours(tx: Tx, scope: Scope, input: HoursInput): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'worker',
  });
  const now = scope.clock.now();
  // Saying it twice in the same state is no new claim: the version has already told whoever clicks twice.
  if (demandEngagementMove(row, 'submit-hours', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  if (row.starts_at && now < row.starts_at)
    throw new AppError('engagement/too-early', { from: row.starts_at.toISOString() });
  const hours = hoursOf(input);
  demandPossible(row, hours, now);
  const { paidMinutes, amountMinor } = payOf(hours, row.terms);
  const released = await releasedOf(tx, row.id);
  if (amountMinor < released) throw new AppError('timesheet/below-paid', { leastMinor: released });
  const events = await findAttendance(tx, row.id);
  const attended = {
    checkedInAt: row.checked_in_at,
    checkedOutAt: row.checked_out_at,
    events,
    breakPaid: row.terms.breakPaid,
  };
  const counters = (await findClaims(tx, row.id)).filter(({ by_side }) => by_side === 'business');
  await keepClaim(tx, scope, row, {
    ...hours,
    by: 'worker',
    round: counters.length + 1,
    note: input.note,
    flags: claimFlags(paidMinutes, attended, row.terms),
  });
  const counterMinor = counters.at(-1)?.amount_minor ?? null;
  if (counters.length >= scope.config.COUNTER_ROUNDS) {
    // Other hours for the same pay are an agreement after all.
    if (amountMinor === counterMinor)
      await settlePay(tx, scope, row, { action: 'accept-counter', mover, amountMinor });
    else
      await disputeByItself(tx, scope, row, {
        why: 'rounds',
        reason: input.note,
        workerAmountMinor: amountMinor,
        businessAmountMinor: counterMinor,
      });
    return viewEngagement(tx, scope, row.id);
  }
  const by = new Date(now.getTime() + scope.config.AUTO_APPROVE_SHIFT_HOURS * hourMs);
  await makeEngagementMove(tx, scope, row, 'submit-hours', mover, {
    amount_minor: amountMinor,
    on_break_since: null,
    ...nextStep({ what: 'auto-approve', at: by }),
  });
  await setSettlementTimer(tx, row.id, by);
  await tellOfWork(tx, scope, row, {
    topic: 'hours-submitted',
    to: ['business'],
    event: `${row.id}/${counters.length + 1}`,
    data: {
      by: by.toISOString(),
      amountMinor,
      hours: hoursText(paidMinutes),
      ...(input.note ? { reason: input.note } : {}),
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Proposes fewer hours than were submitted; recruiters of the business. What is then undisputed is asked to be paid at once, each time only what has
 * grown. Pay in minor units of the terms.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, timesheet/hours-impossible (data: problem),
 * timesheet/counter-higher (data: claimMinor), timesheet/below-paid (data: leastMinor)
 */
export async function counterHours(tx: Tx, scope: Scope, input: HoursInput): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
  });
  const now = scope.clock.now();
  if (demandEngagementMove(row, 'counter', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const hours = hoursOf(input);
  demandPossible(row, hours, now);
  const claims = await findClaims(tx, row.id);
  const claim = claims.findLast(({ by_side }) => by_side !== 'business');
  if (!claim) throw new Error(`engagement ${row.id} is submitted without a claim`);
  const { paidMinutes, amountMinor } = payOf(hours, row.terms);
  if (amountMinor >= claim.amount_minor)
    throw new AppError('timesheet/counter-higher', { claimMinor: claim.amount_minor });
  const released = await releasedOf(tx, row.id);
  if (amountMinor < released) throw new AppError('timesheet/below-paid', { leastMinor: released });
  await keepClaim(tx, scope, row, {
    ...hours,
    by: 'business',
    round: claim.round,
    note: input.note,
    flags: [],
  });
  const by = new Date(now.getTime() + scope.config.AUTO_APPROVE_SHIFT_HOURS * hourMs);
  await makeEngagementMove(
    tx,
    scope,
    row,
    'counter',
    mover,
    nextStep({ what: 'counter-stands', at: by }),
    input.note,
  );
  await requestRelease(tx, scope, {
    engagementId: row.id,
    kind: 'undisputed',
    amountMinor: undisputedRest(claim.amount_minor, amountMinor, released),
    currency: row.terms.currency,
  });
  await setSettlementTimer(tx, row.id, by);
  await tellOfWork(tx, scope, row, {
    topic: 'hours-countered',
    to: ['worker'],
    event: `${row.id}/${claim.round}`,
    data: { by: by.toISOString(), amountMinor, hours: hoursText(paidMinutes), reason: input.note },
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Agrees to the hours that the business proposed; the worker. They are approved with that and what is still owed of them is released. A second click
 * changes nothing.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
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
  demandEngagementMove(row, 'accept-counter', mover);
  const counter = (await findClaims(tx, row.id)).at(-1);
  if (counter?.by_side !== 'business') throw new AppError('engagement/wrong-state', { status: row.status });
  await settlePay(tx, scope, row, { action: 'accept-counter', mover, amountMinor: counter.amount_minor });
  return viewEngagement(tx, scope, row.id);
}
