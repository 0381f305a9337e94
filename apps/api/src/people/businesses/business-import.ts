import { type BusinessStatus, mayHire } from '@nearhand/contract/people/businesses.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { submitBusiness } from './business-lifecycle.ts';
import { moveBusiness } from './business-transitions.ts';
import { registerBusiness } from './businesses.ts';

export type WantedBusiness = {
  name: string;
  category: CategoryId;
  place: { address: string; area: string; countryCode: string; lat: number; lng: number };
};

/** Matches business names in code only, since the database folds case by locale. */
export const importName = (name: string): string => name.toLowerCase();

/**
 * Creates verified businesses, since the operator vouches for the source (ADR 26).
 * @returns ids by name
 */
export async function businessesForImport(
  tx: Tx,
  scope: Scope,
  operator: string,
  businesses: readonly WantedBusiness[],
): Promise<Map<string, string | null>> {
  const byName = new Map(businesses.toReversed().map((business) => [importName(business.name), business]));
  const ids = new Map<string, string | null>();
  if (byName.size === 0) return ids;
  await lockOwnersImport(tx, scope.actor.accountId);
  for (const row of await findOwned(tx, scope.actor.accountId)) {
    const name = importName(row.name);
    if (!byName.has(name)) continue;
    if (mayHire(row.status)) ids.set(name, ids.get(name) ?? row.id);
    else if (!ids.has(name)) ids.set(name, null);
  }
  for (const [name, business] of byName) {
    if (ids.has(name)) continue;
    const { id } = await registerBusiness(tx, scope, {
      name: business.name,
      legalName: business.name,
      registrationNumber: '',
      category: business.category,
      description: '',
      email: null,
      phone: null,
      website: null,
      logoFileId: null,
      ...business.place,
      privateAddress: false,
    });
    await submitBusiness(tx, scope, { businessId: id });
    await moveBusiness(tx, scope, id, { action: 'verify', mover: { id: operator, as: 'operator' } });
    ids.set(name, id);
  }
  return ids;
}

/** Serializes imports of an owner, so that none registers a business twice. */
async function lockOwnersImport(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import ' || ${accountId}, 0))`.execute(tx);
}

async function findOwned(
  db: Db,
  accountId: string,
): Promise<{ id: string; name: string; status: BusinessStatus }[]> {
  return db
    .selectFrom('businesses')
    .innerJoin('business_members', 'business_members.businessId', 'businesses.id')
    .select(['businesses.id', 'businesses.name', 'businesses.status'])
    .where('business_members.accountId', '=', accountId)
    .where('business_members.role', '=', 'owner')
    .orderBy('businesses.createdAt')
    .orderBy('businesses.id')
    .execute();
}
