import { minuteMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp();
const cast = useHiring(app);
const { hirer, worker, fund, hire } = cast;
const later = (from: string | null, minutes: number) => new Date(Date.parse(from ?? '') + minutes * minuteMs);
const owed = async (by: Person = cast.nadia) =>
  by.api.engagements.forBusiness({ businessId: cast.business.id, group: 'owed' });

describe('an applicant whose offer is unpaid', () => {
  it("can't get another offer for the job until that one is withdrawn", async () => {
    await makeCard(app.db, hirer(), cast.business.id);
    const job = await makeJob(app.db, hirer(), cast.business.id, { headCount: 3 });
    const { id: applicationId } = await makeApplication(app.db, worker(), job.id);
    const actions = async () => (await cast.nadia.api.applicants.get({ applicationId })).actions;
    expect(await actions()).toContain('offer');
    const offer = await cast.nadia.api.offers.make({ applicationId });
    expect(offer.status).toBe('funding');
    expect(await actions()).not.toContain('offer');
    await cast.nadia.api.offers.withdraw({ offerId: offer.id, version: offer.version });
    expect(await actions()).toContain('offer');
  });
});

describe('work with owed pay', () => {
  it('is listed in every group until it is covered', async () => {
    await fund(15_000);
    const work = await hire();
    app.clock.set(later(work.terms.endsAt, 70));
    await cast.leila.api.timesheets.submitHours({
      engagementId: work.id,
      version: work.version,
      startsAt: work.terms.startsAt ?? '',
      endsAt: later(work.terms.endsAt, 60).toISOString(),
      breakMinutes: work.terms.breakMinutes,
      note: '',
    });
    expect((await owed()).items).toEqual([]);
    app.clock.forward({ hours: 73 });
    await app.runDue();
    const { dispute } = await cast.nadia.api.engagements.get({ engagementId: work.id });
    await cast.nadia.api.disputes.answer({
      disputeId: dispute?.id ?? '',
      version: dispute?.version ?? 0,
      note: 'They stayed an hour longer.',
      amountMinor: 14_875,
    });
    const listed = await owed();
    expect(listed.items.map(({ id }) => id)).toEqual([work.id]);
    expect(listed.counts).not.toHaveProperty('owed');
    await fund(10_000);
    await cast.nadia.api.pay.cover({ engagementId: work.id, funding: { from: 'balance' } });
    expect((await owed()).items).toEqual([]);
  });

  it('allows only recruiters of the business', async () => {
    const stranger = await app.person();
    expect(await failure(owed(stranger))).toMatchObject({ status: 404, code: 'business/not-found' });
  });
});

describe('a job shown as Funded', () => {
  it('is an open instant hire with a funded free spot', async () => {
    await fund(50_000);
    const plain = await makeJob(app.db, hirer(), cast.business.id, { headCount: 1 });
    expect(plain.funded).toBe(false);
    const job = await makeJob(app.db, hirer(), cast.business.id, { headCount: 1, instantHire: true });
    expect(await cast.leila.api.jobs.get({ jobId: job.id })).toMatchObject({
      instantHire: true,
      funded: true,
    });
    await cast.leila.api.applications.submit({ jobId: job.id, book: true });
    expect(await cast.nadia.api.jobs.get({ jobId: job.id })).toMatchObject({ funded: false });
  });
});
