import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { type Books, makeHeldWork, makeRelease, makeTip } from './statements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
const at = (text: string) => new Date(text);

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Rahmani' });
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
});

async function booksOf(name: string): Promise<Books> {
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { name, funded: false });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  return { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
}

describe('statements.year', () => {
  it("covers twelve months and each business, in the work's local time", async () => {
    const kopi = await booksOf('Kopi & Crumb');
    const hotel = await booksOf('Hotel Brouwers');
    const shift = { workerId: leila.accountId, by: 'card' } as const;
    const shiftHold = await makeHeldWork(kopi, at('2026-01-10T10:00:00Z'), {
      ...shift,
      payMinor: 10_000,
      minutes: 301,
    });
    await makeRelease(kopi, at('2026-01-31T22:59:59Z'), shiftHold, {
      amountMinor: 3_333,
      feeMinor: 0,
      kind: 'undisputed',
    });
    await makeRelease(kopi, at('2026-01-31T23:00:00Z'), shiftHold, {
      amountMinor: 6_667,
      feeMinor: 0,
      workerFeeMinor: 67,
    });
    await makeTip(kopi, at('2026-02-02T10:00:00Z'), shiftHold, 500, { by: 'card' });
    const two = await makeHeldWork(hotel, at('2026-12-30T10:00:00Z'), {
      ...shift,
      payMinor: 20_000,
      kind: 'task',
    });
    await makeRelease(hotel, at('2026-12-31T22:59:59Z'), two, { amountMinor: 20_000 });
    const three = await makeHeldWork(hotel, at('2026-12-31T10:00:00Z'), { ...shift, payMinor: 5_000 });
    await makeRelease(hotel, at('2026-12-31T23:00:00Z'), three);
    const year = await leila.api.statements.year({ year: 2026 });
    const none = { earnedMinor: 0, tipsMinor: 0, feesMinor: 0, paidMinutes: 0 };
    expect(year.months).toHaveLength(12);
    expect(year.months.slice(0, 3)).toEqual([
      { ...none, month: '2026-01', earnedMinor: 3_333, paidMinutes: 100 },
      { ...none, month: '2026-02', earnedMinor: 6_600, tipsMinor: 500, feesMinor: 67, paidMinutes: 201 },
      { ...none, month: '2026-03' },
    ]);
    expect(year.months[11]).toEqual({ ...none, month: '2026-12', earnedMinor: 20_000 });
    expect(year).toMatchObject({
      year: 2026,
      currency: 'EUR',
      years: [2027, 2026],
      totalMinor: 30_433,
      businesses: [
        { name: 'Hotel Brouwers', earnedMinor: 20_000, engagements: 1 },
        { name: 'Kopi & Crumb', earnedMinor: 10_433, engagements: 1 },
      ],
    });
  });
  it("is empty without work and shows only the caller's", async () => {
    const year = await leila.api.statements.year({ year: 2026 });
    expect(year).toMatchObject({ years: [], businesses: [], totalMinor: 0 });
    expect(year.months).toHaveLength(12);
    expect(await failure(leila.api.statements.year({ year: 1999 }))).toMatchObject({
      code: 'request/invalid',
    });
    expect(await failure(app.apiAs(null).statements.year({ year: 2026 }))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.statements.year({ year: 2026 }))).toMatchObject({ status: 403 });
  });
});
