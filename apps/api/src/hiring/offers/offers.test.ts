import { maxMinor } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire, makeOffer } from './offers.fixtures.ts';

const app = useTestApp();
const nowhere = '01990000-0000-7000-8000-000000000000';
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Hotel Brouwers' });
});

const newJob = (options: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, app.scopeOf(owner), business.id, options);
async function applied(job: Job, name = 'Leila Haddad') {
  const worker = await app.person({ name });
  const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return { worker, applicationId: application.id };
}
async function offered(options: Parameters<typeof makeJob>[3] = {}) {
  const job = await newJob(options);
  const { worker, applicationId } = await applied(job);
  const offer = await makeOffer(app.db, app.scopeOf(owner), applicationId);
  return { job, worker, applicationId, offer, offerRef: { offerId: offer.id, version: offer.version } };
}
async function member(role: 'manager' | 'recruiter' | 'coordinator' | 'finance', name = `A ${role}`) {
  const person = await app.person({ name });
  await makeMember(app.db, app.clock, business.id, person.accountId, role);
  return person;
}
const spotsOf = async (jobId: string) =>
  app.db
    .selectFrom('jobs')
    .select(['status', 'hiredCount', 'offeredCount'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items.map(({ topic }) => topic);
const raw = (method: 'GET' | 'POST', url: string, token: string | null, payload?: object) =>
  app.raw({
    method,
    url: `/api${url}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      'idempotency-key': crypto.randomUUID(),
    },
    ...(payload ? { payload } : {}),
  });

describe('offers.make', () => {
  it('freezes the current terms, takes a spot and is sent at once', async () => {
    const job = await newJob({ payMinor: 2_000, headCount: 1 });
    const { worker, applicationId } = await applied(job);
    const offer = await owner.api.offers.make({ applicationId, payMinor: 2_150, message: 'Welcome 👋' });
    expect(offer).toMatchObject({
      status: 'sent',
      source: 'business',
      side: 'business',
      funding: 'funded',
      message: 'Welcome 👋',
      worker: { name: 'Leila Haddad' },
      terms: {
        payMinor: 2_150,
        paidMinutes: 450,
        payTotalMinor: 16_125,
        workerGetsMinor: 16_125,
        holdMinor: 17_738,
        startsAt: job.startsAt,
        place: { address: 'Lindengracht 12' },
      },
      actions: ['withdraw'],
    });
    expect(await spotsOf(job.id)).toMatchObject({ status: 'open', hiredCount: 0, offeredCount: 1 });
    expect(await topicsOf(worker)).toContain('offer-received');
    expect((await worker.api.applications.get({ applicationId })).status).toBe('offered');

    const other = await applied(job, 'Sam Okafor');
    expect(await failure(owner.api.offers.make({ applicationId: other.applicationId }))).toMatchObject({
      status: 409,
      code: 'offer/no-spot',
    });
    expect((await other.worker.api.applications.get({ applicationId: other.applicationId })).status).toBe(
      'submitted',
    );
    await owner.api.jobs.update({ jobId: job.id, version: job.version, payMinor: 3_000 });
    expect((await worker.api.offers.get({ offerId: offer.id })).terms.payMinor).toBe(2_150);
  });

  it('tells the second of two managers about the offer, and replays the first for its own key', async () => {
    const job = await newJob();
    const { applicationId } = await applied(job);
    const key = crypto.randomUUID();
    const withKey = app.apiAs(owner.token, { 'idempotency-key': key });
    const first = await withKey.offers.make({ applicationId });
    expect(await withKey.offers.make({ applicationId })).toEqual(first);
    const colleague = await member('manager');
    expect(await failure(colleague.api.offers.make({ applicationId }))).toMatchObject({
      status: 409,
      code: 'application/wrong-state',
      data: { status: 'offered' },
    });
    expect((await spotsOf(job.id)).offeredCount).toBe(1);
  });

  it('rejects too little pay, incomplete terms and work that has begun', async () => {
    const job = await newJob({ payMinor: 1_750 });
    const { applicationId } = await applied(job);
    for (const payMinor of [-1, 0, 1.5, maxMinor + 1, 1e30, '2000', null])
      expect(
        (await raw('POST', `/applications/${applicationId}/offers`, owner.token, { payMinor })).statusCode,
      ).toBe(400);
    const maxPay = hiringLimits.hourlyPayMaxMinor;
    const tooMuch = await failure(owner.api.offers.make({ applicationId, payMinor: maxPay + 1 }));
    expect(tooMuch).toMatchObject({ status: 400, code: 'request/invalid' });
    expect((await owner.api.offers.preview({ applicationId, payMinor: maxPay })).terms.payMinor).toBe(maxPay);
    expect(await failure(owner.api.offers.make({ applicationId, payMinor: 1_749 }))).toMatchObject({
      status: 422,
      code: 'offer/pay-below-job',
      data: { payMinor: 1_750 },
    });
    expect(await failure(owner.api.offers.make({ applicationId, payMinor: maxMinor }))).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
    expect(
      (await raw('POST', `/applications/${applicationId}/offers`, owner.token, { message: '\u0000' }))
        .statusCode,
    ).toBe(400);
    await app.db
      .updateTable('jobs')
      .set({ startsAt: null, endsAt: null, hoursNote: 'Weekends' })
      .where('id', '=', job.id)
      .execute();
    expect(await failure(owner.api.offers.make({ applicationId }))).toMatchObject({
      code: 'offer/terms-missing',
      data: { missing: ['startsAt', 'endsAt'] },
    });
    const begun = subtractMs(app.clock.now(), 60_000);
    await app.db
      .updateTable('jobs')
      .set({ startsAt: begun, endsAt: addMs(begun, hourMs) })
      .where('id', '=', job.id)
      .execute();
    expect(await failure(owner.api.offers.make({ applicationId }))).toMatchObject({
      code: 'offer/starts-in-past',
    });
    expect(await spotsOf(job.id)).toMatchObject({ offeredCount: 0 });
  });

  it('allows only recruiters of that business', async () => {
    const job = await newJob();
    const { worker, applicationId } = await applied(job);
    const unverified = await app.person({ verified: false });
    const stranger = await app.person();
    await makeBusiness(app.db, app.scopeOf(stranger));
    expect((await raw('POST', `/applications/${applicationId}/offers`, null, {})).statusCode).toBe(401);
    expect(await failure(unverified.api.offers.make({ applicationId }))).toMatchObject({ status: 403 });
    expect(await failure(worker.api.offers.make({ applicationId }))).toMatchObject({
      code: 'application/not-allowed',
    });
    expect(await failure((await member('finance')).api.offers.make({ applicationId }))).toMatchObject({
      code: 'application/not-allowed',
    });
    expect(await failure(stranger.api.offers.make({ applicationId }))).toMatchObject({
      code: 'application/not-found',
    });
    expect(await failure(owner.api.offers.make({ applicationId: nowhere }))).toMatchObject({
      code: 'application/not-found',
    });
    await owner.api.jobs.close({ jobId: job.id });
    expect(await failure(owner.api.offers.make({ applicationId }))).toMatchObject({
      status: 409,
      code: 'job/wrong-state',
    });
  });

  it('offers a task at its price until the end of its due date', async () => {
    const job = await newJob({ kind: 'task', dueOn: '2026-11-22' } as Partial<JobDraft>);
    const { applicationId } = await applied(job);
    const offer = await owner.api.offers.make({ applicationId });
    expect(offer).toMatchObject({
      terms: { kind: 'task', payTotalMinor: 12_000, paidMinutes: null, dueOn: '2026-11-22' },
      expiresAt: '2026-11-22T23:00:00.000Z',
    });
  });
});

describe('offers.preview', () => {
  it("shows an offer's terms and cost without changing anything", async () => {
    const job = await newJob({ headCount: 2, payMinor: 2_000 });
    const { worker, applicationId } = await applied(job);
    const preview = await owner.api.offers.preview({ applicationId, payMinor: 2_200 });
    expect(preview).toMatchObject({ spotsFree: 2, workerBooked: false, terms: { payTotalMinor: 16_500 } });
    expect(await failure(owner.api.offers.preview({ applicationId, payMinor: 1 }))).toMatchObject({
      code: 'offer/pay-below-job',
    });
    const other = await newJob();
    const otherApplication = await makeApplication(app.db, app.scopeOf(worker), other.id);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, otherApplication.id);
    expect(await owner.api.offers.preview({ applicationId })).toMatchObject({ workerBooked: true });
    expect((await worker.api.applications.get({ applicationId })).status).toBe('submitted');
    expect((await raw('GET', `/applications/${applicationId}/offer-preview`, null)).statusCode).toBe(401);
    for (const bad of ['abc', '-5', '0', '99999999999999999999'])
      expect(
        (await raw('GET', `/applications/${applicationId}/offer-preview?payMinor=${bad}`, owner.token))
          .statusCode,
      ).toBe(400);
    expect(await failure(worker.api.offers.preview({ applicationId }))).toMatchObject({ status: 403 });
    expect(await failure(owner.api.offers.preview({ applicationId: nowhere }))).toMatchObject({
      status: 404,
    });
    const offer = await makeOffer(app.db, app.scopeOf(owner), applicationId);
    await owner.api.offers.withdraw({ offerId: offer.id, version: offer.version });
    expect(await failure(owner.api.offers.preview({ applicationId }))).toMatchObject({
      code: 'application/wrong-state',
    });
  });
});

describe('offers.mine', () => {
  it("pages only the caller's offers, newest first", async () => {
    const worker = await app.person();
    const ids: string[] = [];
    for (let day = 2; day < 5; day += 1) {
      const start = addMs(app.clock.now(), day * dayMs);
      const end = addMs(start, hourMs);
      const job = await newJob({ startsAt: start.toISOString(), endsAt: end.toISOString(), breakMinutes: 0 });
      const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
      app.clock.forward({ seconds: 1 });
      ids.unshift((await makeOffer(app.db, app.scopeOf(owner), application.id)).id);
    }
    const first = await worker.api.offers.mine({ limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await worker.api.offers.mine({ limit: 2, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ id: ids[2] }], nextCursor: null });
    await worker.api.offers.decline({ offerId: ids[0] ?? '', version: 1 });
    expect((await worker.api.offers.mine({ group: 'live' })).items).toHaveLength(2);
    expect((await worker.api.offers.mine({ group: 'ended' })).items).toMatchObject([{ status: 'declined' }]);
    expect((await owner.api.offers.mine({})).items).toEqual([]);
    expect((await raw('GET', '/offers', null)).statusCode).toBe(401);
    expect(await failure(worker.api.offers.mine({ cursor: 'no' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});

describe('offers.get', () => {
  it('returns the offer to both sides and 404 to strangers', async () => {
    const { worker, offer } = await offered();
    expect(await worker.api.offers.get({ offerId: offer.id })).toMatchObject({
      side: 'worker',
      actions: ['accept', 'decline'],
      steps: [{ action: 'send', status: 'sent', by: 'business' }],
    });
    expect(await (await member('finance')).api.offers.get({ offerId: offer.id })).toMatchObject({
      side: 'business',
      actions: [],
    });
    expect((await raw('GET', `/offers/${offer.id}`, null)).statusCode).toBe(401);
    expect(await failure((await app.person()).api.offers.get({ offerId: offer.id }))).toMatchObject({
      status: 404,
      code: 'offer/not-found',
    });
    expect(await failure(owner.api.offers.get({ offerId: nowhere }))).toMatchObject({ status: 404 });
    expect((await raw('GET', '/offers/not-an-id', owner.token)).statusCode).toBe(400);
  });

  it('hides the photo of a worker who withdrew the application', async () => {
    const { worker, applicationId, offerRef } = await offered();
    const fileId = (await makeFile(app.db, app.scopeOf(worker))).id;
    await app.db
      .insertInto('profiles')
      .values({ accountId: worker.accountId, photoFileId: fileId, updatedAt: app.clock.now() })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ photoFileId: fileId }))
      .execute();
    expect((await owner.api.offers.get(offerRef)).worker.photoPath).toEqual(expect.any(String));
    await worker.api.applications.withdraw({ applicationId });
    expect((await owner.api.offers.get(offerRef)).worker).toMatchObject({ photoPath: null });
    expect((await worker.api.offers.get(offerRef)).worker.photoPath).toEqual(expect.any(String));
  });
});

describe('offers.accept', () => {
  it('takes the spot and books the work in one transaction; a repeat is a no-op', async () => {
    const { job, worker, applicationId, offer, offerRef } = await offered({ headCount: 1 });
    const rival = await applied(job, 'Sam Okafor');
    const accepted = await worker.api.offers.accept(offerRef);
    expect(accepted).toMatchObject({
      status: 'accepted',
      engagementId: expect.any(String),
      actions: [],
      steps: [{ action: 'send' }, { action: 'accept', by: 'worker' }],
    });
    expect(await spotsOf(job.id)).toEqual({ status: 'filled', hiredCount: 1, offeredCount: 0 });
    expect((await worker.api.applications.get({ applicationId })).status).toBe('hired');
    expect(await topicsOf(owner)).toContain('offer-accepted');
    expect(await topicsOf(worker)).toContain('offer-accepted');
    expect(await worker.api.offers.accept(offerRef)).toEqual(accepted);
    expect(await worker.api.offers.accept({ ...offerRef, version: 99 })).toEqual(accepted);
    expect(await spotsOf(job.id)).toMatchObject({ hiredCount: 1 });
    const engagements = await app.db
      .selectFrom('engagements')
      .select('id')
      .where('offerId', '=', offer.id)
      .execute();
    expect(engagements).toEqual([{ id: accepted.engagementId }]);
    await app.runDue();
    const { applicationId: rivalId } = rival;
    expect((await rival.worker.api.applications.get({ applicationId: rivalId })).status).toBe(
      'position_filled',
    );
    const moves = await app.db
      .selectFrom('job_moves')
      .select(['action', 'actor'])
      .where('jobId', '=', job.id)
      .orderBy('at')
      .orderBy('id')
      .execute();
    expect(moves.at(-1)).toEqual({ action: 'fill', actor: 'timer' });
  });

  it('ends an upcoming interview without a cancellation and notifies both sides of the hire', async () => {
    const job = await newJob();
    const { worker, applicationId } = await applied(job);
    const slot = addMs(app.clock.now(), dayMs).toISOString();
    const proposal = { applicationId, mode: 'in_person' as const, slots: [slot] };
    const interview = await owner.api.interviews.propose(proposal);
    const offer = await makeOffer(app.db, app.scopeOf(owner), applicationId);
    expect((await owner.api.interviews.get({ interviewId: interview.id })).status).toBe('proposed');
    await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    const ended = await owner.api.interviews.get({ interviewId: interview.id });
    expect(ended).toMatchObject({ status: 'cancelled' });
    expect(ended.steps.at(-1)).toMatchObject({ action: 'cancel', by: 'timer' });
    expect(await topicsOf(worker)).not.toContain('interview-cancelled');
    const hired = await app.db
      .selectFrom('notifications')
      .select(['accountId', 'data'])
      .where('topic', '=', 'offer-accepted')
      .where('dedupeKey', '=', `offer-accepted/${offer.id}`)
      .execute();
    expect(hired.map(({ accountId }) => accountId)).toEqual(
      expect.arrayContaining([owner.accountId, worker.accountId]),
    );
    for (const { data } of hired) expect(data).toMatchObject({ variant: 'no-interview' });
  });

  it('allows only the worker of the offer', async () => {
    const { offerRef } = await offered();
    expect((await raw('POST', `/offers/${offerRef.offerId}/accept`, null, { version: 1 })).statusCode).toBe(
      401,
    );
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.offers.accept(offerRef))).toMatchObject({ status: 403 });
    expect(await failure(owner.api.offers.accept(offerRef))).toMatchObject({ code: 'offer/not-allowed' });
    expect(await failure((await app.person()).api.offers.accept(offerRef))).toMatchObject({
      code: 'offer/not-found',
    });
    expect(await failure(owner.api.offers.accept({ ...offerRef, offerId: nowhere }))).toMatchObject({
      status: 404,
    });
  });

  it('rejects work while the worker is booked and writes nothing', async () => {
    const { job, worker, applicationId, offerRef } = await offered();
    const other = await newJob();
    const { id } = await makeApplication(app.db, app.scopeOf(worker), other.id);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, id);
    expect(await failure(worker.api.offers.accept(offerRef))).toMatchObject({
      status: 409,
      code: 'engagement/overlap',
      data: { title: other.title, startsAt: other.startsAt, endsAt: other.endsAt },
    });
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 1 });
    expect((await worker.api.applications.get({ applicationId })).status).toBe('offered');
    expect((await worker.api.offers.get({ offerId: offerRef.offerId })).version).toBe(1);
  });
});

describe('offers.decline', () => {
  it('frees the spot and notifies the business with the reason', async () => {
    const { job, worker, applicationId, offerRef } = await offered();
    expect((await raw('POST', `/offers/${offerRef.offerId}/decline`, null, { version: 1 })).statusCode).toBe(
      401,
    );
    expect(await failure(owner.api.offers.decline(offerRef))).toMatchObject({ code: 'offer/not-allowed' });
    expect(await failure((await app.person()).api.offers.decline(offerRef))).toMatchObject({ status: 404 });
    const declined = await worker.api.offers.decline({ ...offerRef, reason: 'Found other work' });
    expect(declined).toMatchObject({ status: 'declined', reason: 'Found other work', actions: [] });
    expect(await spotsOf(job.id)).toMatchObject({ offeredCount: 0 });
    expect((await owner.api.notifications.list({ limit: 100 })).items).toContainEqual(
      expect.objectContaining({
        topic: 'offer-declined',
        data: expect.objectContaining({ reason: 'Found other work', side: 'business' }),
        path: `/job-applicants/${job.id}?applicant=${applicationId}`,
      }),
    );
    expect(await worker.api.offers.decline(offerRef)).toEqual(declined);
    expect(await failure(worker.api.offers.accept({ ...offerRef, version: declined.version }))).toMatchObject(
      {
        status: 409,
        code: 'offer/wrong-state',
        data: { status: 'declined' },
      },
    );
    await app.runDue();
    expect(await spotsOf(job.id)).toMatchObject({ offeredCount: 0 });
  });
});

describe('offers.withdraw', () => {
  it('withdraws an offer; a later action explains what happened', async () => {
    const { job, worker, offerRef } = await offered();
    const nadia = await member('recruiter', 'Nadia Brandt');
    expect((await raw('POST', `/offers/${offerRef.offerId}/withdraw`, null, { version: 1 })).statusCode).toBe(
      401,
    );
    expect(await failure(worker.api.offers.withdraw(offerRef))).toMatchObject({ code: 'offer/not-allowed' });
    expect(await failure((await member('finance')).api.offers.withdraw(offerRef))).toMatchObject({
      code: 'offer/not-allowed',
    });
    const withdrawn = await nadia.api.offers.withdraw({ ...offerRef, reason: 'The event is off' });
    expect(withdrawn).toMatchObject({ status: 'withdrawn', steps: [{}, { reason: 'The event is off' }] });
    expect(await owner.api.offers.withdraw(offerRef)).toMatchObject({ status: 'withdrawn', version: 2 });
    expect(await topicsOf(worker)).toContain('offer-withdrawn');
    expect(await failure(worker.api.offers.accept(offerRef))).toMatchObject({
      status: 409,
      code: 'offer/stale',
      data: { status: 'withdrawn', by: 'Hotel Brouwers' },
    });
    expect(await spotsOf(job.id)).toMatchObject({ offeredCount: 0 });
  });

  it('tells the second manager that the worker was faster', async () => {
    const { worker, offerRef } = await offered();
    await worker.api.offers.accept(offerRef);
    expect(await failure(owner.api.offers.withdraw(offerRef))).toMatchObject({
      status: 409,
      code: 'offer/stale',
      data: { status: 'accepted' },
    });
  });
});
