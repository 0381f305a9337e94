import type { RosterShift } from '@nearhand/contract/hiring/roster';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire, makeOffer } from '../offers/offers.fixtures.ts';
import { expireOffer } from '../offers/offers.ts';
import { rosterWeek } from './roster.ts';
import { tableOf } from './roster-file.ts';

const app = useTestApp();
let nadia: Person;
let businessId: string;
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, app.scopeOf(nadia))).id;
});
const post = (day: string, change: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, app.scopeOf(nadia), businessId, {
    startsAt: `${day}T08:00:00Z`,
    endsAt: `${day}T14:00:00Z`,
    ...change,
  });
const week = (person: Person, from: string) => person.api.roster.week({ businessId, from });
const titles = async (from: string) => (await week(nadia, from)).shifts.map(({ title }) => title);

describe('roster.week', () => {
  it('lists the shifts of seven days with bookings, offers and applicants', async () => {
    const [leila, omar, noor] = await Promise.all(
      ['Leila Haddad', 'Omar MailText', 'Noor Bakker'].map((name) => app.person({ name })),
    );
    const { id: jobId } = await post('2026-12-01', { title: 'Morning bar', headCount: 3 });
    const apply = async (worker?: Person) =>
      (await makeApplication(app.db, app.scopeOf(worker as Person), jobId)).id;
    const { engagementId } = await hire(
      app.db,
      { recruiter: app.scopeOf(nadia), worker: app.scopeOf(leila as Person) },
      await apply(leila),
    );
    const offered = await apply(omar);
    await makeOffer(app.db, app.scopeOf(nadia), offered);
    await apply(noor);
    await post('2026-12-02', { title: 'Draft', status: 'draft' });
    await post('2026-12-07', { title: 'The week after' });
    await makeJob(app.db, app.scopeOf(nadia), businessId, {
      title: 'A task',
      kind: 'task',
      dueOn: '2026-12-02',
    });
    const { shifts, more } = await week(nadia, '2026-11-30');
    expect(more).toBe(false);
    expect(shifts).toMatchObject([
      {
        jobId,
        title: 'Morning bar',
        status: 'open',
        startsAt: '2026-12-01T08:00:00.000Z',
        headCount: 3,
        applicants: 1,
        paidMinutes: 330,
        // Five and a half hours at 17.50, plus a tenth.
        costMinor: 10_588,
        people: [
          {
            id: engagementId,
            name: 'Leila Haddad',
            status: 'booked',
            giveaway: null,
            hours: null,
            asksDayOff: false,
          },
          { id: offered, name: 'Omar MailText', status: 'offered' },
        ],
      },
      { title: 'Draft', status: 'draft', people: [] },
    ]);
  });

  it("uses the place's local days", async () => {
    const late = { startsAt: '2027-01-03T23:30:00Z', endsAt: '2027-01-04T05:00:00Z' };
    await post('2027-01-04', { title: 'Night', ...late });
    // Half past midnight on Monday in Amsterdam.
    expect(await titles('2027-01-04')).toEqual(['Night']);
    expect(await titles('2026-12-28')).toEqual([]);
  });

  it('omits closed shifts without workers', async () => {
    const { id: jobId } = await post('2027-01-12', { title: 'Called off' });
    await nadia.api.jobs.close({ jobId });
    expect(await titles('2027-01-11')).toEqual([]);
  });

  it('says that a booked worker is asked about other hours, or keeps the agreed ones', async () => {
    const worker = await app.person({ name: 'Leila Haddad' });
    const { id: jobId } = await post('2027-02-02', { title: 'Moved' });
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), jobId);
    await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(worker) }, applicationId);
    const { version } = await nadia.api.jobs.get({ jobId });
    await nadia.api.jobs.update({
      jobId,
      version,
      startsAt: '2027-02-03T08:00:00Z',
      endsAt: '2027-02-03T14:00:00Z',
    });
    expect((await week(nadia, '2027-02-01')).shifts).toMatchObject([
      { jobId, startsAt: '2027-02-03T08:00:00.000Z', people: [{ status: 'booked', hours: 'asked' }] },
    ]);
    await app.db
      .updateTable('shift_changes')
      .set({ status: 'declined' })
      .where('jobId', '=', jobId)
      .execute();
    expect((await week(nadia, '2027-02-01')).shifts).toMatchObject([{ people: [{ hours: 'kept' }] }]);
  });

  it('keeps an expired shift that nobody took in its week', async () => {
    const { id: jobId } = await post('2026-11-30', { title: 'Not filled' });
    await app.db.updateTable('jobs').set({ status: 'expired' }).where('id', '=', jobId).execute();
    const { shifts } = await week(nadia, '2026-11-30');
    expect(shifts).toContainEqual(expect.objectContaining({ jobId, status: 'expired', people: [] }));
  });

  it('allows only recruiters, each at their branches', async () => {
    const [north, south] = await Promise.all(
      ['Noord', 'Zuid'].map((name) => makeBranch(app.db, app.scopeOf(nadia), businessId, { name })),
    );
    const at = (branch: typeof north) => ({ branchId: branch?.id ?? '', title: branch?.name ?? '' });
    await post('2027-01-19', at(north));
    await post('2027-01-20', at(south));
    expect(await titles('2027-01-18')).toEqual(['Noord', 'Zuid']);
    const joris = await app.person();
    await makeMember(app.db, app.clock, businessId, joris.accountId, 'recruiter', [north?.id ?? '']);
    expect((await week(joris, '2027-01-18')).shifts).toMatchObject([{ branch: { name: 'Noord' } }]);
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    expect(await failure(week(finance, '2027-01-18'))).toMatchObject({ code: 'business/not-allowed' });
    const stranger = await app.person();
    expect(await failure(week(stranger, '2027-01-18'))).toMatchObject({ code: 'business/not-found' });
    expect(await failure(week(nadia, '2027-02-30'))).toMatchObject({ code: 'request/invalid' });
  });
});

describe('roster.sameShiftDays', () => {
  it('returns the days of the same role, branch and hours, by the clock of the place', async () => {
    const owner = await app.person();
    const { id } = await makeBusiness(app.db, app.scopeOf(owner));
    const branch = await makeBranch(app.db, app.scopeOf(owner), id);
    const plan = (day: string, change: Parameters<typeof makeJob>[3] = {}) =>
      makeJob(app.db, app.scopeOf(owner), id, {
        title: 'Night porter',
        startsAt: `${day}T22:30:00Z`,
        endsAt: `${day}T23:30:00Z`,
        ...change,
      });
    // 23:30 in Amsterdam.
    await plan('2026-12-01');
    const draft = await plan('2026-12-03', { status: 'draft' });
    await plan('2026-12-04', { title: 'Porter' });
    await plan('2026-12-05', { endsAt: '2026-12-06T01:30:00Z' });
    await plan('2026-12-06', { branchId: branch.id });
    await owner.api.jobs.close({ jobId: (await plan('2026-12-07')).id });
    await plan('2026-12-08');
    const shift = { businessId: id, title: 'Night porter', from: '23:30', to: '00:30' };
    const input = { ...shift, first: '2026-12-01', last: '2026-12-07' };
    const daysFor = async (change: object) =>
      (await owner.api.roster.sameShiftDays({ ...input, ...change })).days;
    expect(await daysFor({})).toEqual(['2026-12-01', '2026-12-03']);
    expect(await daysFor({ exceptJobId: draft.id, last: '2026-12-08' })).toEqual([
      '2026-12-01',
      '2026-12-08',
    ]);
    expect(await daysFor({ branchId: branch.id })).toEqual(['2026-12-06']);
    for (const change of [{ last: '2026-11-30' }, { last: '2027-03-02' }, { from: '24:00' }])
      expect(await failure(daysFor(change))).toMatchObject({ status: 400, code: 'request/invalid' });
    const stranger = await app.person();
    expect(await failure(stranger.api.roster.sameShiftDays(input))).toMatchObject({
      code: 'business/not-found',
    });
  });
});

describe('roster.add', () => {
  const times = { startsAt: '2027-05-04T15:00:00Z', endsAt: '2027-05-04T20:00:00Z', headCount: 2 };
  const add = (person: Person, jobId: string, change: object = {}) =>
    person.api.roster.add({ jobId, ...times, ...change });

  it('posts a copy of a shift at other times and days, without its workers', async () => {
    const like = await post('2027-05-03', { title: 'Bar', headCount: 5 });
    const job = await add(nadia, like.id, { alsoOn: ['2027-05-05'] });
    expect(job).toMatchObject({ title: 'Bar', status: 'open', headCount: 2, pay: { minor: 1_750 } });
    expect(job.series?.asBlock).toBe(false);
    expect(await add(nadia, like.id, { asDraft: true })).toMatchObject({ status: 'draft' });
    expect((await week(nadia, '2027-05-04')).shifts).toMatchObject([
      { startsAt: '2027-05-04T15:00:00.000Z', status: 'draft' },
      { jobId: job.id, startsAt: '2027-05-04T15:00:00.000Z', endsAt: '2027-05-04T20:00:00.000Z', people: [] },
      { startsAt: '2027-05-05T15:00:00.000Z', headCount: 2 },
    ]);
  });

  it('rejects impossible times, a task, a closed branch and workers of other businesses, and adds nothing', async () => {
    const like = await post('2027-05-10');
    const refused = async (person: Person, jobId: string, change: object = {}) =>
      (await failure(add(person, jobId, change))).code;
    expect(await refused(nadia, like.id, { endsAt: times.startsAt })).toBe('request/invalid');
    expect(await refused(nadia, like.id, { headCount: 0 })).toBe('request/invalid');
    expect(await refused(nadia, like.id, { asBlock: true })).toBe('request/invalid');
    expect(await refused(nadia, like.id, { asDraft: true, alsoOn: ['2027-05-05'] })).toBe('request/invalid');
    const past = { startsAt: '2026-01-05T15:00:00Z', endsAt: '2026-01-05T20:00:00Z' };
    expect(await refused(nadia, like.id, past)).toBe('job/starts-in-past');
    const task = await makeJob(app.db, app.scopeOf(nadia), businessId, { kind: 'task' });
    expect(await refused(nadia, task.id)).toBe('job/cannot-repeat');
    expect(await refused(await app.person(), like.id)).toBe('job/not-allowed');
    const branch = await makeBranch(app.db, app.scopeOf(nadia), businessId, { name: 'Haven' });
    const there = await post('2027-05-11', { branchId: branch.id });
    await nadia.api.jobs.close({ jobId: there.id });
    await nadia.api.branches.close({ branchId: branch.id });
    expect(await refused(nadia, there.id)).toBe('branch/closed');
    expect(await titles('2027-05-12')).toEqual([]);
  });
});

describe('roster.copy', () => {
  const copy = (person: Person, jobIds: string[], change: object = {}) =>
    person.api.roster.copy({ businessId, jobIds, days: 7, ...change });

  it('posts the same shifts a week later, without workers, across a clock change', async () => {
    const early = await post('2027-03-23', { title: 'Early', headCount: 2 });
    const two = await post('2027-03-24', { title: 'Late' });
    const leila = await app.person({ name: 'Leila Haddad' });
    const { id } = await makeApplication(app.db, app.scopeOf(leila), early.id);
    await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(leila) }, id);
    const { copies } = await copy(nadia, [early.id, two.id]);
    expect(copies.map(({ status }) => status)).toEqual(['open', 'open']);
    // Nine in the morning in Amsterdam on both days.
    expect((await week(nadia, '2027-03-29')).shifts).toMatchObject([
      {
        jobId: copies[0]?.jobId,
        title: 'Early',
        startsAt: '2027-03-30T07:00:00.000Z',
        headCount: 2,
        people: [],
      },
      { jobId: copies[1]?.jobId, title: 'Late', startsAt: '2027-03-31T07:00:00.000Z' },
    ]);
    expect(await copy(nadia, [two.id], { days: 1, asDrafts: true })).toMatchObject({
      copies: [{ status: 'draft' }],
    });
  });

  describe('with people', () => {
    const weekOf = async (workers: Person[]) => {
      const first = await post('2027-05-04', { title: 'Bar', headCount: 2 });
      for (const worker of workers) {
        const { id } = await makeApplication(app.db, app.scopeOf(worker), first.id);
        await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(worker) }, id);
      }
      return first;
    };
    const choiceOf = (jobId: string) =>
      app.db
        .selectFrom('jobs')
        .select(['opensWhenFreed', 'alertAudience'])
        .where('id', '=', jobId)
        .executeTakeFirstOrThrow();

    it('offers each copy to who is booked, hides a full one, and leaves out who is unreachable', async () => {
      const [leila, sam] = [await app.person({ name: 'Leila' }), await app.person({ name: 'Sam' })];
      const full = await weekOf([leila, sam]);
      const half = await post('2027-05-05', { title: 'Kitchen', headCount: 2 });
      const { id } = await makeApplication(app.db, app.scopeOf(leila), half.id);
      await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(leila) }, id);
      const { copies, leftOut } = await copy(nadia, [full.id, half.id], { withPeople: true });
      expect(copies.map(({ status, offers }) => [status, offers])).toEqual([
        ['paused', 2],
        ['open', 1],
      ]);
      expect(leftOut).toEqual([]);
      const offered = (await leila.api.offers.mine({})).items.filter(({ status }) => status === 'sent');
      expect(offered.map(({ source, funding }) => [source, funding])).toEqual([
        ['rebook', 'funded'],
        ['rebook', 'funded'],
      ]);
      await app.db
        .insertInto('chat_blocks')
        .values({
          workerId: sam.accountId,
          businessId,
          side: 'worker',
          byAccount: sam.accountId,
          at: app.clock.now(),
        })
        .execute();
      expect(await copy(nadia, [full.id], { withPeople: true, days: 14 })).toMatchObject({
        copies: [{ status: 'open', offers: 1 }],
        leftOut: [{ workerId: sam.accountId, code: 'worker/unreachable' }],
      });
    });

    it.each([
      ['everyone', 'open', 'everyone', undefined],
      ['colleagues', 'open', 'colleagues', undefined],
      ['nobody', 'paused', 'subscribers', 'hidden'],
    ] as const)(
      'follows the choice for a declined offer: %s',
      async (ifDeclined, status, audience, spotProblem) => {
        const leila = await app.person({ name: 'Leila' });
        const full = await weekOf([leila, await app.person({ name: 'Sam' })]);
        const { copies } = await copy(nadia, [full.id], { withPeople: true, ifDeclined });
        const jobId = copies[0]?.jobId ?? '';
        expect(copies).toMatchObject([{ status: 'paused', offers: 2 }]);
        const [offer] = (await leila.api.offers.mine({})).items.filter((item) => item.jobId === jobId);
        await leila.api.offers.decline({
          offerId: offer?.id ?? '',
          version: offer?.version ?? 0,
          reason: '',
        });
        expect((await nadia.api.jobs.get({ jobId })).status).toBe(status);
        const [notice] = (await nadia.api.notifications.list({})).items;
        expect([notice?.topic, notice?.data.spotProblem]).toEqual(['offer-declined', spotProblem]);
        expect((await choiceOf(jobId)).alertAudience).toBe(audience);
        if (status === 'paused') return;
        // A person's pause is not undone.
        await nadia.api.jobs.pause({ jobId });
        expect((await choiceOf(jobId)).opensWhenFreed).toBe(false);
      },
    );

    it('offers a declined spot to the next in the pools, and opens it after the last', async () => {
      const [leila, sam, noor] = [
        await app.person({ name: 'Leila' }),
        await app.person({ name: 'Sam' }),
        await app.person({ name: 'Noor' }),
      ];
      const full = await weekOf([leila, sam]);
      // A business offers directly only to people who applied to it before.
      await makeApplication(app.db, app.scopeOf(noor), (await post('2027-05-06', { title: 'Other' })).id);
      await nadia.api.pools.create({ businessId, name: 'Stand-ins', workerIds: [noor.accountId] });
      const { copies } = await copy(nadia, [full.id], { withPeople: true, ifDeclined: 'pools' });
      const jobId = copies[0]?.jobId ?? '';
      const decline = async (person: Person) => {
        const [offer] = (await person.api.offers.mine({})).items.filter((item) => item.jobId === jobId);
        await person.api.offers.decline({
          offerId: offer?.id ?? '',
          version: offer?.version ?? 0,
          reason: '',
        });
        const [notice] = (await nadia.api.notifications.list({})).items;
        return [offer?.source, (await nadia.api.jobs.get({ jobId })).status, notice?.data.spotProblem];
      };
      expect(await decline(leila)).toEqual(['rebook', 'paused', 'offered']);
      expect((await noor.api.notifications.list({})).items[0]).toMatchObject({ topic: 'offer-rebooked' });
      expect(await decline(noor)).toEqual(['rebook', 'open', undefined]);
    });

    it('says for each shift of a series whether people can apply for its free spot', async () => {
      const [leila, sam] = [await app.person({ name: 'Leila' }), await app.person({ name: 'Sam' })];
      const draft = await post('2027-05-04', { title: 'Bar', headCount: 2, status: 'draft' });
      const { dates } = await nadia.api.jobs.publish({ jobId: draft.id, alsoOn: ['2027-05-05'] });
      const [first = '', second = ''] = dates.map(({ jobId }) => jobId);
      for (const [worker, jobId] of [
        [leila, first],
        [leila, second],
        [sam, second],
      ] as const) {
        const { id } = await makeApplication(app.db, app.scopeOf(worker), jobId);
        await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(worker) }, id);
      }
      const { copies } = await copy(nadia, [first, second], { withPeople: true, ifDeclined: 'colleagues' });
      expect(copies.map(({ status }) => status)).toEqual(['open', 'paused']);
      const [open, full] = copies.map(({ jobId }) => jobId) as [string, string];
      // The choice is for copies whose spots were all offered.
      expect((await choiceOf(open)).alertAudience).toBe('subscribers');
      const description = 'Serve drinks. A registration fee of €25 secures your place.';
      await app.db.updateTable('jobs').set({ description }).where('id', '=', full).execute();
      const offerOf = async (worker: Person, jobId: string) => {
        const { items } = await worker.api.offers.mine({});
        const offer = items.find((item) => item.jobId === jobId && item.status === 'sent');
        return { offerId: offer?.id ?? '', version: offer?.version ?? 0 };
      };
      const { offerId } = await offerOf(sam, full);
      await app.db
        .updateTable('offers')
        .set({ expiresAt: app.clock.now() })
        .where('id', '=', offerId)
        .execute();
      await expireOffer({ ...app.scopeOf(nadia), db: app.db, mailer: { send: async () => {} } }, offerId);
      expect((await nadia.api.jobs.get({ jobId: full })).status).toBe('in_review');
      await leila.api.offers.decline({
        ...(await offerOf(leila, open)),
        alsoFor: [await offerOf(leila, full)],
        reason: '',
      });
      const { items } = await nadia.api.notifications.list({});
      const notices = [open, full].map((jobId) =>
        items
          .filter(({ topic, path }) => topic.startsWith('offer-') && path.includes(jobId))
          .map(({ topic, data }) => [topic, data.spotProblem]),
      );
      expect(notices).toEqual([
        [['offer-declined', undefined]],
        [
          ['offer-declined', 'in-review'],
          ['offer-expired', 'in-review'],
        ],
      ]);
    });

    it('offers nothing to those missing from the shift, and leaves out whom no spot is left for', async () => {
      const [leila, sam] = [await app.person({ name: 'Leila' }), await app.person({ name: 'Sam' })];
      const { id: jobId } = await weekOf([leila, sam]);
      const setStatus = (status: 'contested' | 'booked') =>
        app.db
          .updateTable('engagements')
          .set({ status })
          .where('jobId', '=', jobId)
          .where('workerId', '=', leila.accountId)
          .execute();
      await setStatus('contested');
      expect(await copy(nadia, [jobId], { withPeople: true })).toMatchObject({
        copies: [{ status: 'open', offers: 1 }],
        leftOut: [],
      });
      await setStatus('booked');
      // As after a replacement, when both turn out to have come.
      await app.db.updateTable('jobs').set({ headCount: 1, hiredCount: 1 }).where('id', '=', jobId).execute();
      expect(await copy(nadia, [jobId], { withPeople: true, days: 14 })).toMatchObject({
        copies: [{ status: 'paused', offers: 1 }],
        leftOut: [{ workerId: sam.accountId, code: 'offer/no-spot' }],
      });
    });

    it('names the money that all offers lack, and copies nothing then, nor as drafts', async () => {
      const poor = await makeBusiness(app.db, app.scopeOf(nadia), { funded: false });
      const leila = await app.person({ name: 'Leila' });
      const card = await fundBusiness(app.db, app.scopeOf(nadia), poor.id, { amountMinor: 100_000 });
      const jobIds: string[] = [];
      for (const day of ['2027-05-04', '2027-05-05']) {
        const job = await makeJob(app.db, app.scopeOf(nadia), poor.id, {
          startsAt: `${day}T09:00:00.000Z`,
          endsAt: `${day}T14:00:00.000Z`,
        });
        const { id } = await makeApplication(app.db, app.scopeOf(leila), job.id);
        await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(leila) }, id);
        jobIds.push(job.id);
      }
      await nadia.api.cards.remove({ cardId: card.id });
      const { balances } = await nadia.api.wallet.get({ businessId: poor.id });
      const { availableMinor = 0, heldMinor = 0 } = balances[0] ?? {};
      await nadia.api.charges.refund({ businessId: poor.id, amountMinor: availableMinor, currency: 'EUR' });
      const request = { businessId: poor.id, jobIds, days: 7, withPeople: true };
      expect(await failure(nadia.api.roster.copy(request))).toMatchObject({
        code: 'payment/balance-short',
        data: { missingMinor: heldMinor },
      });
      const { shifts } = await nadia.api.roster.week({ businessId: poor.id, from: '2027-05-10' });
      expect(shifts).toEqual([]);
      expect((await failure(nadia.api.roster.copy({ ...request, asDrafts: true }))).code).toBe(
        'request/invalid',
      );
    });
  });

  it('copies all or nothing', async () => {
    const whole = await post('2027-04-06', { title: 'Whole' });
    const instant = await post('2027-04-07', { instantHire: true, status: 'draft' });
    const refused = async (jobIds: string[], change: object = {}) =>
      (await failure(copy(nadia, jobIds, change))).code;
    expect(await refused([whole.id, instant.id])).toBe('job/cannot-repeat');
    expect(await refused([whole.id], { days: 0 })).toBe('job/cannot-repeat');
    expect(await refused([whole.id], { days: 85 })).toBe('request/invalid');
    expect(await refused([whole.id, whole.id])).toBe('request/invalid');
    expect(await refused([])).toBe('request/invalid');
    const old = await post('2026-11-01', { status: 'draft' });
    expect(await refused([whole.id, old.id])).toBe('job/starts-in-past');
    const task = await makeJob(app.db, app.scopeOf(nadia), businessId, { kind: 'task' });
    expect(await refused([task.id])).toBe('job/cannot-repeat');
    const rival = await app.person();
    const foreign = await makeJob(
      app.db,
      app.scopeOf(rival),
      (await makeBusiness(app.db, app.scopeOf(rival))).id,
    );
    expect(await refused([foreign.id])).toBe('job/not-allowed');
    expect(await titles('2027-04-12')).toEqual([]);
  });

  it('allows only recruiters, each at their open branches', async () => {
    const east = await makeBranch(app.db, app.scopeOf(nadia), businessId, { name: 'Oost' });
    const west = await makeBranch(app.db, app.scopeOf(nadia), businessId, { name: 'West' });
    const there = await post('2027-04-20', { branchId: east.id, title: 'Oost' });
    const joris = await app.person();
    await makeMember(app.db, app.clock, businessId, joris.accountId, 'recruiter', [west.id]);
    expect((await failure(copy(joris, [there.id]))).code).toBe('job/not-allowed');
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    expect(await failure(copy(finance, [there.id]))).toMatchObject({
      status: 403,
      code: 'business/not-allowed',
    });
    expect((await failure(copy(await app.person(), [there.id]))).code).toBe('business/not-found');
    await nadia.api.jobs.close({ jobId: there.id });
    await nadia.api.branches.close({ branchId: east.id });
    expect((await failure(copy(nadia, [there.id]))).code).toBe('branch/closed');
  });
});

describe('roster.file', () => {
  it('is a PDF of a week for recruiters, in their branches, by a link that ends', async () => {
    const from = '2027-03-01';
    const branch = await makeBranch(app.db, app.scopeOf(nadia), businessId, { name: 'Zaandam' });
    await post('2027-03-02', { title: 'Barista', headCount: 2, branchId: branch.id });
    await post('2027-03-03', { title: 'Porter', status: 'draft' });
    const link = await nadia.api.roster.file({ businessId, from, rows: 'branch', branchId: branch.id });
    expect(link.fileName).toBe('nearhand-roster-2027-03-01.pdf');
    const file = await app.raw({ method: 'GET', url: `/api${link.path}` });
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await app.raw({ method: 'GET', url: '/api/roster/file?ticket=1' })).statusCode).toBe(403);
    const stranger = await app.person();
    const refusalOf = async (input: object, person = nadia) =>
      (await failure(person.api.roster.file({ businessId, from, ...input } as never))).code;
    expect(await refusalOf({}, stranger)).toBe('business/not-found');
    expect(await refusalOf({ rows: 'day' })).toBe('request/invalid');
    expect(await refusalOf({ from: '2027-02-30' })).toBe('request/invalid');
    expect(await refusalOf({ branchId: nadia.accountId })).toBe('branch/not-found');
    const limited = await app.person();
    await makeMember(app.db, app.clock, businessId, limited.accountId, 'recruiter', [branch.id]);
    const other = await makeBranch(app.db, app.scopeOf(nadia), businessId, { name: 'Ouderkerk' });
    expect(await refusalOf({ branchId: other.id }, limited)).toBe('branch/not-found');
    const { shifts } = await week(nadia, from);
    const rowsOf = (rows: 'role' | 'worker' | 'branch') =>
      tableOf(
        shifts,
        { from, rows, language: 'en' },
        { name: 'Kopi', branchName: null, more: false, at: new Date(0) },
      ).rows.map(({ name, cells }) => [name, ...cells.flat().map(({ text }) => text)]);
    expect(rowsOf('role')).toEqual([
      ['Barista', '09:00–15:00', '2 open'],
      ['Porter', '09:00–15:00', 'Draft', '2 open'],
    ]);
    expect(rowsOf('branch')[0]).toEqual(['Zaandam', '09:00–15:00', 'Barista', '2 open']);
    expect(rowsOf('worker').map(([name]) => name)).toEqual(['Not filled']);
    const ofBranch = await rosterWeek(app.db, app.scopeOf(nadia), { businessId, from, branchId: branch.id });
    expect(ofBranch.shifts.map(({ title }) => title)).toEqual(['Barista']);
  });

  it('shows no gaps that nobody can fill, marks no-shows, and says when shifts are left out', () => {
    const shift = {
      jobId: '1',
      title: 'Barista',
      status: 'open',
      branch: null,
      startsAt: '2027-03-02T09:00:00.000Z',
      endsAt: '2027-03-02T15:00:00.000Z',
      timeZone: 'UTC',
      headCount: 2,
      people: [{ workerId: '2', name: 'Leila', status: 'no_show_reported' }],
    } as RosterShift;
    const about = { name: 'Kopi', branchName: 'Zaandam', more: true, at: new Date(0) };
    const tableFor = (status: RosterShift['status'], more = true) =>
      tableOf(
        [{ ...shift, status }],
        { from: '2027-03-01', rows: 'role', language: 'en' },
        { ...about, more },
      );
    const linesFor = (status: RosterShift['status']) =>
      tableFor(status).rows.flatMap(({ cells }) => cells.flat().map(({ text }) => text));
    expect(linesFor('open')).toEqual(['09:00–15:00', 'Leila (no-show)', '1 open']);
    expect(linesFor('expired')).toEqual(['09:00–15:00', 'Leila (no-show)']);
    expect(linesFor('paused')).toEqual(['09:00–15:00', 'Paused', 'Leila (no-show)']);
    expect(tableFor('open')).toMatchObject({
      subtitle: expect.stringContaining('Zaandam'),
      note: expect.stringContaining('Only the first'),
    });
    expect(tableFor('open', false)).toMatchObject({ note: '' });
  });
});
