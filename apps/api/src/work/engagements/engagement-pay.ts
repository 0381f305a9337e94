import type { MoneyHooks, Payee, WorkToPay } from '../../money/hooks.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { contestBy } from './engagement-actions.rules.ts';
import { lockEngagement, updateFunding } from './engagement-lines.ts';
import { notifyOfEngagement } from './engagement-notices.ts';
import type { EngagementRow } from './engagement-transitions.ts';

/** Who is paid for an engagement, as money needs it. */
export const payeeOf = (row: EngagementRow): Payee => ({
  engagementId: row.id,
  workerId: row.workerId,
  plannedMinor: row.terms.payTotalMinor,
  funding: row.funding,
});

/** The same, with whether anything can still be agreed. */
export const workToPay = (
  row: EngagementRow,
  { clock, config }: Pick<Scope, 'clock'> & { config: Pick<Config, 'CONTEST_HOURS'> },
): WorkToPay => ({ ...payeeOf(row), isOver: isOver(row, clock.now(), config) });

function isOver(row: EngagementRow, now: Date, config: Pick<Config, 'CONTEST_HOURS'>): boolean {
  if (row.status !== 'no_show_reported')
    return ['completed', 'cancelled_by_worker', 'cancelled_by_merchant'].includes(row.status);
  // Reported again after it was contested: an operator upheld it.
  if (row.contest !== null) return true;
  return row.noShowAt !== null && contestBy(row.noShowAt, config) <= now;
}

/** For money, before it locks a hold: the engagement, locked. */
export const lockWork: MoneyHooks['lockWork'] = async (tx, scope, engagementId) => {
  const row = await lockEngagement(tx, engagementId, null);
  return row ? workToPay(row, scope) : null;
};

/** For money: shows on an engagement what is set aside for it. Not a move, so the version stays. */
export const setEngagementFunding = updateFunding;

/** For money: tells the recruiters that the hold does not cover pay they agreed to. */
export const notifyOfMissingPay: MoneyHooks['payMissing'] = (tx, scope, pay) =>
  notifyOfEngagement(tx, scope, pay.engagementId, {
    recruiters: 'payment-missing',
    event: pay.releaseId,
    data: { amountMinor: pay.amountMinor, currency: pay.currency },
  });

/** For money: tells the worker about released pay. The rest of approved pay is part of the notice of the approval. */
export const notifyOfReleasedPay: MoneyHooks['payReleased'] = async (tx, scope, pay) => {
  const { what, amountMinor, currency, clearsAt } = pay;
  if (what === 'rest') return;
  await notifyOfEngagement(tx, scope, pay.engagementId, {
    worker: 'payment-released',
    event: pay.releaseId,
    data: { amountMinor, currency, what, ...(clearsAt ? { by: clearsAt.toISOString() } : {}) },
  });
};

/** For money: tells both sides about pay that was reversed. */
export const notifyOfReversedPay: MoneyHooks['payReversed'] = (tx, scope, pay) =>
  notifyOfEngagement(tx, scope, pay.engagementId, {
    worker: 'payment-reversed',
    recruiters: 'payment-reversed',
    event: pay.entryId,
    data: { amountMinor: pay.amountMinor, currency: pay.currency, reason: pay.reason },
  });

/** For money: tells the worker about a tip or a bonus. */
export const notifyOfTip: MoneyHooks['tipPaid'] = (tx, scope, tip) =>
  notifyOfEngagement(tx, scope, tip.engagementId, {
    worker: 'tip-received',
    event: tip.tipId,
    data: {
      amountMinor: tip.amountMinor,
      currency: tip.currency,
      what: tip.kind,
      ...(tip.note ? { reason: tip.note } : {}),
    },
  });
