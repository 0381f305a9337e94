import type { BusinessReview } from '@nearhand/contract/people/business-verification';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { decideBusiness } from '../businesses/business-lifecycle.ts';
import { findSharedRegistrations } from '../businesses/businesses.sql.ts';
import { findRole } from '../businesses/members.sql.ts';
import { findOwners, findProofOf, findVerificationMoves, proofView } from './business-verification.ts';

/** The evidence of a business, for non-member operators. */
export async function reviewBusiness(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<BusinessReview> {
  await requireForeign(db, scope, businessId);
  const row = await findProofOf(db, businessId);
  if (!row) throw new AppError('business/not-found');
  const owners = await findOwners(db, businessId);
  const moves = await findVerificationMoves(db, businessId);
  return {
    ...(await proofView(db, row)),
    name: row.name,
    countryCode: row.countryCode,
    registeredAddress: [
      row.registeredStreet,
      `${row.registeredPostcode} ${row.registeredTown}`.trim(),
    ].filter((part) => part !== ''),
    address: row.address,
    area: row.area,
    website: row.website,
    email: row.email,
    phone: row.phone,
    createdAt: row.createdAt.toISOString(),
    owners: owners.map((owner) => ({
      accountId: owner.accountId,
      name: owner.name,
      email: owner.email,
      phoneChecked: owner.checkedAt !== null,
    })),
    openJobs: row.openJobs,
    sameRegistration: await findSharedRegistrations(db, row),
    history: moves.map(({ action, toStatus: status, reason, at }) => ({
      action,
      status,
      reason,
      at: at.toISOString(),
      by: staffMoves.has(action) ? 'staff' : 'business',
    })),
  };
}

const staffMoves = new Set([
  'verify',
  'request-info',
  'reject',
  'suspend',
  'restore',
  'restore-draft',
  'restore-submitted',
  'restore-needs-info',
]);

/** Verifies a submitted business, requests more or refuses it, as a non-member operator. */
export async function decideVerification(
  tx: Tx,
  scope: Scope,
  input: Parameters<typeof decideBusiness>[2],
): Promise<BusinessReview> {
  await requireForeign(tx, scope, input.businessId);
  await decideBusiness(tx, scope, input);
  return reviewBusiness(tx, scope, input);
}

/** @throws operator/own-record for a member of the business */
async function requireForeign(db: Db, scope: Scope, businessId: string): Promise<void> {
  if ((await findRole(db, businessId, scope.actor.accountId)) !== null)
    throw new AppError('operator/own-record');
}
