import type { JobDraft } from '@nearhand/contract/jobs';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { acceptOffer, makeOffer } from '../offers/offers.service.ts';

/**
 * Work that was offered and accepted through the services: an application of `worker` for a new job of the business of `recruiter`, hired. The shift is
 * eight hours with half an hour of unpaid break, unless wished otherwise. Returns the engagement's id.
 */
export async function makeHiredWork(
  db: Db,
  { worker, recruiter }: { worker: Scope; recruiter: Scope },
  businessId: string,
  wishes: Partial<JobDraft> = {},
): Promise<string> {
  const job = await makeJob(db, recruiter, businessId, wishes);
  const application = await makeApplication(db, worker, job.id);
  const offer = await db
    .transaction()
    .execute((tx) => makeOffer(tx, recruiter, { applicationId: application.id, message: '' }));
  await db
    .transaction()
    .execute((tx) => acceptOffer(tx, worker, { offerId: offer.id, version: offer.version }));
  const { id } = await db
    .selectFrom('engagements')
    .select('id')
    .where('application_id', '=', application.id)
    .executeTakeFirstOrThrow();
  return id;
}
