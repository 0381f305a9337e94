import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { hireFor } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000', WRITES_PER_MINUTE: '100000' });
const cast = useHiring(app);
const { hirer, fund, balance, expectSoundLedger } = cast;
const newJob = (options: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, hirer(), cast.business.id, { headCount: 1, ...options });
let earlier: string;

async function knownWorker(name = 'Leila Haddad') {
  const worker = await app.person({ name });
  await makeApplication(app.db, app.scopeOf(worker), earlier);
  return { worker, workerId: worker.accountId };
}
const api = () => cast.nadia.api;
const topics = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items.map(({ topic }) => topic);
const mine = async (person: Person, jobId: string) =>
  (await person.api.applications.mine({ limit: 100 })).items.find(({ job }) => job.id === jobId);
const spots = (jobId: string) =>
  app.db
    .selectFrom('jobs')
    .select(['hiredCount', 'offeredCount', 'status'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
const card = async (number: string = testCards.pays) =>
  (await makeCard(app.db, hirer(), cast.business.id, number)).id;
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;

beforeEach(async () => {
  earlier = (await newJob({ title: 'An earlier job', headCount: 100 })).id;
});

describe('rebook.candidates', () => {
  it('lists saved workers first, with what speaks against an offer, and leaves out who is hired', async () => {
    await fund(100_000);
    const { worker: leila, workerId: leilaId } = await knownWorker();
    const { workerId: omarId } = await knownWorker('Omar Said');
    const { workerId: noorId } = await knownWorker('Noor Bakker');
    const { worker: hired, workerId: hiredId } = await knownWorker('Hired Here');
    await api().pools.create({ businessId: cast.business.id, name: 'Bar', workerIds: [noorId] });
    const times = { startsAt: '2027-03-09T08:00:00Z', endsAt: '2027-03-09T14:00:00Z' };
    const overlapping = await newJob({ title: 'Overlaps', ...times });
    const offer = await api().rebook.offer({ jobId: overlapping.id, workerId: leilaId });
    await leila.api.offers.accept({ offerId: offer.id, version: offer.version });
    const job = await newJob({ headCount: 3, ...times });
    await api().rebook.offer({ jobId: job.id, workerId: omarId });
    const hiredOffer = await api().rebook.offer({ jobId: job.id, workerId: hiredId });
    await hired.api.offers.accept({ offerId: hiredOffer.id, version: hiredOffer.version });
    await leila.api.profiles.save({ weekHoursMax: 10 });
    const list = await api().rebook.candidates({ jobId: job.id });
    const of = (workerId: string) => list.find(({ worker }) => worker.workerId === workerId);
    expect(list[0]).toMatchObject({
      worker: { workerId: noorId },
      pools: ['Bar'],
      isBooked: false,
      refusal: null,
    });
    expect(of(leilaId)).toMatchObject({ isBooked: true, weekMinutes: 360, weekHoursMax: 10, refusal: null });
    expect(of(leilaId)?.match.map(({ kind }) => kind)).toContain('skills');
    expect(of(omarId)).toMatchObject({ refusal: 'offered', isBooked: false });
    expect(of(hiredId)).toBeUndefined();
    const task = await newJob({ kind: 'task' });
    const candidates = await api().rebook.candidates({ jobId: task.id });
    expect(candidates.find(({ worker }) => worker.workerId === leilaId)).toMatchObject({ isBooked: false });
    await app.db
      .updateTable('engagements')
      .set({ status: 'no_show_reported', noShowAt: app.clock.now() })
      .where('workerId', '=', leilaId)
      .execute();
    const missedAt = async () =>
      (await api().rebook.candidates({ jobId: task.id })).find(({ worker }) => worker.workerId === leilaId)
        ?.missedAt;
    expect(await missedAt()).toBe(new Date(times.startsAt).toISOString());
    const copied = await api().rebook.candidates({ jobId: overlapping.id, day: '2027-03-10' });
    expect(copied.find(({ worker }) => worker.workerId === leilaId)).toMatchObject({
      isBooked: false,
      missedAt: new Date(times.startsAt).toISOString(),
      refusal: null,
    });
    const sameDay = await api().rebook.candidates({ jobId: overlapping.id, day: '2027-03-09' });
    expect(sameDay.find(({ worker }) => worker.workerId === hiredId)).toMatchObject({ isBooked: true });
    expect(await codeOf(api().rebook.candidates({ jobId: task.id, day: '2027-03-10' }))).toBe(
      'job/cannot-repeat',
    );
    app.clock.forward({ days: 91 });
    expect(await missedAt()).toBeNull();
  });

  it('lists who worked here before many newer applicants, and answers about a crew', async () => {
    await fund(100_000);
    const { worker: regular, workerId: regularId } = await knownWorker('Ria Regular');
    const { workerId: earlyId } = await knownWorker('Early Applicant');
    const shift = await newJob({ title: 'Worked' });
    await hireFor(app.db, { worker: app.scopeOf(regular), recruiter: hirer() }, shift.id);
    await app.db
      .updateTable('engagements')
      .set({ status: 'completed', approvedAt: app.clock.now() })
      .where('workerId', '=', regularId)
      .execute();
    await sql`with worker as (
        insert into accounts (id, name, email, email_verified)
        select gen_random_uuid(), 'Many ' || n, 'many' || n || '@rebook.example', true from generate_series(1, 160) n returning id)
      insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
      select gen_random_uuid(), ${earlier}, ${cast.business.id}, id, 'viewed', later, later, later
      from worker, (select ${addMs(app.clock.now(), hourMs)}::timestamptz as later) time`.execute(app.db);
    const job = await newJob();
    const list = await api().rebook.candidates({ jobId: job.id });
    expect([list.length, list[0]?.worker.workerId, list[0]?.timesWorked]).toEqual([100, regularId, 1]);
    expect(list.some(({ worker }) => worker.workerId === earlyId)).toBe(false);
    const crew = { jobId: job.id, workerIds: [regularId, earlyId].join(',') };
    const crewIds = (await api().rebook.candidates(crew)).map(({ worker }) => worker.workerId);
    expect(crewIds.toSorted()).toEqual([regularId, earlyId].toSorted());
    const stranger = await app.person();
    expect(await api().rebook.candidates({ ...crew, workerIds: stranger.accountId })).toEqual([]);
  });

  it('is for recruiters, each in their branches and without pools', async () => {
    const job = await newJob();
    const { worker, workerId } = await knownWorker();
    await api().pools.create({ businessId: cast.business.id, name: 'Kitchen', workerIds: [workerId] });
    const stranger = await app.person();
    expect(await codeOf(stranger.api.rebook.candidates({ jobId: job.id }))).toBe('job/not-allowed');
    const branch = await makeBranch(app.db, hirer(), cast.business.id);
    const there = await newJob({ branchId: branch.id });
    const joris = await app.person();
    await makeMember(app.db, app.clock, cast.business.id, joris.accountId, 'recruiter', [branch.id]);
    for (const workerIds of [undefined, workerId])
      expect(await joris.api.rebook.candidates({ jobId: there.id, workerIds })).toEqual([]);
    await makeApplication(app.db, app.scopeOf(worker), there.id);
    for (const workerIds of [undefined, workerId])
      expect(await joris.api.rebook.candidates({ jobId: there.id, workerIds })).toHaveLength(1);
    expect(await codeOf(joris.api.rebook.candidates({ jobId: job.id }))).toBe('job/not-allowed');
    await api().jobs.close({ jobId: job.id });
    expect(await codeOf(api().rebook.candidates({ jobId: job.id }))).toBe('job/wrong-state');
  });
});

describe('rebook.offer', () => {
  it("offers the job to someone who hasn't applied, with one record from offer to hire", async () => {
    await fund(40_000);
    const { worker, workerId } = await knownWorker();
    const job = await newJob();
    const before = await balance();
    const offer = await api().rebook.offer({ jobId: job.id, workerId, message: 'Same team as last time' });
    expect(offer).toMatchObject({ status: 'sent', source: 'rebook', funding: 'funded', side: 'business' });
    expect(await balance()).toBe(before - offer.terms.holdMinor);
    expect(await spots(job.id)).toMatchObject({ offeredCount: 1 });
    expect(await topics(worker)).toContain('offer-rebooked');
    expect(await topics(worker)).not.toContain('offer-received');

    const application = await mine(worker, job.id);
    expect(application).toMatchObject({
      id: offer.applicationId,
      status: 'offered',
      origin: 'rebook',
      steps: [{ status: 'offered' }],
      actions: ['withdraw'],
    });
    expect(await api().applicants.get({ applicationId: offer.applicationId ?? '' })).toMatchObject({
      origin: 'rebook',
      stage: 'offered',
    });
    const { items } = await worker.api.conversations.list({});
    expect(items.some((item) => item.job.id === job.id)).toBe(true);
    const accepted = await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(accepted.engagementId).not.toBeNull();
    expect(await spots(job.id)).toMatchObject({ hiredCount: 1, offeredCount: 0, status: 'filled' });
    expect((await mine(worker, job.id))?.status).toBe('hired');
    await expectSoundLedger();
  });

  it("notifies the business of a decline, refunds it and doesn't repeat the offer", async () => {
    await fund(20_000);
    const { worker, workerId } = await knownWorker();
    const job = await newJob();
    const before = await balance();
    const offer = await api().rebook.offer({ jobId: job.id, workerId });
    await worker.api.offers.decline({ offerId: offer.id, version: offer.version, reason: 'On holiday' });
    expect(await topics(cast.nadia)).toContain('offer-declined');
    expect(await balance()).toBe(before);
    expect(await spots(job.id)).toMatchObject({ offeredCount: 0, status: 'open' });
    expect(await failure(api().rebook.offer({ jobId: job.id, workerId }))).toMatchObject({
      status: 409,
      code: 'application/wrong-state',
      data: { status: 'offer_declined' },
    });
    await expectSoundLedger();
  });

  it('expires after 48 hours like any other offer', async () => {
    await fund(20_000);
    const { worker, workerId } = await knownWorker();
    const job = await newJob({
      startsAt: addMs(app.clock.now(), 9 * dayMs).toISOString(),
      endsAt: addMs(app.clock.now(), 9 * dayMs + 4 * hourMs).toISOString(),
    });
    const offer = await api().rebook.offer({ jobId: job.id, workerId });
    expect(Date.parse(offer.expiresAt) - app.clock.now().getTime()).toBe(48 * hourMs);
    await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('offers').set({ expiresAt: app.clock.now() }).where('id', '=', offer.id).execute();
    });
    expect(await codeOf(worker.api.offers.accept({ offerId: offer.id, version: offer.version }))).toBe(
      'offer/expired',
    );
  });

  it('stays hidden from the worker until its card payment succeeds', async () => {
    const { worker, workerId } = await knownWorker();
    const job = await newJob();
    const funding = { from: 'card' as const, cardId: await card(testCards.declined) };
    const offer = await api().rebook.offer({ jobId: job.id, workerId, funding });
    expect(offer).toMatchObject({ status: 'funding', applicationId: null, source: 'rebook' });
    await app.runDue();
    const unseen = async () => {
      expect(await mine(worker, job.id)).toBeUndefined();
      expect(await codeOf(worker.api.offers.get({ offerId: offer.id }))).toBe('offer/not-found');
      expect((await worker.api.offers.mine({})).items).toEqual([]);
      expect((await worker.api.conversations.list({})).items.some((item) => item.job.id === job.id)).toBe(
        false,
      );
      expect(await topics(worker)).not.toContain('offer-rebooked');
    };
    await unseen();
    const { items } = await cast.nadia.api.notifications.list({ limit: 100 });
    expect(items.find(({ topic }) => topic === 'payment-failed')?.path).toBe(
      `/saved-workers?offer=${offer.id}`,
    );
    expect(await codeOf(api().rebook.offer({ jobId: job.id, workerId }))).toBe('application/wrong-state');
    app.clock.forward({ minutes: 16 });
    await app.runDue();
    expect((await api().offers.get({ offerId: offer.id })).status).toBe('expired');
    await unseen();
    expect(await spots(job.id)).toMatchObject({ offeredCount: 0 });
    await fund(20_000);
    expect(await api().rebook.offer({ jobId: job.id, workerId })).toMatchObject({ status: 'sent' });
    await expectSoundLedger();
  });

  it('is sent once its card charge succeeds', async () => {
    const { worker, workerId } = await knownWorker();
    const job = await newJob();
    const offer = await api().rebook.offer({
      jobId: job.id,
      workerId,
      funding: { from: 'card', cardId: await card() },
    });
    expect(offer.status).toBe('funding');
    await app.runDue();
    const sent = await worker.api.offers.get({ offerId: offer.id });
    expect(sent).toMatchObject({ status: 'sent', funding: 'funded' });
    expect(sent.applicationId).toBe((await mine(worker, job.id))?.id);
    expect((await topics(worker)).filter((topic) => topic === 'offer-rebooked')).toHaveLength(1);
    await expectSoundLedger();
  });

  it('attaches to the application of a worker who applied while it was unpaid', async () => {
    const { worker, workerId } = await knownWorker();
    const job = await newJob();
    const offer = await api().rebook.offer({
      jobId: job.id,
      workerId,
      funding: { from: 'card', cardId: await card() },
    });
    const own = await makeApplication(app.db, app.scopeOf(worker), job.id);
    await app.runDue();
    expect(await worker.api.offers.get({ offerId: offer.id })).toMatchObject({
      status: 'sent',
      applicationId: own.id,
    });
    expect(await mine(worker, job.id)).toMatchObject({ id: own.id, status: 'offered', origin: 'applied' });
    await expectSoundLedger();
  });

  it('uses an existing application and accepts a pending invitation', async () => {
    await fund(60_000);
    const job = await newJob({ headCount: 2 });
    const applied = await knownWorker();
    const own = await makeApplication(app.db, app.scopeOf(applied.worker), job.id);
    expect(await api().rebook.offer({ jobId: job.id, workerId: applied.workerId })).toMatchObject({
      source: 'business',
      applicationId: own.id,
    });
    const invited = await knownWorker('Sam Okafor');
    await api().invitations.send({ jobId: job.id, workerId: invited.workerId });
    await api().rebook.offer({ jobId: job.id, workerId: invited.workerId });
    expect((await invited.worker.api.invitations.mine({})).items[0]?.status).toBe('applied');
  });

  it("requires workers with a history at the business who haven't blocked it", async () => {
    await fund(20_000);
    const job = await newJob();
    const stranger = await app.person();
    const to = (workerId: string) => api().rebook.offer({ jobId: job.id, workerId });
    expect(await failure(to(stranger.accountId))).toMatchObject({ status: 404, code: 'profile/not-found' });
    expect(await codeOf(to(crypto.randomUUID()))).toBe('profile/not-found');
    expect(await codeOf(to(cast.nadia.accountId))).toBe('profile/not-found');
    const { worker, workerId } = await knownWorker();
    const { id } = await makeConversation(app.db, app.scopeOf(worker), earlier);
    await worker.api.conversations.block({ conversationId: id, blocked: true });
    expect(await failure(to(workerId))).toMatchObject({ status: 409, code: 'worker/unreachable' });
    expect(await spots(job.id)).toMatchObject({ offeredCount: 0 });
  });

  it('requires a recruiter and a job that hires, within the terms', async () => {
    await fund(20_000);
    const { workerId } = await knownWorker();
    const job = await newJob();
    const finance = await app.person();
    await makeMember(app.db, app.clock, cast.business.id, finance.accountId, 'finance');
    expect(await codeOf(finance.api.rebook.offer({ jobId: job.id, workerId }))).toBe('job/not-allowed');
    const stranger = await app.person();
    expect(await codeOf(stranger.api.rebook.offer({ jobId: job.id, workerId }))).toBe('job/not-allowed');
    expect(await codeOf(api().rebook.offer({ jobId: job.id, workerId, payMinor: 1 }))).toBe(
      'offer/pay-below-job',
    );
    expect(await codeOf(api().rebook.offer({ jobId: '😀', workerId }))).toBe('request/invalid');
    const draft = await newJob({ status: 'draft' });
    expect(await codeOf(api().rebook.offer({ jobId: draft.id, workerId }))).toBe('job/wrong-state');
    const token = await signAccessToken(app.secret, app.clock, cast.nadia);
    const key = app.apiAs(token, { 'idempotency-key': crypto.randomUUID() });
    const first = await key.rebook.offer({ jobId: job.id, workerId });
    expect(await key.rebook.offer({ jobId: job.id, workerId })).toEqual(first);
    const secondWorker = await knownWorker('Sam Okafor');
    expect(await codeOf(api().rebook.offer({ jobId: job.id, workerId: secondWorker.workerId }))).toBe(
      'offer/no-spot',
    );
  });

  it("can't be accepted by a worker booked at that time", async () => {
    await fund(60_000);
    const { worker, workerId } = await knownWorker();
    const firstJob = await newJob();
    const secondJob = await newJob();
    const first = await api().rebook.offer({ jobId: firstJob.id, workerId });
    const second = await api().rebook.offer({ jobId: secondJob.id, workerId });
    await worker.api.offers.accept({ offerId: first.id, version: first.version });
    expect((await api().rebook.preview({ jobId: (await newJob()).id, workerId })).workerBooked).toBe(true);
    expect(await codeOf(worker.api.offers.accept({ offerId: second.id, version: second.version }))).toBe(
      'engagement/overlap',
    );
  });
});

describe('two recruiters at once', () => {
  it('rebook the last spot once, and never the same worker twice', async () => {
    await fund(200_000);
    const colleague = await app.person();
    await makeMember(app.db, app.clock, cast.business.id, colleague.accountId, 'recruiter');
    for (let round = 0; round < 4; round += 1) {
      const a = await knownWorker('Ada');
      const b = await knownWorker('Ben');
      const last = await newJob();
      const calls = await Promise.allSettled([
        api().rebook.offer({ jobId: last.id, workerId: a.workerId }),
        colleague.api.rebook.offer({ jobId: last.id, workerId: b.workerId }),
      ]);
      expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await spots(last.id)).toMatchObject({ offeredCount: 1 });
      const wide = await newJob({ headCount: 3 });
      const same = await Promise.allSettled([
        api().rebook.offer({ jobId: wide.id, workerId: a.workerId }),
        colleague.api.rebook.offer({ jobId: wide.id, workerId: a.workerId }),
        a.worker.api.applications.submit({ jobId: wide.id }),
      ]);
      expect(same.slice(0, 2).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await spots(wide.id)).toMatchObject({ offeredCount: 1 });
      const live = await app.db
        .selectFrom('applications')
        .select('status')
        .where('jobId', '=', wide.id)
        .execute();
      expect(live).toEqual([{ status: 'offered' }]);
    }
    await expectSoundLedger();
  });
});

describe('rebook.preview', () => {
  it('returns the terms and cost, and hides workers without a history there', async () => {
    const { workerId } = await knownWorker();
    const job = await newJob();
    expect(await api().rebook.preview({ jobId: job.id, workerId })).toMatchObject({
      spotsFree: 1,
      workerBooked: false,
      terms: { payMinor: 1_750 },
    });
    expect((await api().rebook.preview({ jobId: job.id, workerId, payMinor: 2_000 })).terms.payMinor).toBe(
      2_000,
    );
    const stranger = await app.person();
    expect(await codeOf(api().rebook.preview({ jobId: job.id, workerId: stranger.accountId }))).toBe(
      'profile/not-found',
    );
  });
});

describe('rebook.again', () => {
  const later = (days: number) => ({
    startsAt: addMs(app.clock.now(), days * dayMs).toISOString(),
    endsAt: addMs(app.clock.now(), days * dayMs + 4 * hourMs).toISOString(),
  });

  it('copies the job with new dates for one worker, hidden from others, and offers it', async () => {
    await fund(40_000);
    const { worker, workerId } = await knownWorker();
    const past = await newJob({ headCount: 3, title: 'Sunday brunch' });
    const times = later(6);
    const offer = await api().rebook.again({ jobId: past.id, workerId, ...times, payMinor: 1_800 });
    expect(offer).toMatchObject({
      status: 'sent',
      source: 'rebook',
      terms: { title: 'Sunday brunch', payMinor: 1_800, startsAt: times.startsAt },
    });
    expect(offer.jobId).not.toBe(past.id);
    expect(await worker.api.jobs.get({ jobId: offer.jobId })).toMatchObject({
      status: 'paused',
      headCount: 1,
    });
    const other = await app.person();
    expect(await codeOf(other.api.jobs.get({ jobId: offer.jobId }))).toBe('job/not-found');
    await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await spots(offer.jobId)).toMatchObject({ status: 'filled', hiredCount: 1 });
    await expectSoundLedger();
  });

  it("writes nothing when the offer can't be made", async () => {
    const { workerId } = await knownWorker();
    const past = await newJob();
    const count = async () => (await api().jobs.listed({ businessId: cast.business.id })).counts?.paused ?? 0;
    const before = await count();
    const funding = { from: 'balance' as const };
    const left = await balance();
    expect(left).toBeLessThan(1_000_000);
    expect(
      await codeOf(api().rebook.again({ jobId: past.id, workerId, ...later(3), payMinor: 900_000, funding })),
    ).toBe('payment/balance-short');
    expect(await codeOf(api().rebook.again({ jobId: past.id, workerId, funding }))).toBe('job/incomplete');
    expect(await codeOf(api().rebook.again({ jobId: past.id, workerId, ...later(-1), funding }))).toBe(
      'job/starts-in-past',
    );
    expect(await codeOf(api().rebook.again({ jobId: past.id, workerId, ...later(3), payMinor: 5 }))).toBe(
      'offer/pay-below-job',
    );
    expect(await count()).toBe(before);
  });
});

describe('rebook.unpaid', () => {
  it('lists unpaid direct offers for recruiters', async () => {
    const { workerId } = await knownWorker();
    const job = await newJob();
    const funding = { from: 'card' as const, cardId: await card(testCards.declined) };
    const offer = await api().rebook.offer({ jobId: job.id, workerId, funding });
    await app.runDue();
    const { businessId } = { businessId: cast.business.id };
    const list = await api().rebook.unpaid({ businessId });
    expect(list.find(({ id }) => id === offer.id)).toMatchObject({ hold: { status: 'authorising' } });
    await api().offers.withdraw({ offerId: offer.id, version: offer.version });
    expect((await api().rebook.unpaid({ businessId })).some(({ id }) => id === offer.id)).toBe(false);
    const stranger = await app.person();
    expect(await codeOf(stranger.api.rebook.unpaid({ businessId }))).toBe('business/not-found');
  });
});

describe('rebook.crew', () => {
  const dayLater = (job: { startsAt: string | null }, days: number) =>
    new Date(Date.parse(job.startsAt ?? '') + days * dayMs).toISOString().slice(0, 10);

  it('copies the shift for the crew, hidden from others, and offers it to all of them', async () => {
    await fund(200_000);
    const crew = [await knownWorker('Ada'), await knownWorker('Ben'), await knownWorker('Cleo')];
    const past = await newJob({ title: 'Saturday market', headCount: 5 });
    const before = await balance();
    const { jobId, offers, leftOut } = await api().rebook.crew({
      jobId: past.id,
      workerIds: crew.map(({ workerId }) => workerId),
      day: dayLater(past, 7),
      message: 'Same again?',
    });
    expect(leftOut).toEqual([]);
    expect(offers.map(({ status, source }) => [status, source])).toEqual(crew.map(() => ['sent', 'rebook']));
    expect(await balance()).toBe(before - sumOf(offers, ({ terms }) => terms.holdMinor));
    expect(await crew[0]?.worker.api.jobs.get({ jobId })).toMatchObject({
      title: 'Saturday market',
      status: 'paused',
      headCount: 3,
      startsAt: new Date(Date.parse(past.startsAt ?? '') + 7 * dayMs).toISOString(),
    });
    const [first] = offers;
    if (!first) throw new Error('no offer');
    await crew[0]?.worker.api.offers.accept({ offerId: first.id, version: first.version });
    expect(await spots(jobId)).toMatchObject({ hiredCount: 1, offeredCount: 2 });
    await expectSoundLedger();
  });

  it('skips unreachable workers and rejects an empty crew', async () => {
    await fund(200_000);
    const ada = await knownWorker('Ada');
    const ben = await knownWorker('Ben');
    const past = await newJob();
    const { id } = await makeConversation(app.db, app.scopeOf(ben.worker), earlier);
    await ben.worker.api.conversations.block({ conversationId: id, blocked: true });
    const to = { jobId: past.id, day: dayLater(past, 8) };
    const { jobId, offers, leftOut } = await api().rebook.crew({
      ...to,
      workerIds: [ben.workerId, ada.workerId],
    });
    expect(offers).toHaveLength(1);
    expect(leftOut).toEqual([{ workerId: ben.workerId, code: 'worker/unreachable' }]);
    expect((await api().jobs.get({ jobId })).headCount).toBe(1);
    expect(await failure(api().rebook.crew({ ...to, workerIds: [ben.workerId] }))).toMatchObject({
      status: 409,
      code: 'worker/unreachable',
    });
    await expectSoundLedger();
  });

  it('sends all offers or none', async () => {
    const crew = [await knownWorker('Ada'), await knownWorker('Ben')];
    const past = await newJob();
    await fund(12_000);
    const ask = { jobId: past.id, workerIds: crew.map(({ workerId }) => workerId), day: dayLater(past, 9) };
    const counts = async () => (await api().jobs.listed({ businessId: cast.business.id })).counts;
    const before = await counts();
    const from = { from: 'balance' } as const;
    expect(await codeOf(api().rebook.crew({ ...ask, funding: from }))).toBe('payment/balance-short');
    expect(await codeOf(api().rebook.crew({ ...ask, day: '2026-01-05' }))).toBe('job/starts-in-past');
    expect(await codeOf(api().rebook.crew({ ...ask, workerIds: [] }))).toBe('request/invalid');
    const [ada = ''] = ask.workerIds;
    expect(await codeOf(api().rebook.crew({ ...ask, workerIds: [ada, ada] }))).toBe('request/invalid');
    const task = await newJob({ kind: 'task' });
    expect(await codeOf(api().rebook.crew({ ...ask, jobId: task.id }))).toBe('job/cannot-repeat');
    const stranger = await app.person();
    expect(await codeOf(stranger.api.rebook.crew(ask))).toBe('job/not-allowed');
    await api().jobs.close({ jobId: task.id });
    expect(await counts()).toMatchObject({ open: before?.open });
    await expectSoundLedger();
  });
});
