import type { Release } from '@nearhand/contract/engagements';
import type { Funding } from '@nearhand/contract/terms';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { findReleases, insertRelease } from './payments.sql.ts';

/**
 * For the offers slice: sets money aside for an offer. Until there is a ledger nothing can be, and everybody is shown 'not funded' (ADR 0035). The offer goes
 * out at once then; once payments are open it waits for the answer as `funding`.
 * @param _offer what the hold is for; `holdMinor` in minor units of `currency`
 */
export async function fundOffer(
  _tx: Tx,
  _scope: Pick<Scope, 'clock'>,
  _offer: { offerId: string; businessId: string; holdMinor: number; currency: string },
): Promise<{ funding: Funding; settled: true }> {
  return { funding: 'not_funded', settled: true };
}

/** For the offers slice: gives back what was set aside for an offer that ended without a hire. Nothing was. */
export async function refundOffer(
  _tx: Tx,
  _scope: Pick<Scope, 'clock'>,
  _offer: { offerId: string },
): Promise<void> {}

/**
 * For the slices that settle pay: asks for a payment to the worker of an engagement and records what became of it, in the transaction that settles it.
 * @param wish `amountMinor` in minor units of `currency`; nothing is recorded for 0
 */
export async function requestRelease(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  wish: { engagementId: string; kind: Release['kind']; amountMinor: number; currency: string },
): Promise<void> {
  if (wish.amountMinor === 0) return;
  const now = scope.clock.now();
  await insertRelease(tx, {
    id: newId(now),
    engagement_id: wish.engagementId,
    kind: wish.kind,
    amount_minor: wish.amountMinor,
    currency: wish.currency,
    state: 'not_funded',
    at: now,
  });
}

/** What was asked to be paid for an engagement, in the order asked. */
export async function releasesOf(db: Db, engagementId: string): Promise<Release[]> {
  const rows = await findReleases(db, engagementId);
  return rows.map((row) => ({
    kind: row.kind as Release['kind'],
    amountMinor: row.amount_minor,
    currency: row.currency as Release['currency'],
    state: row.state as Release['state'],
    at: row.at.toISOString(),
    workerGetsMinor: row.amount_minor - row.worker_fee_minor,
    clearsAt: row.clears_at?.toISOString() ?? null,
    note: '',
  }));
}
