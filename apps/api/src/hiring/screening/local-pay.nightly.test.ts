import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { copyJob, makeJob } from '../jobs/jobs.fixtures.ts';
import { comparedMax, findLocalPay } from './screening.sql.ts';

const app = useTestApp();
const place = { lat: 52.3792, lng: 4.8831 };

const copy = (jobId: string, copies: number, at: { lat: number; lng: number }, payMinor: number) =>
  copyJob(app.db, jobId, {
    copies,
    changes: sql`'pay_hour_minor', ${payMinor}::integer,
      'public_lat', ${at.lat}::float8 + (n % 100) * 0.0001, 'public_lng', ${at.lng}::float8`,
  });

it('compares pay with the nearest jobs only, whatever the density', async () => {
  const person = await app.person();
  const scope = app.scopeOf(person);
  const business = await makeBusiness(app.db, scope, place);
  const job = await makeJob(app.db, scope, business.id, { payMinor: 1_500 });
  const compare = () =>
    findLocalPay(
      app.db,
      {
        businessId: crypto.randomUUID(),
        category: 'hospitality',
        currency: 'EUR',
        publicLat: place.lat,
        publicLng: place.lng,
      },
      50_000,
    );
  await copy(job.id, 300, { lat: place.lat + 0.2, lng: place.lng }, 9_000);
  expect(await compare()).toEqual({ medianMinor: 9_000, jobs: 301, businesses: 1 });
  await copy(job.id, 2 * comparedMax, { lat: place.lat + 0.2, lng: place.lng }, 9_000);
  await copy(job.id, comparedMax, place, 1_500);
  expect(await compare()).toEqual({ medianMinor: 1_500, jobs: comparedMax, businesses: 1 });
});
