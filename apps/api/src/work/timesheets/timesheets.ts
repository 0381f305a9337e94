import { addMs, hourMs } from '@nearhand/contract/durations';
import { silentMinor } from '@nearhand/contract/work/pay.rules';
import { minimumMinutes, payOf } from '@nearhand/contract/work/timesheets.rules';
import { requestRelease } from '../../money/holds/releases.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { createAutomaticDispute } from '../disputes/disputes.ts';
import { engagementForTimer, makeEngagementMove } from '../engagements/engagement-transitions.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import { autoSubmit, payeeOf } from '../engagements/engagements.ts';
import {
  attendedOf,
  lastAmounts,
  plannedAndAgreedPay,
  planOf,
  silentOutcomeNow,
  silentStep,
} from '../settlement/pay-bounds.ts';
import { notifyOfWork, remindAt, setSettlementTimer, settlePay } from '../settlement/settlement.ts';
import { insertClaim } from './deliveries.ts';
import { claimFlags, hoursByTimer } from './timesheets.rules.ts';

const awaitsHours = ['booked', 'confirmed', 'checked_in', 'checked_out'];

const timer = { side: 'timer' } as const;

/**
 * Reminds the worker to submit hours, and submits them twelve hours after the end, as recorded
 * or as planned and flagged, never more than planned (product.md, Engagement). Idempotent.
 */
export async function submitForWorker(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    const plan = row ? planOf(row) : null;
    if (!row?.endsAt || !plan || !awaitsHours.includes(row.status)) return;
    const now = scope.clock.now();
    const dueAt = addMs(row.endsAt, scope.config.AUTO_SUBMIT_HOURS * hourMs);
    if (now < dueAt) {
      if (now >= row.endsAt)
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
    const attended = await attendedOf(tx, row);
    const { planned, ...hours } = hoursByTimer(attended, plan);
    const minimum = minimumMinutes(attended, plan, row.terms);
    const { paidMinutes, amountMinor } = payOf(hours, row.terms, minimum);
    const worked = payOf(hours, row.terms).paidMinutes;
    const claimedMinor = silentMinor(amountMinor, await plannedAndAgreedPay(tx, row));
    await insertClaim(tx, {
      id: newId(now),
      engagementId: row.id,
      round: 1,
      bySide: 'timer',
      startsAt: hours.startsAt,
      endsAt: hours.endsAt,
      breakMinutes: hours.breakMinutes,
      paidMinutes,
      amountMinor: claimedMinor,
      note: '',
      flags: claimFlags(worked, attended, plan, { planned, minimum }),
      at: now,
    });
    const by = addMs(now, scope.config.AUTO_APPROVE_SHIFT_HOURS * hourMs);
    const silence = await silentOutcomeNow(tx, row);
    await makeEngagementMove(tx, scope, row, {
      action: 'auto-submit',
      mover: timer,
      changes: {
        amountMinor: claimedMinor,
        onBreakSince: null,
        ...nextStep({ kind: silence.kind, at: by, amountMinor: silence.amountMinor }),
      },
    });
    await setSettlementTimer(tx, row.id, remindAt(by));
    await notifyOfWork(tx, scope, row, {
      topic: 'hours-submitted',
      to: ['worker', 'business'],
      event: `${row.id}/1`,
      data: {
        by: by.toISOString(),
        amountMinor: claimedMinor,
        minutes: paidMinutes,
        variant: planned ? 'planned' : 'recorded',
        silence: silence.kind,
        silentMinor: silence.amountMinor,
      },
    });
  });
}

/** Settles pay without a reply, or opens a dispute where silence can't decide (ADR 43). Reminds a day before. */
export async function settleBySilence(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    if (!row?.nextAt || !['submitted', 'counter_proposed', 'delivered'].includes(row.status)) return;
    const silence = await silentOutcomeNow(tx, row);
    const now = scope.clock.now();
    // The business's rule has its own timer, and silence its own deadline.
    const dueAt = row.nextWhat === 'approve-planned' ? (await silentStep(tx, scope, row)).at : row.nextAt;
    if (now < remindAt(dueAt)) return setSettlementTimer(tx, row.id, remindAt(dueAt));
    if (now < dueAt) {
      await notifyOfWork(tx, scope, row, {
        topic: 'pay-settles-soon',
        to: ['worker', 'business'],
        event: `${row.id}/${row.version}`,
        data: {
          by: dueAt.toISOString(),
          silence: silence.kind,
          silentMinor: silence.amountMinor,
          amountMinor: (await lastAmounts(tx, row)).businessAmountMinor ?? undefined,
        },
      });
      return setSettlementTimer(tx, row.id, dueAt);
    }
    if (silence.kind !== 'review')
      return settlePay(tx, scope, row, {
        action: silence.kind === 'pay-recorded' ? 'pay-recorded' : 'approve',
        mover: timer,
        amountMinor: silence.amountMinor,
      });
    // The amount that the business agreed to is paid now; only the rest is in dispute.
    const { agreedMinor } = await plannedAndAgreedPay(tx, row);
    await requestRelease(tx, scope, payeeOf(row), {
      kind: 'undisputed',
      amountMinor: silence.amountMinor - agreedMinor,
    });
    const { workerAmountMinor, businessAmountMinor } = await lastAmounts(tx, row);
    const claimedMinor = silence.why === 'no-check-in' ? null : (workerAmountMinor ?? row.amountMinor);
    await createAutomaticDispute(tx, scope, row, {
      why: silence.why,
      reason: '',
      workerAmountMinor: claimedMinor,
      businessAmountMinor,
    });
  });
}
