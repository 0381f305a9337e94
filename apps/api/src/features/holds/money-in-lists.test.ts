import type { Business } from '@nearhand/contract/businesses';
import { minuteMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeBusiness } from '../businesses/businesses.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { fundBusiness, makeCard } from '../payments/payments.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let business: Business;
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  business = await makeBusiness(app.db, scopeOf(nadia), { funded: false });
});
const scopeOf = (person: Person) => app.scopeOf(person.accountId);
const later = (from: string | null, minutes: number) => new Date(Date.parse(from ?? '') + minutes * minuteMs);
const owed = async (by: Person = nadia) =>
  by.api.engagements.forBusiness({ businessId: business.id, group: 'owed' });

describe('an applicant whose offer waits for its money', () => {
  it('is not offered the job again until that offer is withdrawn', async () => {
    await makeCard(app.db, scopeOf(nadia), business.id);
    const job = await makeJob(app.db, scopeOf(nadia), business.id, { headCount: 3 });
    const { id: applicationId } = await makeApplication(app.db, scopeOf(leila), job.id);
    const actions = async () => (await nadia.api.applications.applicant({ applicationId })).actions;
    expect(await actions()).toContain('offer');
    const offer = await nadia.api.offers.make({ applicationId });
    expect(offer.status).toBe('funding');
    expect(await actions()).not.toContain('offer');
    await nadia.api.offers.withdraw({ offerId: offer.id, version: offer.version });
    expect(await actions()).toContain('offer');
  });
});

describe('work of which some pay is owed', () => {
  it('is listed across the groups until it is covered', async () => {
    // Enough for the hold and a little of the hour beyond the plan.
    await fundBusiness(app.db, scopeOf(nadia), business.id, { amountMinor: 15_000 });
    const people = { worker: scopeOf(leila), recruiter: scopeOf(nadia) };
    const work = await makeEngagement(app.db, people, business.id, { headCount: 1 });
    app.clock.set(later(work.terms.endsAt, 70));
    await leila.api.timesheets.submitHours({
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
    const listed = await owed();
    expect(listed.items.map(({ id }) => id)).toEqual([work.id]);
    expect(listed.counts).not.toHaveProperty('owed');
    await fundBusiness(app.db, scopeOf(nadia), business.id, { amountMinor: 10_000 });
    await nadia.api.holds.cover({ engagementId: work.id, funding: { from: 'balance' } });
    expect((await owed()).items).toEqual([]);
  });

  it('is for recruiters of the business', async () => {
    const stranger = await app.person();
    expect(await failure(owed(stranger))).toMatchObject({ status: 404, code: 'business/not-found' });
  });
});

describe('a job that says Funded', () => {
  it('is an open instant hire while the pay of a free seat is set aside', async () => {
    await fundBusiness(app.db, scopeOf(nadia), business.id, { amountMinor: 50_000 });
    const plain = await makeJob(app.db, scopeOf(nadia), business.id, { headCount: 1 });
    expect(plain.funded).toBe(false);
    const job = await makeJob(app.db, scopeOf(nadia), business.id, { headCount: 1, instantHire: true });
    expect(await leila.api.jobs.get({ jobId: job.id })).toMatchObject({ instantHire: true, funded: true });
    await leila.api.applications.submit({ jobId: job.id });
    expect(await nadia.api.jobs.get({ jobId: job.id })).toMatchObject({ funded: false });
  });
});
