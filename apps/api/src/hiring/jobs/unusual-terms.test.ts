import { minuteMs } from '@nearhand/contract/durations';
import { payMinOf } from '@nearhand/contract/hiring/pay-units.rules';
import { payFloorOn, payFloors } from '@nearhand/contract/people/pay-floors.rules';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { jobInput, makeJob } from './jobs.fixtures.ts';

const app = useTestApp({ PAY_FLOORS: 'US=1000,GB=0' });
const belowPay = 'An apprentice, at the youth rate.';

async function hirer(options: Parameters<typeof makeBusiness>[2] = {}) {
  const person = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(person), options);
  const draft = (job: Parameters<typeof makeJob>[3] = {}) =>
    makeJob(app.db, app.scopeOf(person), business.id, { status: 'draft', ...job });
  const publish = (jobId: string) => person.api.jobs.publish({ jobId });
  return { ...person, business, draft, publish };
}

const lasting = (minutes: number) => {
  const { startsAt } = jobInput(app.clock);
  const endsAt = new Date(Date.parse(startsAt ?? '') + minutes * minuteMs).toISOString();
  return { startsAt: startsAt ?? '', endsAt, breakMinutes: 0 };
};

describe('pay below the statutory minimum', () => {
  it('requires a reason, on edits too, that only members see', async () => {
    const { api, draft, publish } = await hirer();
    const job = await draft({ payMinor: 1_470 });
    expect(await failure(publish(job.id))).toMatchObject({
      status: 422,
      code: 'job/incomplete',
      data: { missing: ['payReason'] },
    });
    for (const wrong of ['', '  ', 'x'.repeat(501), 5])
      expect(
        await failure(api.jobs.update({ jobId: job.id, version: job.version, payReason: wrong as string })),
      ).toMatchObject({ status: 400, code: 'request/invalid' });
    const told = await api.jobs.update({ jobId: job.id, version: job.version, payReason: belowPay });
    const open = await publish(job.id);
    expect([told.member?.payReason, open.status, open.member?.payReason]).toEqual([
      belowPay,
      'open',
      belowPay,
    ]);
    expect(JSON.stringify(await app.apiAs(null).jobs.get({ jobId: job.id }))).not.toContain('apprentice');
    const edit = { jobId: job.id, version: open.version };
    expect(await failure(api.jobs.update({ ...edit, payReason: null }))).toMatchObject({
      data: { missing: ['payReason'] },
    });
    const better = await api.jobs.update({ ...edit, payMinor: 1_471, payReason: null });
    expect(better.member?.payReason).toBeNull();
    const { id } = await api.jobs.duplicate({ jobId: (await draft({ payReason: belowPay })).id });
    expect((await api.jobs.get({ jobId: id })).member?.payReason).toBe(belowPay);
  });

  it('depends on the country, the day of the shift and the configured rates', async () => {
    const refused = async (countryCode: string, payMinor: number) => {
      const { draft, publish } = await hirer({ countryCode });
      const { id } = await draft({ payMinor });
      return publish(id).then(
        () => false,
        () => true,
      );
    };
    expect(await refused('NL', 1_471)).toBe(false);
    expect(await refused('US', 999)).toBe(true);
    expect(await refused('US', 1_000)).toBe(false);
    expect(await refused('GB', payMinOf('GBP', 'hour'))).toBe(false);
    expect(await refused('DK', payMinOf('DKK', 'hour'))).toBe(false);
    const german = { country: 'DE', currency: 'EUR' };
    expect(payFloorOn(german, '2025-12-31', {})).toBeNull();
    expect(payFloorOn(german, '2026-12-31', {})).toBe(1_390);
    expect(payFloorOn(german, '2027-01-01', {})).toBe(1_460);
    expect(payFloorOn({ ...german, currency: 'CHF' }, '2027-01-01', {})).toBeNull();
    for (const rate of payFloors) expect(rate.source.length, rate.country).toBeGreaterThan(10);
  });

  it("doesn't apply to a task, which has no hours", async () => {
    const { draft, publish } = await hirer();
    const task = await draft({ kind: 'task', payMinor: 500, payReason: belowPay });
    expect((await publish(task.id)).member?.payReason).toBeNull();
  });
});

describe('a very short shift', () => {
  it('pays at least the minimum fixed price, in a draft and after an edit', async () => {
    const { api, draft } = await hirer();
    const minimum = { ...lasting(1), payMinor: payMinOf('EUR', 'fixed') * 60 };
    expect((await draft(minimum)).pay).toMatchObject({ minor: 30_000 });
    await expect(draft({ ...minimum, payMinor: 29_999 })).rejects.toMatchObject({
      code: 'request/invalid',
      data: {
        issues: [
          {
            path: 'payMinor',
            message: 'at least 30000 minor units of EUR an hour, 500 for the whole shift',
          },
        ],
      },
    });
    const long = await draft({ ...lasting(60), payMinor: 500 });
    const edit = { jobId: long.id, version: long.version, ...lasting(59) };
    expect(await failure(api.jobs.update(edit))).toMatchObject({
      data: { issues: [{ path: 'payMinor' }] },
    });
  });

  it('requires a reason below 15 paid minutes', async () => {
    const { api, draft, publish } = await hirer();
    const payMinor = 2_200;
    expect((await publish((await draft({ ...lasting(15), payMinor })).id)).status).toBe('open');
    const short = await draft({ ...lasting(60), payMinor, breakMinutes: 46 });
    expect(await failure(publish(short.id))).toMatchObject({ data: { missing: ['shortReason'] } });
    const edit = { jobId: short.id, version: short.version, shortReason: 'Signing for a parcel.' };
    await api.jobs.update(edit);
    expect((await publish(short.id)).member?.shortReason).toBe('Signing for a parcel.');
  });
});
