import { addMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { everyChangeIsEmitted } from '../../../test/signal-watch.ts';
import { withdrawBeforeDeletion } from '../../account-removal.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { fillProfile } from '../../people/profiles/profiles.fixtures.ts';
import { evidenceAt, hireFor, makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
everyChangeIsEmitted(app);

let owner: Person;
let giver: Person;
let noor: Person;
let sam: Person;
let businessId: string;
let branchId: string;
let poolId: string;

beforeEach(async () => {
  owner = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  branchId = (await makeBranch(app.db, app.scopeOf(owner), businessId)).id;
  poolId = (await owner.api.pools.create({ businessId, name: 'Regulars' })).id;
  giver = await app.person({ name: 'Leila Haddad' });
  noor = await colleague('Noor Bakker');
  sam = await colleague('Sam Okafor');
});

/** Applies for a job first: a pool takes only people whom the business knows. */
async function colleague(name: string): Promise<Person> {
  const person = await app.person({ name });
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, { title: 'Earlier work', kind: 'task' });
  await makeApplication(app.db, app.scopeOf(person), job.id);
  await owner.api.pools.add({ poolId, workerIds: [person.accountId] });
  return person;
}

async function book(change: Parameters<typeof makeJob>[3] = {}, worker = giver) {
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, { branchId, headCount: 1, ...change });
  return hireFor(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) }, job.id);
}

async function setMode(giveaways: 'off' | 'approval' | 'free') {
  const { branches } = await owner.api.branches.list({ businessId });
  const version = branches.find(({ id }) => id === branchId)?.version ?? 1;
  await owner.api.branches.update({ branchId, version, giveaways });
}

const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items.map(({ topic }) => topic);

/** The postings to the business and to each of its holds, in minor units. */
async function money() {
  const { rows } = await sql<{ accountId: string; minor: number }>`
    select account_id, sum(amount)::int as minor from ledger_postings
    where split_part(account_id, ':', 2) = any(array[${businessId}] || array(select id::text from holds where business_id = ${businessId}))
    group by account_id order by account_id`.execute(app.db);
  return rows;
}

describe('giveaways.options', () => {
  it('returns how a shift can be given away, without names', async () => {
    const work = await book();
    expect(await giver.api.giveaways.options({ engagementId: work.id })).toEqual({
      mode: 'approval',
      colleagues: 2,
      waiting: 0,
      named: [],
      giveaway: null,
    });
    expect(await owner.api.giveaways.options({ engagementId: work.id })).toMatchObject({ colleagues: null });
    expect(await failure(noor.api.giveaways.options({ engagementId: work.id }))).toMatchObject({
      status: 404,
      code: 'engagement/not-found',
    });
  });

  it('counts workers with the skills who are free, reachable and eligible', async () => {
    const work = await book({ skills: ['barista'] });
    const count = async () => (await giver.api.giveaways.options({ engagementId: work.id })).colleagues;
    expect(await count()).toBe(0);
    for (const person of [noor, sam])
      await fillProfile(app.db, app.scopeOf(person), {
        skills: [{ skill: 'barista', level: null, years: null }],
      });
    expect(await count()).toBe(2);
    await book({ skills: [] }, sam);
    expect(await count()).toBe(1);
    await sql`insert into chat_blocks (worker_id, business_id, side, by_account, at)
      values (${noor.accountId}, ${businessId}, 'worker', ${noor.accountId}, now())`.execute(app.db);
    expect(await count()).toBe(0);
  });
});

describe('giveaways.offer', () => {
  it('leaves the shift with its worker and notifies colleagues once', async () => {
    const work = await book();
    const giveaway = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    expect(giveaway).toMatchObject({ status: 'open', side: 'giver', giver: null, actions: ['withdraw'] });
    expect((await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' })).id).toBe(
      giveaway.id,
    );
    expect((await giver.api.engagements.get({ engagementId: work.id })).status).toBe('booked');
    const { items } = await noor.api.notifications.list({ waiting: 'true' });
    expect(items.filter(({ topic }) => topic === 'giveaway-open')).toMatchObject([
      { path: `/giveaway?id=${giveaway.id}`, waiting: true },
    ]);
    expect(JSON.stringify(items)).not.toContain('Leila');
  });

  it('never notifies anyone a fourth time', async () => {
    const work = await book();
    const input = { engagementId: work.id, audience: 'colleagues' } as const;
    for (let offered = 0; offered < hiringLimits.giveawaysPerShift; offered += 1) {
      const { id } = await giver.api.giveaways.offer(input);
      await giver.api.giveaways.withdraw({ giveawayId: id });
    }
    expect(await failure(giver.api.giveaways.offer(input))).toMatchObject({ code: 'giveaway/nobody' });
    expect(await giver.api.giveaways.options({ engagementId: work.id })).toMatchObject({
      colleagues: 0,
      waiting: 0,
    });
  });

  it('rejects a shift that is over, has no takers or whose branch forbids it', async () => {
    const work = await book();
    const offer = (audience: 'colleagues' | 'waitlist') =>
      failure(giver.api.giveaways.offer({ engagementId: work.id, audience }));
    expect(await offer('waitlist')).toMatchObject({ status: 409, code: 'giveaway/nobody' });
    expect(
      await failure(owner.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' })),
    ).toMatchObject({
      status: 403,
      code: 'engagement/not-allowed',
    });
    await setMode('off');
    expect(await offer('colleagues')).toMatchObject({ code: 'giveaway/off' });
    await setMode('free');
    await sql`update engagements set funding = 'frozen' where id = ${work.id}`.execute(app.db);
    expect(await offer('colleagues')).toMatchObject({ code: 'giveaway/not-funded' });
    await giver.api.engagements.cancel({ engagementId: work.id, version: work.version, reason: 'Ill' });
    expect(await offer('colleagues')).toMatchObject({ code: 'engagement/wrong-state' });
  });

  it('rejects a checked-in shift; check-in also ends an open offer', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') - hourMs / 2));
    await giver.api.attendance.checkIn(evidenceAt(work, app.clock.now()));
    expect((await giver.api.giveaways.get({ giveawayId: id })).status).toBe('withdrawn');
    expect(await failure(noor.api.giveaways.take({ giveawayId: id }))).toMatchObject({
      code: 'giveaway/wrong-state',
      data: { status: 'withdrawn' },
    });
    expect(
      await failure(giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' })),
    ).toMatchObject({ code: 'engagement/wrong-state' });
  });
});

describe('giveaways.take', () => {
  it('books the taker on the same terms and moves the hold to the cent', async () => {
    await setMode('free');
    const work = await book();
    const before = await money();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    const takenGiveaway = await noor.api.giveaways.take({ giveawayId: id });
    expect(takenGiveaway).toMatchObject({
      status: 'done',
      side: 'taker',
      giver: null,
      taker: null,
      actions: [],
    });
    expect(await noor.api.giveaways.take({ giveawayId: id })).toEqual(takenGiveaway);
    expect(await money()).toEqual(before);
    const next = await noor.api.engagements.get({ engagementId: takenGiveaway.engagementId ?? '' });
    expect(next).toMatchObject({ status: 'booked', funding: 'funded', terms: work.terms });
    const { rows } = await sql<{ engagementId: string; status: string }>`
      select engagement_id, status from holds where job_id = ${work.jobId}`.execute(app.db);
    expect(rows).toEqual([{ engagementId: next.id, status: 'held' }]);
    expect(await giver.api.engagements.get({ engagementId: work.id })).toMatchObject({
      status: 'given_away',
      actions: [],
    });
    expect((await owner.api.jobs.get({ jobId: work.jobId })).status).toBe('filled');
    expect((await giver.api.reliability.mine()).lateCancellations).toBe(0);
    expect(await topicsOf(giver)).toContain('giveaway-done');
    expect(await topicsOf(owner)).toContain('giveaway-done');
    expect(await topicsOf(noor)).toContain('giveaway-done');
    const { rows: lines } = await sql<{ workerId: string; line: string }>`
      select conversation.worker_id, message.line from messages message join conversations conversation
        on conversation.id = message.conversation_id where conversation.job_id = ${work.jobId} and message.line is not null
      order by message.seq`.execute(app.db);
    const linesOf = (person: Person) =>
      lines.filter(({ workerId }) => workerId === person.accountId).map(({ line }) => line);
    expect(linesOf(giver).at(-1)).toBe('work-handed-on');
    expect(linesOf(noor)).toEqual(['hired']);
  });

  it('lets only one of two takers win', async () => {
    await setMode('free');
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    const results = await Promise.allSettled(
      [noor, sam].map((person) => person.api.giveaways.take({ giveawayId: id })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { rows } = await sql<{ status: string }>`
      select status from engagements where job_id = ${work.jobId} order by status`.execute(app.db);
    expect(rows.map(({ status }) => status)).toEqual(['booked', 'given_away']);
  });

  it('never books two workers when the giver cancels at the same time', async () => {
    await setMode('free');
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    const cancel = { engagementId: work.id, version: work.version, reason: 'Ill' };
    const results = await Promise.allSettled([
      noor.api.giveaways.take({ giveawayId: id }),
      giver.api.engagements.cancel(cancel),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { status } = await giver.api.engagements.get({ engagementId: work.id });
    const [take] = results;
    expect(status).toBe(take?.status === 'fulfilled' ? 'given_away' : 'cancelled_by_worker');
    expect((await giver.api.giveaways.get({ giveawayId: id })).status).toBe(
      take?.status === 'fulfilled' ? 'done' : 'withdrawn',
    );
  });

  it('allows only eligible takers', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    const stranger = await app.person();
    expect(await failure(stranger.api.giveaways.take({ giveawayId: id }))).toMatchObject({
      status: 404,
      code: 'giveaway/not-found',
    });
    expect(await failure(giver.api.giveaways.take({ giveawayId: id }))).toMatchObject({
      code: 'giveaway/not-eligible',
    });
    await book({}, sam);
    expect((await sam.api.giveaways.get({ giveawayId: id })).actions).toEqual([]);
    expect(await failure(sam.api.giveaways.take({ giveawayId: id }))).toMatchObject({
      status: 409,
      code: 'giveaway/not-eligible',
    });
  });

  it('releases a shift to those on its waitlist', async () => {
    await setMode('free');
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { branchId, headCount: 1 });
    const waiting = await app.person();
    const application = await makeApplication(app.db, app.scopeOf(waiting), job.id);
    const work = await hireFor(app.db, { worker: app.scopeOf(giver), recruiter: app.scopeOf(owner) }, job.id);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    await waiting.api.waitlist.join({ applicationId: application.id });
    expect(await giver.api.giveaways.options({ engagementId: work.id })).toMatchObject({ waiting: 1 });
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'waitlist' });
    expect(await failure(noor.api.giveaways.take({ giveawayId: id }))).toMatchObject({
      code: 'giveaway/not-found',
    });
    expect(await waiting.api.giveaways.take({ giveawayId: id })).toMatchObject({ status: 'done' });
    expect(await waiting.api.applications.get({ applicationId: application.id })).toMatchObject({
      status: 'hired',
    });
  });
});

describe('giveaways.approve', () => {
  it('requires approval by a recruiter, who sees both names', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    expect(await noor.api.giveaways.take({ giveawayId: id })).toMatchObject({
      status: 'waiting',
      actions: ['step-back'],
    });
    expect((await giver.api.engagements.get({ engagementId: work.id })).status).toBe('booked');
    const { items } = await owner.api.notifications.list({ waiting: 'true' });
    expect(items.find(({ topic }) => topic === 'giveaway-taken')?.data.workerName).toBe('Noor Bakker');
    expect(await owner.api.giveaways.get({ giveawayId: id })).toMatchObject({
      side: 'business',
      giver: { name: 'Leila Haddad' },
      taker: { name: 'Noor Bakker' },
      actions: ['approve', 'refuse'],
    });
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    expect(await failure(finance.api.giveaways.approve({ giveawayId: id, version: 2 }))).toMatchObject({
      status: 403,
      code: 'giveaway/not-allowed',
    });
    expect(await failure(noor.api.giveaways.approve({ giveawayId: id, version: 2 }))).toMatchObject({
      status: 404,
    });
    const done = await owner.api.giveaways.approve({ giveawayId: id, version: 2 });
    expect(done.status).toBe('done');
    expect(await owner.api.giveaways.approve({ giveawayId: id, version: 2 })).toEqual(done);
    expect(await failure(owner.api.giveaways.refuse({ giveawayId: id, version: 2 }))).toMatchObject({
      code: 'giveaway/wrong-state',
      data: { status: 'done' },
    });
    expect((await owner.api.engagements.get({ engagementId: done.engagementId ?? '' })).worker.name).toBe(
      'Noor Bakker',
    );
    expect(await topicsOf(owner)).not.toContain('giveaway-done');
  });

  it('rejects a taker who is busy by then, without revealing why', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    await noor.api.giveaways.take({ giveawayId: id });
    await book({ title: 'Secret work' }, noor);
    const refused = await failure(owner.api.giveaways.approve({ giveawayId: id, version: 2 }));
    expect(refused).toMatchObject({ status: 409, code: 'giveaway/not-eligible' });
    expect(JSON.stringify(refused)).not.toContain('Secret');
  });
});

describe('giveaways.refuse', () => {
  it('rejects the taker that the recruiter saw, like approval', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    await noor.api.giveaways.take({ giveawayId: id });
    const { version, taker } = await owner.api.giveaways.get({ giveawayId: id });
    expect(taker?.name).toBe('Noor Bakker');
    await noor.api.giveaways.withdraw({ giveawayId: id });
    await sam.api.giveaways.take({ giveawayId: id });
    for (const decide of [owner.api.giveaways.approve, owner.api.giveaways.refuse])
      expect(await failure(decide({ giveawayId: id, version }))).toMatchObject({
        status: 409,
        code: 'giveaway/stale',
      });
    const current = await owner.api.giveaways.get({ giveawayId: id });
    expect(current).toMatchObject({ status: 'waiting', taker: { name: 'Sam Okafor' } });
    expect(await owner.api.giveaways.approve({ giveawayId: id, version: current.version })).toMatchObject({
      status: 'done',
      taker: { name: 'Sam Okafor' },
    });
  });

  it('keeps the shift with its worker and notifies both', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    await noor.api.giveaways.take({ giveawayId: id });
    expect(await owner.api.giveaways.refuse({ giveawayId: id, version: 2 })).toMatchObject({
      status: 'refused',
      actions: [],
    });
    expect((await giver.api.engagements.get({ engagementId: work.id })).status).toBe('booked');
    for (const person of [giver, noor]) expect(await topicsOf(person)).toContain('giveaway-ended');
    const again = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    expect(again.id).not.toBe(id);
  });
});

describe('giveaways.withdraw', () => {
  it('lets the taker withdraw and the giver keep the shift', async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    await noor.api.giveaways.take({ giveawayId: id });
    expect(await failure(sam.api.giveaways.withdraw({ giveawayId: id }))).toMatchObject({
      code: 'giveaway/wrong-state',
    });
    expect(await failure(owner.api.giveaways.withdraw({ giveawayId: id }))).toMatchObject({
      code: 'giveaway/not-found',
    });
    expect(await noor.api.giveaways.withdraw({ giveawayId: id })).toMatchObject({
      status: 'open',
      actions: ['take'],
    });
    expect(await topicsOf(giver)).toContain('giveaway-ended');
    const withdrawn = await giver.api.giveaways.withdraw({ giveawayId: id });
    expect(withdrawn).toMatchObject({ status: 'withdrawn', actions: [] });
    expect(await giver.api.giveaways.withdraw({ giveawayId: id })).toEqual(withdrawn);
  });

  it("ends when the taker's account is deleted and when the shift starts", async () => {
    const work = await book();
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    await noor.api.giveaways.take({ giveawayId: id });
    await app.db.transaction().execute((tx) => withdrawBeforeDeletion(tx, app.scopeOf(noor), noor.accountId));
    expect((await giver.api.giveaways.get({ giveawayId: id })).status).toBe('open');
    app.clock.set(new Date(work.terms.startsAt ?? ''));
    await app.runDue();
    expect(await giver.api.giveaways.get({ giveawayId: id })).toMatchObject({
      status: 'expired',
      actions: [],
    });
  });
});

/** Eight hours some days ahead. */
const dayAhead = (days: number) => {
  const startsAt = addMs(app.clock.now(), days * 24 * hourMs);
  return { startsAt: startsAt.toISOString(), endsAt: addMs(startsAt, 8 * hourMs).toISOString() };
};
/** Someone who worked for the business before. */
async function worked(person: Person) {
  const work = await book(dayAhead(40), person);
  await sql`update engagements set status = 'completed' where id = ${work.id}`.execute(app.db);
}

describe('colleagues by name', () => {
  it('are those who worked there, by first name, with the shifts to take in exchange', async () => {
    const work = await book(dayAhead(5));
    const named = async (person = giver) =>
      (await person.api.giveaways.options({ engagementId: work.id })).named;
    expect(await named()).toEqual([]);
    await worked(noor);
    const noorsShift = await book(dayAhead(7), noor);
    await book(dayAhead(9), noor);
    await book(dayAhead(9), giver);
    expect(await named()).toMatchObject([
      {
        workerId: noor.accountId,
        name: 'Noor B.',
        shifts: [{ engagementId: noorsShift.id, workerGetsMinor: noorsShift.terms.workerGetsMinor }],
      },
    ]);
    expect(await named(owner)).toEqual([]);
    await setMode('off');
    expect(await named()).toEqual([]);
  });
});

describe('a shift offered to one colleague', () => {
  async function named(swap = false) {
    await worked(noor);
    await worked(sam);
    const work = await book(dayAhead(5));
    const noorsShift = await book({ ...dayAhead(5), ...(swap ? dayAhead(7) : dayAhead(8)) }, noor);
    const input = {
      engagementId: work.id,
      audience: 'colleague',
      colleagueId: noor.accountId,
      swapEngagementId: swap ? noorsShift.id : undefined,
    } as const;
    return { work, noorsShift, input, giveaway: await giver.api.giveaways.offer(input) };
  }

  it('is for them only, with first names', async () => {
    await setMode('free');
    const { work, input, giveaway } = await named();
    expect(giveaway).toMatchObject({ status: 'open', colleague: 'Noor B.', swap: null, giver: null });
    expect((await giver.api.giveaways.offer(input)).id).toBe(giveaway.id);
    const giveawayId = giveaway.id;
    expect(await failure(sam.api.giveaways.get({ giveawayId }))).toMatchObject({ status: 404 });
    expect(await failure(sam.api.giveaways.take({ giveawayId }))).toMatchObject({ status: 404 });
    expect(await topicsOf(sam)).not.toContain('giveaway-open');
    expect(await noor.api.giveaways.get({ giveawayId })).toMatchObject({
      colleague: 'Leila H.',
      actions: ['take', 'decline'],
    });
    expect(await noor.api.giveaways.take({ giveawayId })).toMatchObject({ status: 'done', side: 'taker' });
    expect((await giver.api.engagements.get({ engagementId: work.id })).status).toBe('given_away');
  });

  it('swaps both shifts with their holds, spots and terms, once the business agrees', async () => {
    const { work, noorsShift, giveaway } = await named(true);
    const before = await money();
    expect(giveaway.swap).toMatchObject({ engagementId: noorsShift.id, startsAt: noorsShift.terms.startsAt });
    const giveawayId = giveaway.id;
    expect(await noor.api.giveaways.take({ giveawayId })).toMatchObject({ status: 'waiting' });
    const { version } = await owner.api.giveaways.get({ giveawayId });
    const done = await owner.api.giveaways.approve({ giveawayId, version });
    expect(done).toMatchObject({ status: 'done', swap: { engagementId: noorsShift.id } });
    expect(await owner.api.giveaways.approve({ giveawayId, version })).toEqual(done);
    expect(await money()).toEqual(before);
    const { rows } = await sql<{ workerId: string; jobId: string; status: string; held: boolean }>`
      select worker_id, job_id, status, exists (select from holds where engagement_id = work.id and status = 'held') as held
      from engagements work where job_id in (${work.jobId}, ${noorsShift.jobId})`.execute(app.db);
    const states = rows.map(({ workerId, jobId, status, held }) => `${workerId} ${jobId} ${status} ${held}`);
    const [leilaId, noorId] = [giver.accountId, noor.accountId];
    expect(states.toSorted()).toEqual(
      [
        `${leilaId} ${work.jobId} given_away false`,
        `${noorId} ${work.jobId} booked true`,
        `${noorId} ${noorsShift.jobId} given_away false`,
        `${leilaId} ${noorsShift.jobId} booked true`,
      ].toSorted(),
    );
    const mine = await giver.api.giveaways.get({ giveawayId });
    expect(await giver.api.engagements.get({ engagementId: mine.engagementId ?? '' })).toMatchObject({
      status: 'booked',
      terms: noorsShift.terms,
    });
    for (const person of [giver, noor]) expect(await topicsOf(person)).toContain('giveaway-done');
  });

  it.each([
    ['their shift is cancelled', (work: { id: string; version: number }) => cancel(noor, work), 'withdrawn'],
    ['they check in to it', (work: { id: string; terms: never }) => checkIn(noor, work), 'withdrawn'],
  ])('ends when %s', async (_, end, status) => {
    const { work, noorsShift, giveaway } = await named(true);
    await end(noorsShift as never);
    expect((await giver.api.giveaways.get({ giveawayId: giveaway.id })).status).toBe(status);
    expect(await topicsOf(giver)).toContain('giveaway-ended');
    expect((await giver.api.engagements.get({ engagementId: work.id })).status).toBe('booked');
  });
  const cancel = (person: Person, work: { id: string; version: number }) =>
    person.api.engagements.cancel({ engagementId: work.id, version: work.version, reason: 'Ill' });
  const checkIn = (person: Person, work: Parameters<typeof evidenceAt>[0]) => {
    app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') - hourMs / 2));
    return person.api.attendance.checkIn(evidenceAt(work, app.clock.now()));
  };

  it('is swapped or cancelled, never both', async () => {
    await setMode('free');
    const { work, noorsShift, giveaway } = await named(true);
    const results = await Promise.allSettled([
      noor.api.giveaways.take({ giveawayId: giveaway.id }),
      cancel(noor, noorsShift),
      cancel(giver, work),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    const { rows } = await sql<{ jobId: string; booked: number; held: number }>`
      select job_id, count(*) filter (where status = 'booked')::int as booked,
        (select count(*)::int from holds where holds.job_id = work.job_id and status = 'held') as held
      from engagements work where job_id in (${work.jobId}, ${noorsShift.jobId}) group by job_id`.execute(
      app.db,
    );
    for (const { booked, held } of rows) expect(held).toBe(booked);
    const { status } = await giver.api.giveaways.get({ giveawayId: giveaway.id });
    const isSwapped = results[0]?.status === 'fulfilled';
    expect(status).toBe(isSwapped ? 'done' : 'withdrawn');
  });

  it('rejects strangers, busy people and shifts of others at the field or with a code', async () => {
    const { work, noorsShift, giveaway } = await named();
    await giver.api.giveaways.withdraw({ giveawayId: giveaway.id });
    const offer = (change: object) =>
      failure(
        giver.api.giveaways.offer({
          engagementId: work.id,
          audience: 'colleague',
          colleagueId: noor.accountId,
          ...change,
        }),
      );
    const stranger = await app.person();
    expect(await offer({ colleagueId: stranger.accountId })).toMatchObject({ code: 'giveaway/not-eligible' });
    expect(await offer({ swapEngagementId: work.id })).toMatchObject({ code: 'giveaway/not-eligible' });
    expect(await offer({ colleagueId: sam.accountId, swapEngagementId: noorsShift.id })).toMatchObject({
      code: 'giveaway/not-eligible',
    });
    expect(await offer({ colleagueId: undefined })).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'colleagueId' }] },
    });
    expect(
      await offer({ audience: 'colleagues', colleagueId: undefined, swapEngagementId: noorsShift.id }),
    ).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'swapEngagementId' }] },
    });
  });
});

describe('declining a shift that was offered by name', () => {
  it('leaves the shift with its worker, and is for the one colleague only', async () => {
    await worked(noor);
    const work = await book(dayAhead(5));
    const { id: giveawayId } = await giver.api.giveaways.offer({
      engagementId: work.id,
      audience: 'colleague',
      colleagueId: noor.accountId,
    });
    for (const person of [sam, owner])
      expect(await failure(person.api.giveaways.withdraw({ giveawayId }))).toMatchObject({
        status: 404,
        code: 'giveaway/not-found',
      });
    const declined = await noor.api.giveaways.withdraw({ giveawayId });
    expect(declined).toMatchObject({ status: 'refused', actions: [] });
    expect(await noor.api.giveaways.withdraw({ giveawayId })).toEqual(declined);
    expect(await topicsOf(giver)).toContain('giveaway-ended');
    expect((await giver.api.engagements.get({ engagementId: work.id })).status).toBe('booked');
    const again = { engagementId: work.id, audience: 'colleague', colleagueId: noor.accountId } as const;
    const second = await giver.api.giveaways.offer(again);
    await app.db.transaction().execute((tx) => withdrawBeforeDeletion(tx, app.scopeOf(noor), noor.accountId));
    expect((await giver.api.giveaways.get({ giveawayId: second.id })).status).toBe('refused');
  });
});

describe('giveaways.get', () => {
  it('shows the promises of the booking that a taker would make', async () => {
    const startsAt = addMs(app.clock.now(), 96 * hourMs);
    const hours = {
      startsAt: startsAt.toISOString(),
      endsAt: addMs(startsAt, 8 * hourMs).toISOString(),
    };
    const work = await book(hours);
    const { confirmBy, minimumMinutes } = work.terms;
    expect([confirmBy, minimumMinutes]).toEqual([expect.any(String), expect.any(Number)]);
    const { id: giveawayId } = await giver.api.giveaways.offer({
      engagementId: work.id,
      audience: 'colleagues',
    });
    expect(await noor.api.giveaways.get({ giveawayId })).toMatchObject({ confirmBy, minimumMinutes });
    app.clock.set(subtractMs(startsAt, 25 * hourMs));
    expect(await noor.api.giveaways.get({ giveawayId })).toMatchObject({ confirmBy: null, minimumMinutes });
  });

  it('hides it from strangers and shows givers their own shift', async () => {
    const work = await makeEngagement(
      app.db,
      { worker: app.scopeOf(giver), recruiter: app.scopeOf(owner) },
      businessId,
    );
    const { id } = await giver.api.giveaways.offer({ engagementId: work.id, audience: 'colleagues' });
    expect(await giver.api.giveaways.get({ giveawayId: id })).toMatchObject({ engagementId: work.id });
    expect(await noor.api.giveaways.get({ giveawayId: id })).toMatchObject({
      engagementId: null,
      needsApproval: true,
      actions: ['take'],
      workerGetsMinor: work.terms.workerGetsMinor,
    });
    const stranger = await app.person();
    expect(await failure(stranger.api.giveaways.get({ giveawayId: id }))).toMatchObject({ status: 404 });
  });
});
