import type { SellerDetails } from '@nearhand/contract/money/seller-reports';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';

/** A Dutch worker's details for the tax office. */
export const sellerDetailsSample: SellerDetails = {
  firstName: 'Leila',
  lastName: 'Haddad',
  bornOn: '1996-02-29',
  street: 'Bilderdijkkade 52-2',
  postcode: '1053 VK',
  town: 'Amsterdam',
  countryCode: 'NL',
  taxNumber: '111222333',
};

/** A report of 2025 that was not sent, with a worker in it. Returns its id. */
export async function makeSellerReportOf(
  { db, clock }: { db: Db; clock: { now(): Date } },
  worker: { accountId: string },
): Promise<string> {
  const id = newId(clock.now());
  const none = { paidMinor: 0, feeMinor: 0, activities: 0 };
  await db
    .insertInto('seller_reports')
    .values({ id, year: 2025, countryCode: 'NL', madeAt: clock.now(), sellers: 1, missing: 0 })
    .execute();
  await db
    .insertInto('reported_sellers')
    .values({
      reportId: id,
      accountId: worker.accountId,
      currency: 'EUR',
      documentNo: 1,
      content: JSON.stringify({ ...sellerDetailsSample, vatId: '', quarters: [none, none, none, none] }),
    })
    .execute();
  return id;
}
