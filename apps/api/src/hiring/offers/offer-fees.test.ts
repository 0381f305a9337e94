import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { recordFees } from './offers.sql.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Berg' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

async function appliedAt(businessFee: number): Promise<{ worker: Person; applicationId: string }> {
  const worker = await app.person({ name: 'Leila Haddad' });
  const job = await makeJob(app.db, app.scopeOf(owner), business.id);
  await app.pool.query('update jobs set business_fee_basis_points = $1 where id = $2', [businessFee, job.id]);
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return { worker, applicationId: id };
}
const versions = async () =>
  (
    await app.pool.query(
      'select version, business_fee_basis_points as business, worker_fee_basis_points as worker from fee_schedules order by version',
    )
  ).rows;

describe('the fees of an offer', () => {
  it("are frozen with their schedule's version, numbered on first use", async () => {
    const tenth = await appliedAt(1_000);
    const before = await owner.api.offers.preview({ applicationId: tenth.applicationId });
    expect(before.terms).not.toHaveProperty('feeVersion');
    const first = await owner.api.offers.make({ applicationId: tenth.applicationId });
    const eighth = await owner.api.offers.make({ applicationId: (await appliedAt(1_250)).applicationId });
    const again = await owner.api.offers.make({ applicationId: (await appliedAt(1_000)).applicationId });
    expect(
      [first, eighth, again].map(({ terms }) => [terms.feeVersion, terms.businessFeeBasisPoints]),
    ).toEqual([
      [1, 1_000],
      [2, 1_250],
      [1, 1_000],
    ]);
    const { engagementId } = await tenth.worker.api.offers.accept({
      offerId: first.id,
      version: first.version,
    });
    const work = await tenth.worker.api.engagements.get({ engagementId: engagementId ?? '' });
    expect(work.terms).toMatchObject({ feeVersion: 1, businessFeeBasisPoints: 1_000 });
    expect(await versions()).toEqual([
      { version: 1, business: 1_000, worker: 0 },
      { version: 2, business: 1_250, worker: 0 },
    ]);
  });

  it('get one number when a server starts with them', async () => {
    const before = await versions();
    const set = { BUSINESS_FEE_BASIS_POINTS: 900, WORKER_FEE_BASIS_POINTS: 100 };
    for (let start = 0; start < 3; start += 1) await recordFees(app.db, set, app.clock);
    expect(await versions()).toEqual([...before, { version: before.length + 1, business: 900, worker: 100 }]);
  });

  it('get one number under concurrency and never change', async () => {
    const before = await versions();
    const numbers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const { rows } = await app.pool.query('select fee_version($1, 300, now()) as version', [
          700 + (n % 2),
        ]);
        return rows[0].version as number;
      }),
    );
    const next = before.length + 1;
    expect(new Set(numbers)).toEqual(new Set([next, next + 1]));
    expect(await versions()).toHaveLength(before.length + 2);
    for (const change of [
      'update fee_schedules set business_fee_basis_points = 1',
      'delete from fee_schedules',
    ])
      await expect(app.pool.query(change)).rejects.toThrow('never changed');
  });
});
