import { sql } from 'kysely';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createSign } from '../../platform/sign.ts';
import { type Books, makeHeldWork, makeTopUp, type Work } from '../statements/statements.fixtures.ts';

/** A Dutch business with everything an invoice names, money, and work that it can pay for. */
export async function makeInvoicedBooks(
  app: { db: Db; secret: string; scopeOf(person: { accountId: string }): Scope },
  owner: { accountId: string },
  worker: { accountId: string },
): Promise<[Books, Work]> {
  const scope = app.scopeOf(owner);
  const business = await makeBusiness(app.db, scope, { name: 'Kopi & Crumb', funded: false });
  await sql`update businesses set legal_name = 'Kopi & Crumb B.V.', registration_number = '81264097',
      vat_id = 'NL861942735B01', registered_street = 'Westerstraat 118', registered_postcode = '1015 MN', registered_town = 'Amsterdam'
    where id = ${business.id}`.execute(app.db);
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  const books: Books = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
  await makeTopUp(books, new Date('2026-09-01T10:00:00Z'), 10_000_000);
  const work = await makeHeldWork(books, new Date('2026-09-03T10:00:00Z'), {
    workerId: worker.accountId,
    payMinor: 900_000,
    minutes: 30_000,
  });
  // A worker can have work from many tests only without times.
  await sql`update engagements set starts_at = null, ends_at = null where id = ${work.engagementId}`.execute(
    app.db,
  );
  return [books, work];
}
