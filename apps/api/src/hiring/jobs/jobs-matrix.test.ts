import { type JobStatus, jobStatuses, nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededShare } from '../../../../../scripts/seeded-sample.ts';
import { type Client, failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();
const isTried = seededShare();
const actions = ['publish', 'pause', 'reopen', 'close', 'archive'] as const;
const actors = ['owner', 'manager', 'recruiter', 'finance', 'stranger', 'unverified', 'guest'] as const;
type Actor = (typeof actors)[number];
const hiring: Actor[] = ['owner', 'manager', 'recruiter'];
const publicStatuses: JobStatus[] = ['open', 'filled', 'expired', 'closed'];

let owner: Person;
let businessId: string;
const clients = new Map<Actor, Client>();
beforeAll(async () => {
  owner = await app.person();
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  await app.db.updateTable('businesses').set({ status: 'verified' }).where('id', '=', businessId).execute();
  clients.set('owner', owner.api);
  for (const role of ['manager', 'recruiter', 'finance'] as const) {
    const person = await app.person();
    await makeMember(app.db, app.clock, businessId, person.accountId, role);
    clients.set(role, person.api);
  }
  clients.set('stranger', (await app.person()).api);
  clients.set('unverified', (await app.person({ verified: false })).api);
  clients.set('guest', app.apiAs(null));
});

async function jobIn(status: JobStatus): Promise<string> {
  const { id } = await makeJob(app.db, app.scopeOf(owner), businessId, {
    status: status === 'draft' ? 'draft' : 'open',
  });
  if (status === 'paused') await owner.api.jobs.pause({ jobId: id });
  if (status === 'closed' || status === 'archived') await owner.api.jobs.close({ jobId: id });
  if (status === 'archived') await owner.api.jobs.archive({ jobId: id });
  if (['in_review', 'filled', 'expired', 'suspended', 'rejected'].includes(status))
    await app.db.updateTable('jobs').set({ status }).where('id', '=', id).execute();
  return id;
}
const facts = async (jobId: string) =>
  (
    await app.pool.query(
      `select job.status, job.version, job.published_at, (select count(*) from job_moves where job_id = job.id) as moves
       from jobs job where job.id = $1`,
      [jobId],
    )
  ).rows[0];

describe('every state, action and actor of a job', () => {
  it('accepts what the table allows and changes nothing otherwise', {
    timeout: 120_000,
  }, async () => {
    const count = { allowed: 0, repeated: 0, refused: 0, left: 0 };
    for (const status of jobStatuses) {
      let jobId = await jobIn(status);
      for (const action of actions)
        for (const actor of actors) {
          const expected = expectation(status, action, actor);
          const name = `${status} ${action} ${actor}`;
          if (typeof expected === 'number' && !isTried(`${action} ${actor}`, name)) {
            count.left += 1;
            continue;
          }
          const before = await facts(jobId);
          const call = (clients.get(actor) as Client).jobs[action]({ jobId });
          if (typeof expected === 'number') {
            expect({ name, status: (await failure(call)).status }).toEqual({ name, status: expected });
            expect(await facts(jobId)).toEqual(before);
            count.refused += 1;
            continue;
          }
          expect({ name, status: (await call).status }).toEqual({ name, status: expected });
          if (expected === status) {
            expect(await facts(jobId)).toEqual(before);
            count.repeated += 1;
            continue;
          }
          expect(Number((await facts(jobId)).moves)).toBe(Number(before.moves) + 1);
          count.allowed += 1;
          jobId = await jobIn(status);
        }
    }
    const all = count.allowed + count.repeated + count.refused + count.left;
    expect(all).toBe(jobStatuses.length * actions.length * actors.length);
    expect(count.allowed).toBeGreaterThan(0);
    process.stdout.write(`jobs: ${all} walks, ${JSON.stringify(count)}\n`);
  });
});

function expectation(status: JobStatus, action: (typeof actions)[number], actor: Actor): JobStatus | number {
  if (actor === 'guest') return 401;
  if (actor === 'unverified') return 403;
  if (actor === 'stranger') return publicStatuses.includes(status) ? 403 : 404;
  if (!hiring.includes(actor)) return 403;
  return nextJobStatus(status, action, 'business') ?? 409;
}
