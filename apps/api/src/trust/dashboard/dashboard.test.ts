import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import {
  type Books,
  makeHeldWork,
  makeRelease,
  makeTip,
  makeTopUp,
} from '../../money/statements/statements.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { costPerHour, medianOf, monthsUpTo } from './dashboard.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;
const at = (text: string) => new Date(text);

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Rahmani' });
  leila = await app.person({ name: 'Leila Haddad' });
});
beforeEach(async () => {
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { funded: false });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  books = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
  leila = await app.person({ name: 'Leila Haddad' });
});

const read = (request: object = {}) =>
  nadia.api.dashboard.figures({ businessId: books.businessId, ...request });
const none = {
  spendMinor: 0,
  payMinor: 0,
  feesMinor: 0,
  tipsMinor: 0,
  paidMinutes: 0,
  costPerHourMinor: null,
  hires: 0,
};

async function filled(
  title: string,
  publishedAt: string,
  hires: readonly string[],
  headCount = hires.length,
) {
  const job = await makeJob(app.db, app.scopeOf(nadia), books.businessId, {
    title,
    headCount,
    status: 'draft',
  });
  await sql`update jobs set published_at = ${at(publishedAt)} where id = ${job.id}`.execute(app.db);
  const of = { ...books, jobId: job.id };
  for (const hire of hires) {
    const { accountId } = await app.person();
    await makeHeldWork(of, at(hire), { workerId: accountId, payMinor: 100, by: 'card', title });
  }
  return job.id;
}

describe('dashboard.figures', () => {
  it("returns every month, empty ones with zeros, in the business's zone", async () => {
    await makeTopUp(books, at('2026-08-01T10:00:00Z'), 100_000);
    const work = await makeHeldWork(books, at('2026-09-10T10:00:00Z'), {
      workerId: leila.accountId,
      payMinor: 12_000,
      minutes: 480,
    });
    await makeRelease(books, at('2026-09-30T21:59:59Z'), work, {
      amountMinor: 3_000,
      feeMinor: 300,
      kind: 'undisputed',
    });
    await makeRelease(books, at('2026-09-30T22:00:00Z'), work, {
      amountMinor: 9_000,
      feeMinor: 900,
      workerFeeMinor: 100,
    });
    await makeTip(books, at('2026-10-01T10:00:00Z'), work, 700);
    const task = await makeHeldWork(books, at('2026-10-02T10:00:00Z'), {
      workerId: leila.accountId,
      payMinor: 5_000,
      kind: 'task',
    });
    await makeRelease(books, at('2026-10-03T10:00:00Z'), task);
    const { months, ...rest } = await read({ months: 4 });
    expect(months).toEqual([
      { ...none, month: '2026-08' },
      {
        ...none,
        month: '2026-09',
        spendMinor: 3_300,
        payMinor: 3_000,
        feesMinor: 300,
        paidMinutes: 120,
        costPerHourMinor: 1_650,
        hires: 1,
      },
      {
        month: '2026-10',
        spendMinor: 16_100,
        payMinor: 14_000,
        feesMinor: 1_400,
        tipsMinor: 700,
        paidMinutes: 360,
        costPerHourMinor: 1_650,
        hires: 1,
      },
      { ...none, month: '2026-11' },
    ]);
    expect(rest).toMatchObject({
      currency: 'EUR',
      timeZone: 'Europe/Amsterdam',
      filled: [],
      medianHours: null,
    });
    expect((await read()).months).toHaveLength(6);
    expect((await read({ currency: 'USD', months: 1 })).months).toEqual([{ ...none, month: '2026-11' }]);
  });
  it('returns how long jobs took to fill, and the median now and before', async () => {
    const late = await filled('Late', '2026-11-01T10:00:00Z', [
      '2026-11-02T10:00:00Z',
      '2026-11-03T10:00:00Z',
    ]);
    const quick = await filled('Quick', '2026-11-10T10:00:00Z', ['2026-11-10T11:30:00Z']);
    await filled('A spot free', '2026-11-10T10:00:00Z', ['2026-11-10T12:00:00Z'], 2);
    const undone = await filled('Cancelled at once', '2026-11-10T10:00:00Z', ['2026-11-10T12:00:00Z']);
    await sql`update engagements set status = 'cancelled_by_worker', updated_at = created_at + interval '1 minute'
      where job_id = ${undone}`.execute(app.db);
    await filled('Before', '2026-09-30T10:00:00Z', ['2026-09-30T20:00:00Z']);
    await filled('First minute of the span', '2026-09-30T10:00:00Z', ['2026-09-30T22:00:00Z']);
    await filled('Long ago', '2026-01-01T10:00:00Z', ['2026-01-02T10:00:00Z']);
    const { filled: jobs, medianHours, medianHoursBefore } = await read({ months: 2 });
    expect(jobs).toMatchObject([
      { jobId: quick, title: 'Quick', day: '2026-11-10', hours: 1.5 },
      { jobId: late, title: 'Late', day: '2026-11-03', hours: 48 },
      { title: 'First minute of the span', day: '2026-10-01', hours: 12 },
    ]);
    expect([medianHours, medianHoursBefore]).toEqual([12, 10]);
  });
  it('allows only owners, managers and finance', async () => {
    const { businessId } = books;
    const figuresError = (person: Person) => failure(person.api.dashboard.figures({ businessId }));
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, businessId, recruiter.accountId);
    expect(await figuresError(recruiter)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await figuresError(leila)).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await figuresError(await app.person({ verified: false }))).toMatchObject({ status: 403 });
    expect(await failure(app.apiAs(null).dashboard.figures({ businessId }))).toMatchObject({ status: 401 });
    for (const request of [{ months: 0 }, { months: 25 }, { months: 'x' }, { currency: 'ZZZ' }])
      expect(await failure(read(request))).toMatchObject({ code: 'request/invalid' });
  });
});

describe('the rules of analytics', () => {
  it('count months back over years', () => {
    expect(monthsUpTo('2026-02', 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  });
  it('compute the median', () => {
    expect([[], [3], [1, 9], [9, 1, 5]].map(medianOf)).toEqual([null, 3, 5, 5]);
  });
  it('round the cost per hour half up, exactly', () => {
    expect([costPerHour(100, 0), costPerHour(1, 40), costPerHour(1, 120), costPerHour(1_000, 90)]).toEqual([
      null,
      2,
      1,
      667,
    ]);
  });
});
