import { hourMs } from '@nearhand/contract/durations';
import { newId } from '../../platform/ids.ts';
import type { TaskScope } from '../../platform/tasks.ts';
import { enqueue } from '../../platform/tasks.ts';
import { disputeByItself } from '../disputes/dispute-opening.service.ts';
import { engagementForTimer, makeEngagementMove } from '../engagements/engagement-moves.service.ts';
import { approvableMinor } from './approval.service.ts';
import { autoSubmit } from './auto-submit.service.ts';
import { settlePay } from './settlement.service.ts';
import { nextStep, setSettlementTimer } from './settlement-timer.service.ts';
import { tellOfWork } from './timesheet-notices.service.ts';
import { claimFlags, hoursByTimer, hoursText, payOf } from './timesheets.rules.ts';
import { findAttendance, findClaims, insertClaim } from './timesheets.sql.ts';

const waitsForHours = ['booked', 'confirmed', 'checked_in', 'checked_out'];
const timer = { side: 'timer' } as const;

/**
 * For the runner, after the end of a shift: reminds who has submitted no hours, and twelve hours after the end submits them: as recorded where arrival and
 * leaving are, else as planned and flagged (product.md, Engagement). Run again it finds nothing to do.
 */
export async function runAutoSubmit(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    if (!row?.starts_at || !row.ends_at || !waitsForHours.includes(row.status)) return;
    const now = scope.clock.now();
    const dueAt = new Date(row.ends_at.getTime() + scope.config.AUTO_SUBMIT_HOURS * hourMs);
    if (now < dueAt) {
      if (now >= row.ends_at)
        await tellOfWork(tx, scope, row, {
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
      events: await findAttendance(tx, row.id),
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
    await tellOfWork(tx, scope, row, {
      topic: 'hours-submitted',
      to: ['worker', 'business'],
      event: `${row.id}/1`,
      data: {
        by: by.toISOString(),
        amountMinor: pay.amountMinor,
        hours: hoursText(pay.paidMinutes),
        what: planned ? 'planned' : 'recorded',
      },
    });
  });
}

/**
 * For the runner: approves hours or a delivery that nobody answered, and lets a counter-proposal stand that nobody answered. Hours that only the timer put
 * in for somebody who never checked in are not paid by silence: a dispute opens (ADR 0043).
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
    const claim = (await findClaims(tx, row.id)).at(-1);
    if (!claim) throw new Error(`engagement ${row.id} is ${row.status} without a claim`);
    if (row.status === 'counter_proposed')
      return settlePay(tx, scope, row, {
        action: 'counter-stands',
        mover: timer,
        amountMinor: claim.amount_minor,
      });
    if (claim.by_side === 'timer' && row.checked_in_at === null) {
      await disputeByItself(tx, scope, row, {
        why: 'no-check-in',
        reason: '',
        workerAmountMinor: null,
        businessAmountMinor: null,
      });
      return;
    }
    await settlePay(tx, scope, row, { action: 'approve', mover: timer, amountMinor: claim.amount_minor });
  });
}
