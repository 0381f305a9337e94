import { makeApplication } from '@nearhand/api/src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '@nearhand/api/src/hiring/offers/offers.fixtures.ts';
import { fundBusiness } from '@nearhand/api/src/money/wallet/wallet.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { chargeMinor, type Session } from './prepared-work.ts';
import { type Services, secret } from './services.ts';

export type OfferOut = { offerId: string; version: number; worker: Session };

export async function offersOut(
  services: Services,
  count: number,
): Promise<{ owner: Session; offers: OfferOut[] }> {
  const { db, clock, scopeOf } = services;
  const owner = await makeAccount(db, clock, secret, { name: 'Owner' });
  const scope = scopeOf(owner.accountId);
  const { id: businessId } = await makeBusiness(db, scope, { funded: false });
  await fundBusiness(db, scope, businessId, { amountMinor: chargeMinor });
  const offers: OfferOut[] = [];
  for (let n = 0; n < count; n += 1) {
    const worker = await makeAccount(db, clock, secret, { name: `Applicant ${n + 1}` });
    const job = await makeJob(db, scope, businessId, { headCount: 1 });
    const application = await makeApplication(db, scopeOf(worker.accountId), job.id);
    const { id, version } = await makeOffer(db, scope, application.id);
    offers.push({ offerId: id, version, worker });
  }
  return { owner, offers };
}
