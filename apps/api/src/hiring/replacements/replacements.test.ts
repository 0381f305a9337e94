import { addMs, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { everyChangeIsEmitted } from '../../../test/signal-watch.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeSanction } from '../../trust/sanctions/sanctions.fixtures.ts';
import { liftSanction } from '../../trust/sanctions/sanctions.ts';
import { hireFor } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { openReviewedJob } from '../jobs/job-lifecycle.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
everyChangeIsEmitted(app);

let owner: Person;
let worker: Person;
let noor: Person;
let businessId: string;
let poolId: string;

beforeEach(async () => {
  owner = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  poolId = (await owner.api.pools.create({ businessId, name: 'Regulars' })).id;
  worker = await app.person({ name: 'Leila Haddad' });
  noor = await regular('Noor Bakker');
});

/** Someone who applied to the business before. */
async function known(name: string): Promise<Person> {
  const person = await app.person({ name });
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, { title: 'Earlier work', kind: 'task' });
  await makeApplication(app.db, app.scopeOf(person), job.id);
  return person;
}

/** Someone whom the business keeps in its pool. */
async function regular(name: string): Promise<Person> {
  const person = await known(name);
  await owner.api.pools.add({ poolId, workerIds: [person.accountId] });
  return person;
}

async function book(change: Parameters<typeof makeJob>[3] = {}) {
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 1, ...change });
  return hireFor(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) }, job.id);
}

/** Someone who worked a shift there a week ago. */
async function colleagueOf(person: Person): Promise<string> {
  const past = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 1, title: 'Last week' });
  const sides = { worker: app.scopeOf(person), recruiter: app.scopeOf(owner) };
  const done = await hireFor(app.db, sides, past.id);
  await sql`update engagements set status = 'completed', starts_at = starts_at - interval '7 days',
    ends_at = ends_at - interval '7 days' where id = ${done.id}`.execute(app.db);
  return done.id;
}

async function cancelled(change: Parameters<typeof makeJob>[3] = {}) {
  const work = await book(change);
  const { version } = await worker.api.engagements.get({ engagementId: work.id });
  return worker.api.engagements.cancel({ engagementId: work.id, version, reason: 'Ill' });
}

async function noShow() {
  const work = await book();
  app.clock.set(addMs(new Date(work.terms.startsAt ?? ''), hourMs + minuteMs));
  const { version } = await owner.api.engagements.get({ engagementId: work.id });
  return owner.api.engagements.reportNoShow({ engagementId: work.id, version });
}

const statusOf = async (jobId: string) => (await owner.api.jobs.get({ jobId })).status;
const searchOf = async (engagementId: string) =>
  (await owner.api.replacements.list({ businessId })).items.find(
    (item) => item.engagementId === engagementId,
  );

async function holds() {
  const { rows } = await sql<{ jobId: string; minor: number }>`
    select job_id as "jobId", sum(amount)::int as minor from holds join ledger_postings
      on split_part(account_id, ':', 2) = holds.id::text
    where business_id = ${businessId} group by job_id`.execute(app.db);
  return rows;
}

describe('replacements.find', () => {
  it('asks the pool first, hides the spot from others, and books the worker who is hired', async () => {
    const { id: engagementId, jobId } = await cancelled();
    expect(await statusOf(jobId)).toBe('open');
    const search = await owner.api.replacements.find({ engagementId });
    expect(search).toMatchObject({
      jobId,
      state: 'looking',
      invitedCount: 1,
      answerCount: 0,
      giveawayId: null,
    });
    expect(search.publicAt).toBe(addMs(app.clock.now(), hourMs).toISOString());
    expect(await owner.api.replacements.find({ engagementId })).toEqual(search);
    const stranger = await app.person({ name: 'Sam Okafor' });
    expect(await failure(stranger.api.jobs.get({ jobId }))).toMatchObject({ code: 'job/not-found' });
    expect(await failure(stranger.api.applications.submit({ jobId }))).toMatchObject({
      code: 'job/not-found',
    });
    expect((await noor.api.invitations.mine({})).items).toMatchObject([{ status: 'sent' }]);
    expect((await noor.api.jobs.get({ jobId })).actions).toEqual(['apply']);
    const application = await noor.api.applications.submit({ jobId });
    expect(await searchOf(engagementId)).toMatchObject({ invitedCount: 1, answerCount: 1, state: 'looking' });
    const offer = await owner.api.offers.make({ applicationId: application.id, message: '' });
    await noor.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await searchOf(engagementId)).toMatchObject({ state: 'found' });
    expect(await holds()).toEqual([{ jobId, minor: offer.terms.holdMinor }]);
    expect(await statusOf(jobId)).toBe('filled');
  });

  it('asks people who worked there next, and everyone after the time of the business', async () => {
    const ana = await app.person({ name: 'Ana Costa' });
    await colleagueOf(ana);
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId, publicAfterMinutes: 120 });
    expect((await ana.api.invitations.mine({})).items).toHaveLength(0);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect((await ana.api.invitations.mine({})).items).toHaveLength(1);
    expect(await statusOf(jobId)).toBe('paused');
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect(await statusOf(jobId)).toBe('open');
    expect(await searchOf(engagementId)).toMatchObject({ publicAt: null, invitedCount: 2, state: 'looking' });
    const { id } = await cancelled({ title: 'Next one' });
    const again = await owner.api.replacements.find({ engagementId: id });
    expect(again.publicAt).toBe(addMs(app.clock.now(), 2 * hourMs).toISOString());
  });

  it('is open to everyone at once without anyone to ask, or if the business says so', async () => {
    const { id: engagementId, jobId } = await cancelled();
    const now = await owner.api.replacements.find({ engagementId, publicAfterMinutes: 0 });
    expect(now).toMatchObject({ invitedCount: 1, publicAt: null });
    expect(await statusOf(jobId)).toBe('open');
    await owner.api.pools.remove({ poolId, workerId: noor.accountId });
    const unwanted = await cancelled({ title: 'Nobody' });
    expect(
      await owner.api.replacements.find({ engagementId: unwanted.id, publicAfterMinutes: 60 }),
    ).toMatchObject({
      invitedCount: 0,
      publicAt: null,
    });
    expect(await statusOf(unwanted.jobId)).toBe('open');
  });

  it('offers the spot to the waitlist before anyone is invited', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 1 });
    const waiting = await app.person({ name: 'Wim de Wit' });
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(waiting), job.id);
    const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const { id: engagementId } = await hireFor(app.db, sides, job.id);
    app.clock.forward({ minutes: 10 });
    await app.runDue();
    await waiting.api.waitlist.join({ applicationId });
    const { version } = await worker.api.engagements.get({ engagementId });
    await worker.api.engagements.cancel({ engagementId, version, reason: 'Ill' });
    const search = await owner.api.replacements.find({ engagementId });
    expect(search).toMatchObject({ state: 'looking', invitedCount: 2 });
    expect((await waiting.api.offers.mine({})).items).toMatchObject([{ status: 'sent', source: 'waitlist' }]);
  });

  it('frees a spot to everyone once the hiding is over, though its first search ended with a hire', async () => {
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    const application = await noor.api.applications.submit({ jobId });
    const offer = await owner.api.offers.make({ applicationId: application.id, message: '' });
    await noor.api.offers.accept({ offerId: offer.id, version: offer.version });
    app.clock.forward({ hours: 2 });
    await app.runDue();
    expect(await statusOf(jobId)).toBe('filled');
    const [work] = (await noor.api.engagements.mine({})).items;
    await noor.api.engagements.cancel({
      engagementId: work?.id ?? '',
      version: (await noor.api.engagements.get({ engagementId: work?.id ?? '' })).version,
      reason: 'Ill',
    });
    expect(await statusOf(jobId)).toBe('open');
    expect(await searchOf(engagementId)).toMatchObject({ state: 'looking', publicAt: null });
  });

  it('leaves a job closed to everyone that a recruiter reopened and then paused', async () => {
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    await owner.api.jobs.reopen({ jobId });
    expect(await searchOf(engagementId)).toMatchObject({ publicAt: null });
    await owner.api.jobs.pause({ jobId });
    expect(await failure(noor.api.jobs.get({ jobId }))).toMatchObject({ code: 'job/not-found' });
    app.clock.forward({ hours: 2 });
    await app.runDue();
    expect(await statusOf(jobId)).toBe('paused');
    app.clock.set(new Date((await owner.api.jobs.get({ jobId })).startsAt ?? ''));
    await app.runDue();
    expect(await searchOf(engagementId)).toMatchObject({ state: 'ended' });
    expect((await owner.api.notifications.list({})).items[0]).toMatchObject({
      topic: 'job-expired',
      data: { variant: 'unreplaced' },
    });
  });

  it('opens the job as the timer, not as a business', async () => {
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    app.clock.forward({ hours: 1 });
    await app.runDue();
    const moves = await app.db
      .selectFrom('job_moves')
      .select(['actor', 'action', 'toStatus'])
      .where('jobId', '=', jobId)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(moves).toEqual([{ actor: 'timer', action: 'show', toStatus: 'open' }]);
  });

  it('counts who was asked, whatever is written to the booking later', async () => {
    const { id: engagementId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    await sql`update engagements set updated_at = ${addMs(app.clock.now(), minuteMs)}
      where id = ${engagementId}`.execute(app.db);
    expect(await searchOf(engagementId)).toMatchObject({ invitedCount: 1 });
  });

  it('tells a stranger nothing about the business', async () => {
    const { id: engagementId } = await cancelled();
    await sql`update businesses set status = 'suspended' where id = ${businessId}`.execute(app.db);
    expect(await failure(noor.api.replacements.find({ engagementId }))).toMatchObject({
      code: 'engagement/not-found',
    });
  });

  it('posts the rest of a started shift once, for one person', async () => {
    const { id: engagementId } = await noShow();
    const { jobId } = await owner.api.replacements.find({ engagementId });
    const application = await noor.api.applications.submit({ jobId });
    const offer = await owner.api.offers.make({ applicationId: application.id, message: '' });
    await noor.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await owner.api.replacements.find({ engagementId })).toMatchObject({ jobId, state: 'found' });
  });

  it('keeps a job hidden after its review, screens it, and opens it then', async () => {
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    const description = 'Serve drinks. A registration fee of €25 secures your place.';
    await sql`update jobs set description = ${description} where id = ${jobId}`.execute(app.db);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect(await statusOf(jobId)).toBe('in_review');
    const operator = app.scopeOf(await app.person());
    await app.db.transaction().execute((tx) => openReviewedJob(tx, operator, jobId, { hidden: false }));
    expect(await statusOf(jobId)).toBe('paused');
    await sql`update jobs set description = 'Serve drinks.' where id = ${jobId}`.execute(app.db);
    await app.runDue();
    expect(await statusOf(jobId)).toBe('open');
  });

  it('stops while the business is suspended, and goes on once it may hire again', async () => {
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    const operator = app.scopeOf(await app.person());
    const { id: sanctionId } = await makeSanction(app.db, operator, {
      target: { kind: 'business', id: businessId },
      measure: 'suspension',
      scope: 'hiring',
    });
    await app.runDue();
    app.clock.forward({ hours: 2 });
    await app.runDue();
    const { rows } = await sql`select from graphile_worker.jobs
      where key = ${`replacements.ask-on/${engagementId}`}`.execute(app.db);
    expect(rows).toEqual([]);
    expect(await statusOf(jobId)).toBe('suspended');
    await app.db
      .transaction()
      .execute((tx) => liftSanction(tx, operator, { sanctionId, reason: 'It was another business.' }));
    await app.runDue();
    expect(await statusOf(jobId)).toBe('open');
  });

  it("counts a hidden spot among an unverified business's open jobs", async () => {
    const { id: engagementId, jobId } = await cancelled();
    await owner.api.replacements.find({ engagementId });
    await sql`update businesses set status = 'draft' where id = ${businessId}`.execute(app.db);
    const draft = () => makeJob(app.db, app.scopeOf(owner), businessId, { status: 'draft' });
    const drafts = [await draft(), await draft()];
    const publish = (at: number) => owner.api.jobs.publish({ jobId: drafts[at]?.id ?? '' });
    // With the job of the regular's earlier work, that makes three open jobs.
    await publish(0);
    expect(await failure(publish(1))).toMatchObject({ code: 'job/open-limit', data: { limit: 3 } });
    expect(await owner.api.jobs.reopen({ jobId })).toMatchObject({ status: 'open' });
    await owner.api.jobs.pause({ jobId });
    await publish(1);
    expect(await failure(owner.api.jobs.reopen({ jobId }))).toMatchObject({ code: 'job/open-limit' });
  });

  it('invites in the name of a recruiter who may hire', async () => {
    const ana = await app.person({ name: 'Ana Costa' });
    await colleagueOf(ana);
    const { id: engagementId, jobId } = await cancelled();
    const colleague = await app.person({ name: 'Marco Rossi' });
    await makeMember(app.db, app.clock, businessId, colleague.accountId, 'recruiter');
    await owner.api.replacements.find({ engagementId });
    await makeSanction(app.db, app.scopeOf(await app.person()), {
      target: { kind: 'account', id: owner.accountId },
      measure: 'suspension',
      scope: 'hiring',
    });
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    const { rows } = await sql<{ by: string }>`select invited_by as by from job_invitations
      where job_id = ${jobId} and worker_id = ${ana.accountId}`.execute(app.db);
    expect(rows).toEqual([{ by: colleague.accountId }]);
  });

  it('posts the rest of a shift after a no-show, whose money stays as it is until the report is final', async () => {
    const { id: engagementId, jobId, terms } = await noShow();
    const before = await holds();
    const search = await owner.api.replacements.find({ engagementId });
    expect(search.jobId).not.toBe(jobId);
    const rest = await owner.api.jobs.get({ jobId: search.jobId });
    expect(rest).toMatchObject({ endsAt: terms.endsAt, headCount: 1, instantHire: false });
    const startMs = Date.parse(rest.startsAt ?? '');
    expect(startMs).toBeGreaterThanOrEqual(app.clock.now().getTime() + 30 * minuteMs);
    expect(startMs % (15 * minuteMs)).toBe(0);
    expect(await holds()).toEqual(before);
    const application = await noor.api.applications.submit({ jobId: search.jobId });
    const offer = await owner.api.offers.make({ applicationId: application.id, message: '' });
    await noor.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await searchOf(engagementId)).toMatchObject({ state: 'found' });
    expect(await holds()).toHaveLength(2);
    app.clock.forward({ hours: 25 });
    await app.runDue();
    expect((await holds()).filter(({ minor }) => minor > 0)).toEqual([
      { jobId: search.jobId, minor: offer.terms.holdMinor },
    ]);
  });

  it('has invited nobody while the rest of a shift is in review, and begins no second search', async () => {
    const { id: engagementId } = await noShow();
    const posted = await owner.api.replacements.find({ engagementId });
    await sql`update jobs set status = 'in_review' where id = ${posted.jobId}`.execute(app.db);
    const search = await searchOf(engagementId);
    expect(search).toMatchObject({ state: 'in_review', jobId: posted.jobId });
    expect(await owner.api.replacements.find({ engagementId })).toEqual(search);
  });

  it('refuses booked work, a shift that is nearly over, and people without the right', async () => {
    const work = await book();
    const input = { engagementId: work.id };
    expect(await failure(owner.api.replacements.find(input))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
    expect(await failure(noor.api.replacements.find(input))).toMatchObject({ status: 404 });
    expect(await failure(worker.api.replacements.find(input))).toMatchObject({
      code: 'engagement/not-allowed',
    });
    const finance = await app.person({ name: 'Fee Nance' });
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    expect(await failure(finance.api.replacements.find(input))).toMatchObject({ status: 403 });
    expect(await failure(owner.api.replacements.find({ ...input, publicAfterMinutes: 4_321 }))).toMatchObject(
      {
        status: 400,
        code: 'request/invalid',
      },
    );
    app.clock.set(addMs(new Date(work.terms.endsAt ?? ''), -hourMs));
    const { version } = await owner.api.engagements.get(input);
    await owner.api.engagements.reportNoShow({ ...input, version });
    expect(await failure(owner.api.replacements.find(input))).toMatchObject({
      status: 422,
      code: 'engagement/too-late',
    });
  });
});

describe('replacements.list', () => {
  it('has searches and shifts that are given away, for the recruiters of the business', async () => {
    const first = await cancelled();
    await owner.api.replacements.find({ engagementId: first.id });
    const work = await book({ title: 'Given away' });
    await worker.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    const { items } = await owner.api.replacements.list({ businessId });
    expect(items).toHaveLength(2);
    expect(items.find(({ engagementId }) => engagementId === work.id)).toMatchObject({
      giveawayId: expect.any(String),
      state: 'looking',
      invitedCount: null,
    });
    await noor.api.giveaways.take({
      giveawayId: items.find(({ giveawayId }) => giveawayId)?.giveawayId ?? '',
    });
    expect(await searchOf(work.id)).toMatchObject({ state: 'to_approve' });
    expect(await failure(noor.api.replacements.list({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
  });
});

/** Books `people` again for a hidden shift, whose freed spots are for the pools. */
async function crewOf(...people: Person[]): Promise<string> {
  const past = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 1 });
  const { jobId } = await owner.api.rebook.crew({
    jobId: past.id,
    workerIds: people.map(({ accountId }) => accountId),
    day: addMs(new Date(past.startsAt ?? ''), dayMs)
      .toISOString()
      .slice(0, 10),
    ifDeclined: 'pools',
  });
  return jobId;
}

async function decline(person: Person, jobId: string) {
  const [offer] = (await person.api.offers.mine({})).items.filter((item) => item.jobId === jobId);
  return person.api.offers.decline({ offerId: offer?.id ?? '', version: offer?.version ?? 0, reason: '' });
}

async function addSpot(jobId: string) {
  const { version, headCount } = await owner.api.jobs.get({ jobId });
  await owner.api.jobs.update({ jobId, version, headCount: (headCount ?? 0) + 1 });
}

/** Applies for a hidden job as someone who could see it before. */
async function applyBeforeHiding(person: Person, jobId: string) {
  const setStatus = (status: string) => sql`update jobs set status = ${status} where id = ${jobId}`;
  await setStatus('open').execute(app.db);
  const application = await person.api.applications.submit({ jobId });
  await setStatus('paused').execute(app.db);
  return application.id;
}

const failingCard = async () =>
  (await makeCard(app.db, app.scopeOf(owner), businessId, testCards.declined)).id;

/** The people with offers for a job, and their status. */
async function offersOf(jobId: string) {
  const { rows } = await sql<{ name: string; status: string }>`
    select account.name, offer.status from offers offer join accounts account on account.id = offer.worker_id
    where offer.job_id = ${jobId} order by offer.created_at, offer.id`.execute(app.db);
  return rows.map(({ name, status }) => `${name}: ${status}`);
}

describe('a freed spot for the pools', () => {
  it('is not offered again to someone who withdraws', async () => {
    const leila = await known('Leila');
    const jobId = await crewOf(leila);
    await decline(leila, jobId);
    expect(await offersOf(jobId)).toEqual(['Leila: declined', 'Noor Bakker: sent']);
    const [application] = (await noor.api.applications.mine({})).items.filter(({ job }) => job.id === jobId);
    await noor.api.applications.withdraw({ applicationId: application?.id ?? '' });
    expect(await offersOf(jobId)).toEqual(['Leila: declined', 'Noor Bakker: declined']);
    expect(await statusOf(jobId)).toBe('open');
  });

  it('skips people who applied or have an unpaid offer, and lets the decliner decline', async () => {
    const leila = await known('Leila');
    const [sam, ana] = [await regular('Sam'), await regular('Ana')];
    const jobId = await crewOf(leila);
    await addSpot(jobId);
    // An added spot is the recruiter's own to offer.
    expect([await statusOf(jobId), await offersOf(jobId)]).toEqual(['paused', ['Leila: sent']]);
    const funding = { from: 'card', cardId: await failingCard() } as const;
    await owner.api.rebook.offer({ jobId, workerId: ana.accountId, funding });
    await applyBeforeHiding(sam, jobId);
    await decline(leila, jobId);
    expect(await offersOf(jobId)).toEqual(['Leila: declined', 'Ana: funding', 'Noor Bakker: sent']);
    await decline(noor, jobId);
    expect(await statusOf(jobId)).toBe('open');
  });

  it('skips someone whose no-show the business reported lately', async () => {
    const leila = await known('Leila');
    await sql`update engagements set status = 'no_show_reported', no_show_at = ${app.clock.now()}
      where id = ${await colleagueOf(noor)}`.execute(app.db);
    const jobId = await crewOf(leila);
    await decline(leila, jobId);
    expect(await offersOf(jobId)).toEqual(['Leila: declined']);
    expect(await statusOf(jobId)).toBe('open');
  });

  it('is not offered again to someone who leaves Nearhand', async () => {
    await owner.api.pools.remove({ poolId, workerId: noor.accountId });
    const leila = await known('Leila');
    const sam = await regular('Sam');
    // A decided application stays, so the business still knows who leaves.
    await sql`update applications set status = 'rejected' where worker_id = ${sam.accountId}`.execute(app.db);
    const jobId = await crewOf(leila);
    await addSpot(jobId);
    const applicationId = await applyBeforeHiding(sam, jobId);
    const funding = { from: 'card', cardId: await failingCard() } as const;
    await owner.api.offers.make({ applicationId, message: '', funding });
    await sam.api.accountDeletion.sendCode();
    await app.runDue();
    const code = app.mails.findLast(({ to }) => to === sam.email)?.text.match(/\d{6}/)?.[0] ?? '';
    await sam.api.accountDeletion.request({ code });
    expect(await offersOf(jobId)).toEqual(['Leila: sent', 'Sam: withdrawn']);
    expect(await statusOf(jobId)).toBe('open');
  });

  it('opens the job once the balance is short', async () => {
    const amountMinor = (await book()).terms.holdMinor;
    businessId = (await makeBusiness(app.db, app.scopeOf(owner), { funded: false })).id;
    poolId = (await owner.api.pools.create({ businessId, name: 'Regulars' })).id;
    const leila = await known('Leila');
    await regular('Sam');
    await regular('Ana');
    await fundBusiness(app.db, app.scopeOf(owner), businessId, { amountMinor });
    const jobId = await crewOf(leila);
    await addSpot(jobId);
    await decline(leila, jobId);
    expect(await offersOf(jobId)).toEqual(['Leila: declined', expect.stringMatching(/^(Sam|Ana): sent$/)]);
    expect(await statusOf(jobId)).toBe('open');
  });

  it('looks for the pools among everyone, not among the latest 50', async () => {
    const done = await colleagueOf(worker);
    // 50 others worked there since, and the person of the pool has not.
    await sql`with people as (
        insert into accounts (id, name, email, email_verified)
        select gen_random_uuid(), 'Colleague', 'colleague' || n || '@example.test', true from generate_series(1, 50) n
        returning id as worker_id, gen_random_uuid() as application_id, gen_random_uuid() as offer_id),
      applied as (insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
        select people.application_id, job_id, business_id, people.worker_id, 'hired', created_at, created_at, created_at
        from people, engagements where id = ${done}),
      offered as (insert into offers (id, application_id, job_id, business_id, worker_id, status, source, terms, funding,
          expires_at, created_at, updated_at)
        select people.offer_id, people.application_id, job_id, business_id, people.worker_id, 'accepted', 'business', terms,
          'funded', created_at, created_at, created_at from people, engagements where id = ${done})
      insert into engagements (id, offer_id, application_id, job_id, business_id, worker_id, kind, status, terms, funding,
        starts_at, ends_at, work_ends_at, amount_minor, created_at, updated_at)
      select gen_random_uuid(), people.offer_id, people.application_id, job_id, business_id, people.worker_id, kind, status,
        terms, funding, starts_at, ends_at, work_ends_at, amount_minor, created_at, updated_at
      from people, engagements where id = ${done}`.execute(app.db);
    await sql`update pool_workers set added_at = added_at - interval '90 days'`.execute(app.db);
    const leila = await known('Leila');
    const jobId = await crewOf(leila);
    await decline(leila, jobId);
    expect(await offersOf(jobId)).toEqual(['Leila: declined', 'Noor Bakker: sent']);
    const { id: engagementId } = await cancelled({ title: 'Nobody yet' });
    await owner.api.replacements.find({ engagementId });
    expect((await noor.api.invitations.mine({})).items).toMatchObject([{ status: 'sent' }]);
  });
});
