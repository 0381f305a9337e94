import type { Hold } from '@nearhand/contract/money/holds';
import { roleAt } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { lastChargeOf } from '../charges/charges.service.ts';
import { type HoldRow, remainingOf } from './holds.service.ts';
import { findHold, findHoldOf } from './holds.sql.ts';

/** A hold's state, for any member of its business. @throws payment/not-found for everyone else */
export async function getHold(db: Db, scope: Scope, { holdId }: { holdId: string }): Promise<Hold> {
  const row = await findHold(db, holdId);
  if (!row || (await roleAt(db, row.job_id, scope.actor.accountId)) === null)
    throw new AppError('payment/not-found');
  return asHold(db, row);
}

/** For the offers slice: the money set aside for an offer, as its business may see it. */
export async function holdOfOffer(db: Db, offerId: string): Promise<Hold | null> {
  const row = await findHoldOf(db, { offerId });
  return row ? asHold(db, row) : null;
}

async function asHold(db: Db, row: HoldRow): Promise<Hold> {
  return {
    id: row.id,
    status: row.status,
    currency: row.currency,
    payMinor: row.pay_minor,
    feeMinor: row.fee_minor,
    amountMinor: row.pay_minor + row.fee_minor + row.added_minor,
    remainingMinor: await remainingOf(db, row),
    frozen: row.frozen,
    source: row.source,
    payBy: row.pay_by?.toISOString() ?? null,
    offerId: row.offer_id,
    engagementId: row.engagement_id,
    charge: await lastChargeOf(db, row.id),
  };
}
