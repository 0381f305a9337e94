import { makeApplication } from '@nearhand/api/src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { tokenOf } from '../money/release-stream.ts';
import { type Services, secret } from '../money/services.ts';

export type Pair = {
  conversationId: string;
  businessId: string;
  worker: { accountId: string; sessionId: string; token: () => Promise<string> };
  recruiter: { accountId: string; sessionId: string; token: () => Promise<string> };
};

export async function makePair(services: Services): Promise<Pair> {
  const { db, clock, pool } = services;
  const owner = await makeAccount(db, clock, secret, { name: 'Nadia' });
  const { id: businessId } = await makeBusiness(db, services.scopeOf(owner.accountId), { funded: false });
  const job = await makeJob(db, services.scopeOf(owner.accountId), businessId);
  const worker = await makeAccount(db, clock, secret, { name: 'Leila' });
  await makeApplication(db, services.scopeOf(worker.accountId), job.id);
  const { rows } = await pool.query<{ id: string }>(
    'select id from conversations where job_id = $1 and worker_id = $2',
    [job.id, worker.accountId],
  );
  const conversationId = rows[0]?.id;
  if (!conversationId) throw new Error('applying opened no conversation');
  return { conversationId, businessId, worker: signedIn(worker), recruiter: signedIn(owner) };
}

const signedIn = ({ accountId, sessionId }: { accountId: string; sessionId: string }) => ({
  accountId,
  sessionId,
  token: tokenOf({ accountId, sessionId }),
});
