import { hourMs } from '@nearhand/contract/durations';
import { payOf } from '@nearhand/contract/work/timesheets.rules';
import { newId } from '../../platform/ids.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { openDisputeAutomatically } from '../disputes/dispute-opening.service.ts';
import { engagementForTimer, makeEngagementMove } from '../engagements/engagement-moves.service.ts';
import { attendanceFacts, claimsOf } from '../engagements/engagement-record.service.ts';
import { autoSubmit } from '../engagements/engagement-timers.service.ts';
import { notifyOfWork } from '../settlement/pay-notices.service.ts';
import { settlePay } from '../settlement/settlement.service.ts';
import { nextStep, setSettlementTimer, settlementClock } from '../settlement/settlement-timer.service.ts';
import { approvableMinor } from './approval.service.ts';
import { claimFlags, hoursByTimer } from './timesheets.rules.ts';
import { insertClaim } from './timesheets.sql.ts';

const awaitsHours = ['booked', 'confirmed', 'checked_in', 'checked_out'];
const timer = { side: 'timer' } as const;

/**
 * After a shift: reminds a worker who has submitted no hours, and twelve hours after the end submits them, as recorded or else as planned and flagged
 * (product.md, Engagement). Safe to run again.
 */
async function runAutoSubmit(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    if (!row?.starts_at || !row.ends_at || !awaitsHours.includes(row.status)) return;
    const now = scope.clock.now();
    const dueAt = new Date(row.ends_at.getTime() + scope.config.AUTO_SUBMIT_HOURS * hourMs);
    if (now < dueAt) {
      if (now >= row.ends_at)
        await notifyOfWork(tx, scope, row, {
          topic: 'hours-to-submit',
          to: ['worker'],
          event: row.id,
          data: { by: dueAt.toISOString() },
        });
      await enqueue(
        tx,
        autoSubmit,
        { engagementId },
        { runAt: dueAt, key: `${autoSubmit.name}/${engagementId}` },
      );
      return;
    }
    const attended = {
      checkedInAt: row.checked_in_at,
      checkedOutAt: row.checked_out_at,
      events: await attendanceFacts(tx, row.id),
      breakPaid: row.terms.breakPaid,
    };
    const { planned, ...hours } = hoursByTimer(attended, {
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      breakMinutes: row.terms.breakMinutes,
    });
    const pay = payOf(hours, row.terms);
    await insertClaim(tx, {
      id: newId(now),
      engagement_id: row.id,
      round: 1,
      by_side: 'timer',
      starts_at: hours.startsAt,
      ends_at: hours.endsAt,
      break_minutes: hours.breakMinutes,
      paid_minutes: pay.paidMinutes,
      amount_minor: pay.amountMinor,
      note: '',
      flags: claimFlags(pay.paidMinutes, attended, row.terms, planned),
      at: now,
    });
    const by = new Date(now.getTime() + scope.config.AUTO_APPROVE_SHIFT_HOURS * hourMs);
    await makeEngagementMove(tx, scope, row, 'auto-submit', timer, {
      amount_minor: pay.amountMinor,
      on_break_since: null,
      ...nextStep({ what: 'auto-approve', at: by }),
    });
    await setSettlementTimer(tx, row.id, by);
    await notifyOfWork(tx, scope, row, {
      topic: 'hours-submitted',
      to: ['worker', 'business'],
      event: `${row.id}/1`,
      data: {
        by: by.toISOString(),
        amountMinor: pay.amountMinor,
        minutes: pay.paidMinutes,
        what: planned ? 'planned' : 'recorded',
      },
    });
  });
}

/**
 * Approves hours or a delivery without a reply, and accepts an unanswered counter-proposal. Automatically submitted hours without a check-in open a dispute
 * instead (ADR 43).
 */
export async function runSettlementClock(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    if (!row?.next_at || !['submitted', 'counter_proposed', 'delivered'].includes(row.status)) return;
    if (scope.clock.now() < row.next_at) return setSettlementTimer(tx, row.id, row.next_at);
    if (row.status === 'delivered')
      return settlePay(tx, scope, row, {
        action: 'approve',
        mover: timer,
        amountMinor: await approvableMinor(tx, row),
      });
    const claim = (await claimsOf(tx, row.id)).at(-1);
    if (!claim) throw new Error(`engagement ${row.id} is ${row.status} without a claim`);
    if (row.status === 'counter_proposed')
      return settlePay(tx, scope, row, {
        action: 'counter-stands',
        mover: timer,
        amountMinor: claim.amountMinor,
      });
    if (claim.by === 'timer' && row.checked_in_at === null) {
      await openDisputeAutomatically(tx, scope, row, {
        why: 'no-check-in',
        reason: '',
        workerAmountMinor: null,
        businessAmountMinor: null,
      });
      return;
    }
    await settlePay(tx, scope, row, { action: 'approve', mover: timer, amountMinor: claim.amountMinor });
  });
}

export const autoSubmitTask = defineTask({
  ...autoSubmit,
  run: (scope, { engagementId }) => runAutoSubmit(scope, engagementId),
});
export const settlementTask = defineTask({
  ...settlementClock,
  run: (scope, { engagementId }) => runSettlementClock(scope, engagementId),
});
