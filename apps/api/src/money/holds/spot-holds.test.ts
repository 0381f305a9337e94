import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000', OPEN_JOBS_WHILE_UNVERIFIED: '100' });
const cast = useHiring(app);
const { hirer, fund, balance, expectSoundLedger } = cast;
const draft = (headCount = 3) =>
  makeJob(app.db, hirer(), cast.business.id, { status: 'draft', instantHire: true, headCount });
const freeSpots = async (jobId: string) => {
  const { rows } = await app.pool.query<{ spots: number; minor: number }>(
    `select count(*)::int as spots, coalesce(sum(pay_minor + fee_minor), 0)::int as minor from holds
      where job_id = $1 and offer_id is null and status = 'held'`,
    [jobId],
  );
  return rows[0];
};
const each = 14_438;

describe('publishing an instant hire', () => {
  it('funds every spot in one entry, or is rejected with the missing amount', async () => {
    const job = await draft();
    await fund(3 * each - 1);
    expect(await cast.nadia.api.spots.quote({ jobId: job.id })).toEqual({
      spots: 3,
      eachMinor: each,
      totalMinor: 3 * each,
      balanceMinor: 3 * each - 1,
      missingMinor: 1,
      currency: 'EUR',
    });
    expect(await failure(cast.nadia.api.jobs.publish({ jobId: job.id }))).toMatchObject({
      status: 422,
      code: 'payment/balance-short',
      data: { missingMinor: 1, currency: 'EUR' },
    });
    expect(await cast.nadia.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'draft' });
    await fund(500);
    await cast.nadia.api.jobs.publish({ jobId: job.id });
    expect(await freeSpots(job.id)).toEqual({ spots: 3, minor: 3 * each });
    expect(await balance()).toBe(499);
    expect(await cast.nadia.api.spots.quote({ jobId: job.id })).toMatchObject({ missingMinor: 0 });
    const worker = await app.person();
    expect(await worker.api.applications.submit({ jobId: job.id, book: true })).toMatchObject({
      status: 'hired',
    });
    expect(await freeSpots(job.id)).toEqual({ spots: 2, minor: 2 * each });
    expect((await worker.api.engagements.mine({})).items).toMatchObject([{ funding: 'funded' }]);
    await expectSoundLedger();
  });

  describe('spots.quote', () => {
    it('quotes an incomplete draft for recruiters of its business', async () => {
      const job = await makeJob(app.db, hirer(), cast.business.id, { status: 'draft', payMinor: null });
      expect(await cast.nadia.api.spots.quote({ jobId: job.id })).toMatchObject({
        eachMinor: null,
        totalMinor: null,
        missingMinor: 0,
      });
      expect(await failure((await app.person()).api.spots.quote({ jobId: job.id }))).toMatchObject({
        status: 404,
      });
      expect(await failure(app.apiAs(null).spots.quote({ jobId: job.id }))).toMatchObject({
        status: 401,
      });
      const open = await makeJob(app.db, hirer(), cast.business.id);
      expect(await failure((await app.person()).api.spots.quote({ jobId: open.id }))).toMatchObject({
        status: expect.any(Number),
      });
    });
  });
});

describe('the spots of an open instant hire', () => {
  it.each(['pause', 'close'] as const)('are refunded to the balance on %s', async (action) => {
    await fund(3 * each);
    const job = await draft();
    await cast.nadia.api.jobs.publish({ jobId: job.id });
    expect(await balance()).toBe(0);
    await cast.nadia.api.jobs[action]({ jobId: job.id });
    expect(await balance()).toBe(3 * each);
    expect(await freeSpots(job.id)).toEqual({ spots: 0, minor: 0 });
    if (action === 'pause') {
      await cast.nadia.api.jobs.reopen({ jobId: job.id });
      expect(await freeSpots(job.id)).toEqual({ spots: 3, minor: 3 * each });
    }
    await expectSoundLedger();
  });

  it('are refunded when the job expires', async () => {
    await fund(3 * each);
    const job = await draft();
    await cast.nadia.api.jobs.publish({ jobId: job.id });
    app.clock.forward({ days: 3 });
    await app.runDue();
    expect(await cast.nadia.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'expired' });
    expect(await balance()).toBe(3 * each);
    await expectSoundLedger();
  });

  it('follow head count, pay and the setting, or are rejected if the balance is too low', async () => {
    await fund(3 * each + 1_000);
    const job = await draft();
    await cast.nadia.api.jobs.publish({ jobId: job.id });
    let { version } = await cast.nadia.api.jobs.get({ jobId: job.id });
    const edit = (changes: { headCount?: number; payMinor?: number; instantHire?: boolean }) =>
      cast.nadia.api.jobs.update({ jobId: job.id, version, ...changes });
    expect(await failure(edit({ headCount: 4 }))).toMatchObject({
      code: 'payment/balance-short',
      data: { missingMinor: each - 1_000 },
    });
    expect(await freeSpots(job.id)).toEqual({ spots: 3, minor: 3 * each });
    ({ version } = await edit({ headCount: 2 }));
    expect(await balance()).toBe(1_000 + each);
    ({ version } = await edit({ payMinor: 2_000 }));
    expect(await freeSpots(job.id)).toEqual({ spots: 2, minor: 33_000 });
    expect(await balance()).toBe(3 * each + 1_000 - 33_000);
    expect(await failure(edit({ payMinor: 5_000 }))).toMatchObject({ code: 'payment/balance-short' });
    await edit({ instantHire: false });
    expect(await balance()).toBe(3 * each + 1_000);
    await expectSoundLedger();
  });

  it('are kept when the job moves within its month and week, and set aside again beyond', async () => {
    await fund(each);
    const startsAt = '2026-12-08T08:00:00.000Z';
    const job = await draft(1);
    await cast.nadia.api.jobs.update({
      jobId: job.id,
      version: job.version,
      startsAt,
      endsAt: '2026-12-08T16:00:00.000Z',
    });
    await cast.nadia.api.jobs.publish({ jobId: job.id });
    const holds = async () =>
      (
        await app.pool.query(
          `select id, work_on::text as day from holds where job_id = $1 and status = 'held'`,
          [job.id],
        )
      ).rows;
    const moveTo = async (day: string) => {
      const { version } = await cast.nadia.api.jobs.get({ jobId: job.id });
      await cast.nadia.api.jobs.update({
        jobId: job.id,
        version,
        startsAt: `${day}T08:00:00.000Z`,
        endsAt: `${day}T16:00:00.000Z`,
      });
    };
    const [before] = await holds();
    await moveTo('2026-12-09');
    expect(await holds()).toEqual([{ id: before.id, day: '2026-12-09' }]);
    await moveTo('2026-12-14');
    expect(await holds()).toEqual([{ id: expect.not.stringContaining(before.id), day: '2026-12-14' }]);
    await expectSoundLedger();
  });

  it('are funded again from the balance when freed, otherwise instant hire stops', async () => {
    await fund(2 * each);
    const job = await draft(2);
    await cast.nadia.api.jobs.publish({ jobId: job.id });
    const worker = await app.person();
    await worker.api.applications.submit({ jobId: job.id, book: true });
    const [work] = (await worker.api.engagements.mine({})).items;
    await worker.api.engagements.cancel({
      engagementId: work?.id ?? '',
      version: work?.version ?? 0,
      reason: 'Ill',
    });
    expect(await freeSpots(job.id)).toEqual({ spots: 2, minor: 2 * each });
    const second = await app.person();
    await second.api.applications.submit({ jobId: job.id, book: true });
    const third = await app.person();
    await third.api.applications.submit({ jobId: job.id, book: true });
    expect(await freeSpots(job.id)).toEqual({ spots: 0, minor: 0 });
    const other = await makeJob(app.db, hirer(), cast.business.id);
    const applicant = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(applicant), other.id);
    const [theirs] = (await second.api.engagements.mine({})).items;
    await second.api.engagements.cancel({
      engagementId: theirs?.id ?? '',
      version: theirs?.version ?? 0,
      reason: 'Ill',
    });
    await cast.nadia.api.jobs.pause({ jobId: job.id });
    await makeOffer(app.db, hirer(), applicationId);
    expect(await balance()).toBe(0);
    expect(await failure(cast.nadia.api.jobs.reopen({ jobId: job.id }))).toMatchObject({
      code: 'payment/balance-short',
      data: { missingMinor: each },
    });
    await expectSoundLedger();
  });

  it('transfer their money to a regular offer of the job', async () => {
    await fund(2 * each);
    const job = await makeJob(app.db, hirer(), cast.business.id, {
      instantHire: true,
      headCount: 2,
      skills: ['barista'],
    });
    const worker = await app.person();
    const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    const offer = await cast.nadia.api.offers.make({ applicationId: id });
    expect(offer).toMatchObject({
      status: 'sent',
      funding: 'funded',
      hold: { status: 'held', source: 'balance' },
    });
    expect(await freeSpots(job.id)).toEqual({ spots: 1, minor: each });
    await cast.nadia.api.offers.withdraw({ offerId: offer.id, version: offer.version });
    expect(await freeSpots(job.id)).toEqual({ spots: 2, minor: 2 * each });
    expect(await balance()).toBe(0);
    await expectSoundLedger();
  });
});
