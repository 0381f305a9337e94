import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Business, BusinessInput } from '@nearhand/contract/people/businesses';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { submitBusiness, verifyBusiness } from './business-lifecycle.ts';
import { getBusiness, registerBusiness } from './businesses.ts';

export const businessInput = (options: Partial<BusinessInput> = {}): BusinessInput => ({
  name: 'Café Lindengracht',
  legalName: 'Lindengracht Horeca BV',
  registrationNumber: '',
  category: 'hospitality',
  description: 'Coffee and lunch on the canal.',
  email: null,
  phone: null,
  website: null,
  logoFileId: null,
  address: 'Lindengracht 12',
  area: 'Jordaan, Amsterdam',
  countryCode: 'NL',
  lat: 52.3792,
  lng: 4.8831,
  privateAddress: false,
  ...options,
});

/** Creates a business owned by `scope.actor`, by default verified, with a card and a balance. */
export async function makeBusiness(
  db: Db,
  scope: Scope,
  {
    verified = true,
    funded = true,
    ...options
  }: Partial<BusinessInput> & { verified?: boolean; funded?: boolean } = {},
): Promise<Business> {
  const { id: businessId } = await db
    .transaction()
    .execute((tx) => registerBusiness(tx, scope, businessInput(options)));
  if (verified)
    await db.transaction().execute(async (tx) => {
      await submitBusiness(tx, scope, { businessId });
      await verifyBusiness(tx, { operator: 'operator:fixtures', clock: scope.clock }, businessId);
    });
  const business = await getBusiness(db, scope, { businessId });
  if (funded) await fundBusiness(db, scope, businessId, { currency: business.currency });
  return business;
}

export async function makeMember(
  db: Db,
  clock: Clock,
  businessId: string,
  accountId: string,
  role: MemberRole = 'recruiter',
  branchIds: readonly string[] | null = null,
): Promise<void> {
  await db
    .insertInto('business_members')
    .values({
      businessId,
      accountId,
      role,
      createdAt: clock.now(),
      branchIds: branchIds && [...branchIds],
    })
    .execute();
}
