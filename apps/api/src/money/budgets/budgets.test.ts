import { dayMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { onOneConnection } from '../../../test/pages-read.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { hire } from '../../hiring/offers/offers.fixtures.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { fundBusiness } from '../wallet/wallet.fixtures.ts';
import { listBudgets } from './budgets.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000', WRITES_PER_MINUTE: '100000' });
const startsAt = '2026-12-04T09:00:00.000Z';
const from = '2026-12-01';
let owner: Person;
let recruiter: Person;
let businessId: string;
let branchId: string;

beforeEach(async () => {
  app.clock.set('2026-11-21T15:00:00Z');
  owner = await app.person({ name: 'Nadia Rahmani' });
  recruiter = await app.person({ name: 'Sam Okafor' });
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  businessId = business.id;
  await fundBusiness(app.db, app.scopeOf(owner), businessId, { currency: business.currency });
  branchId = (await makeBranch(app.db, app.scopeOf(owner), businessId, { name: 'Noord' })).id;
  await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
});

/** A shift of eight hours in December that someone applied for; its cost is the hold of an offer. */
async function application(options: Parameters<typeof makeJob>[3] = {}) {
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, {
    startsAt,
    endsAt: '2026-12-04T17:00:00.000Z',
    headCount: 5,
    ...options,
  });
  const worker = await app.person();
  const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const { terms } = await owner.api.offers.preview({ applicationId });
  return { jobId: job.id, applicationId, worker, costMinor: terms.holdMinor };
}
const refusalOf = async (call: Promise<unknown>) => {
  const { code, data } = await failure(call);
  return { code, data };
};
const limitMember = (limitMinor: number | null) =>
  owner.api.budgets.set({ businessId, memberId: recruiter.accountId, limitMinor });
const used = async (kind: 'business' | 'branch' | 'member') =>
  (await owner.api.budgets.list({ businessId, day: from })).budgets
    .filter((budget) => budget.kind === kind && budget.period === 'month')
    .map(({ name, usedMinor }) => [name, usedMinor]);
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items
    .map(({ topic }) => topic)
    .filter((topic) => topic.startsWith('budget'));

describe('a request to go over a budget', () => {
  it('names the applicant and the pay to owners, who see it counted in their menu', async () => {
    const { jobId, applicationId, worker, costMinor } = await application();
    const elsewhere = await application();
    await limitMember(1);
    const ask = (change: { applicationId?: string; payMinor?: number }) =>
      recruiter.api.budgets.ask({ jobId, amountMinor: costMinor, ...change });
    expect(await refusalOf(ask({ applicationId: elsewhere.applicationId }))).toMatchObject({
      code: 'application/not-found',
    });
    expect(await ask({})).toMatchObject({ workerName: null, payMinor: null });
    const { payMinor } = (await owner.api.offers.preview({ applicationId })).terms;
    const { name } = await worker.api.accounts.me();
    expect(await ask({ applicationId })).toMatchObject({ workerName: name, payMinor });
    app.clock.forward({ minutes: 1 });
    const noticesBefore = (await topicsOf(owner)).length;
    await ask({ applicationId, payMinor: payMinor + 100 });
    await ask({ applicationId, payMinor: payMinor + 100 });
    expect(await topicsOf(owner)).toHaveLength(noticesBefore + 1);
    expect((await owner.api.budgets.list({ businessId, day: from })).requests).toMatchObject([
      { workerName: name, payMinor: payMinor + 100 },
    ]);
    for (const role of ['manager', 'finance'] as const) {
      const member = await app.person();
      await makeMember(app.db, app.clock, businessId, member.accountId, role);
      const { requests } = await member.api.budgets.list({ businessId, day: from });
      expect(requests).toMatchObject([{ workerName: null, payMinor: null, amountMinor: costMinor }]);
    }
    const counted = async (person: Person) => (await person.api.businesses.mine())[0]?.budgetRequests;
    expect([await counted(owner), await counted(recruiter)]).toEqual([1, 0]);
  });
});

describe('budgets.set', () => {
  it('limits what a member spends in a month at any branch, but not an owner', async () => {
    const first = await application();
    const second = await application();
    const third = await application();
    const { costMinor } = first;
    await limitMember(costMinor * 2 - 1);
    await recruiter.api.offers.make({ applicationId: first.applicationId });
    expect(await refusalOf(recruiter.api.offers.make({ applicationId: second.applicationId }))).toMatchObject(
      {
        code: 'payment/over-budget',
        data: { kind: 'member', name: 'Sam Okafor', period: 'month', from, overMinor: 1, currency: 'EUR' },
      },
    );
    expect((await owner.api.offers.make({ applicationId: third.applicationId })).status).toBe('sent');
    expect(await used('member')).toEqual([['Sam Okafor', costMinor]]);
    expect(await used('business')).toEqual([['', costMinor * 2]]);
    const january = await application({
      startsAt: '2027-01-04T09:00:00.000Z',
      endsAt: '2027-01-04T17:00:00.000Z',
    });
    expect((await recruiter.api.offers.make({ applicationId: january.applicationId })).status).toBe('sent');
    await limitMember(null);
    expect((await recruiter.api.offers.make({ applicationId: second.applicationId })).status).toBe('sent');
  });

  it('is never exceeded by concurrent offers', async () => {
    const applications = [];
    for (let index = 0; index < 6; index += 1) applications.push(await application());
    const [{ costMinor = 0 } = {}] = applications;
    await limitMember(costMinor * 2);
    const outcomes = await Promise.all(
      applications.map(({ applicationId }) =>
        recruiter.api.offers.make({ applicationId }).then(
          ({ status }) => status as string,
          async (error) => (await failure(Promise.reject(error))).code as string,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(4).fill('payment/over-budget'), 'sent', 'sent']);
    expect(await used('member')).toEqual([['Sam Okafor', costMinor * 2]]);
  });

  it('counts the shifts of a series and a whole crew as one sum, all or nothing', async () => {
    const draft = await makeJob(app.db, app.scopeOf(owner), businessId, {
      status: 'draft',
      startsAt,
      endsAt: '2026-12-04T17:00:00.000Z',
      headCount: 2,
    });
    const dayAfter = (days: number) =>
      new Date(Date.parse(startsAt) + days * dayMs).toISOString().slice(0, 10);
    const { dates } = await owner.api.jobs.publish({ jobId: draft.id, alsoOn: [dayAfter(1), dayAfter(2)] });
    const jobIds = dates.map(({ jobId }) => jobId);
    const worker = await app.person();
    await worker.api.applications.submit({ jobId: jobIds[0] ?? '', alsoFor: jobIds.slice(1) });
    const { items } = await worker.api.applications.mine({});
    const [applicationId = '', ...alsoFor] = items.map(({ id }) => id);
    const { terms } = await owner.api.offers.preview({ applicationId });
    await limitMember(terms.holdMinor * 3 - 1);
    expect(await refusalOf(recruiter.api.offers.make({ applicationId, alsoFor }))).toMatchObject({
      code: 'payment/over-budget',
      data: { amountMinor: terms.holdMinor * 3, overMinor: 1 },
    });
    const crew = { jobId: jobIds[0] ?? '', workerIds: [worker.accountId], day: dayAfter(4) };
    const others = [await app.person(), await app.person(), await app.person()];
    for (const person of others) await makeApplication(app.db, app.scopeOf(person), jobIds[1] ?? '');
    const workerIds = others.map(({ accountId }) => accountId);
    expect(await refusalOf(recruiter.api.rebook.crew({ ...crew, workerIds }))).toMatchObject({
      code: 'payment/over-budget',
    });
    expect(await used('member')).toEqual([['Sam Okafor', 0]]);
    await limitMember(terms.holdMinor * 3);
    expect((await recruiter.api.offers.make({ applicationId, alsoFor })).status).toBe('sent');
    expect(await used('member')).toEqual([['Sam Okafor', terms.holdMinor * 3]]);
  });

  it('rejects instant-hire spots above it', async () => {
    const { costMinor } = await application();
    await limitMember(costMinor * 2);
    const draft = await makeJob(app.db, app.scopeOf(owner), businessId, {
      status: 'draft',
      startsAt,
      endsAt: '2026-12-04T17:00:00.000Z',
      headCount: 3,
      instantHire: true,
    });
    expect(await refusalOf(recruiter.api.jobs.publish({ jobId: draft.id }))).toMatchObject({
      code: 'payment/over-budget',
      data: { overMinor: costMinor },
    });
  });

  it('allows only owners, above zero, for a branch or member of this business', async () => {
    const at = (input: object) => refusalOf(owner.api.budgets.set({ businessId, limitMinor: 1, ...input }));
    for (const limitMinor of [0, -1, 1.5, Number.MAX_SAFE_INTEGER])
      expect(await at({ limitMinor })).toMatchObject({
        code: 'request/invalid',
        data: { issues: [{ path: 'limitMinor' }] },
      });
    expect(await at({ branchId, memberId: recruiter.accountId })).toMatchObject({
      data: { issues: [{ path: 'memberId' }] },
    });
    const stranger = await app.person();
    const elsewhere = await makeBusiness(app.db, app.scopeOf(stranger));
    const foreign = await makeBranch(app.db, app.scopeOf(stranger), elsewhere.id);
    expect(await at({ branchId: foreign.id })).toMatchObject({ code: 'branch/not-found' });
    expect(await at({ memberId: stranger.accountId })).toMatchObject({ code: 'team/member-not-found' });
    expect(await refusalOf(recruiter.api.budgets.set({ businessId, limitMinor: 1 }))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await refusalOf(stranger.api.budgets.set({ businessId, limitMinor: 1 }))).toMatchObject({
      code: 'business/not-found',
    });
  });

  it('limits a branch by week, from Monday, as well as by month, and lets an owner raise that week', async () => {
    const friday = await application({ branchId });
    const sunday = await application({
      branchId,
      startsAt: '2026-12-06T20:00:00.000Z',
      endsAt: '2026-12-07T04:00:00.000Z',
    });
    const monday = await application({
      branchId,
      startsAt: '2026-12-06T23:30:00.000Z',
      endsAt: '2026-12-07T07:30:00.000Z',
    });
    const { costMinor } = friday;
    await owner.api.budgets.set({ businessId, branchId, limitMinor: costMinor * 3 });
    await owner.api.budgets.set({ businessId, branchId, period: 'week', limitMinor: costMinor });
    const offer = ({ applicationId }: { applicationId: string }) =>
      recruiter.api.offers.make({ applicationId });
    await offer(friday);
    expect(await refusalOf(offer(sunday))).toMatchObject({
      code: 'payment/over-budget',
      data: { kind: 'branch', period: 'week', from: '2026-11-30', overMinor: costMinor },
    });
    expect((await offer(monday)).status).toBe('sent');
    const weeks = (await owner.api.budgets.list({ businessId, day: '2026-12-06' })).budgets.filter(
      (budget) => budget.period === 'week' && budget.kind === 'branch',
    );
    expect(weeks).toMatchObject([{ from: '2026-11-30', limitMinor: costMinor, usedMinor: costMinor }]);
    const ask = { jobId: sunday.jobId, amountMinor: costMinor };
    expect(await refusalOf(recruiter.api.budgets.ask(ask))).toMatchObject({ code: 'budget/not-exceeded' });
    const request = await recruiter.api.budgets.ask({ ...ask, period: 'week' });
    expect(request).toMatchObject({ period: 'week', from: '2026-11-30' });
    await owner.api.budgets.decide({ budgetRequestId: request.id, approve: true });
    expect((await offer(sunday)).status).toBe('sent');
    expect((await recruiter.api.budgets.forJob({ jobId: sunday.jobId })).budgets).toMatchObject([
      { period: 'month', raisedMinor: 0, usedMinor: costMinor * 3 },
      { period: 'week', raisedMinor: costMinor, usedMinor: costMinor * 2 },
    ]);
    // A job that is offered again for two other weeks has a request for each.
    const later = ['2026-12-08', '2026-12-15'].map((day) => ({ ...ask, day, period: 'week' as const }));
    for (const input of later) await recruiter.api.budgets.ask({ ...input, amountMinor: costMinor + 1 });
    const { requests } = await owner.api.budgets.list({ businessId });
    expect(requests.map((open) => open.from)).toEqual(['2026-12-07', '2026-12-14']);
    for (const [index, { jobId, day }] of later.entries())
      expect((await recruiter.api.budgets.forJob({ jobId, day })).requests).toMatchObject([
        { id: requests[index]?.id, status: 'open' },
      ]);
    await owner.api.budgets.set({ businessId, branchId, period: 'week', limitMinor: null });
    const left = (await owner.api.budgets.list({ businessId, day: from })).budgets.filter(
      ({ limitMinor }) => limitMinor !== null,
    );
    expect(left).toMatchObject([{ period: 'month', kind: 'branch' }]);
  });

  it("ends a member's budget when they leave the team", async () => {
    await limitMember(1);
    await owner.api.team.remove({ businessId, memberId: recruiter.accountId });
    await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
    const { budgets } = await owner.api.budgets.list({ businessId });
    expect(budgets.find(({ kind }) => kind === 'member')).toMatchObject({ limitMinor: null });
  });
});

describe('budgets.list', () => {
  it("counts only the branch's jobs, binds everyone below owner and frees an ended offer's amount", async () => {
    const noord = await application({ branchId });
    const again = await application({ branchId });
    const elsewhere = await application();
    await owner.api.budgets.set({ businessId, branchId, limitMinor: noord.costMinor });
    await recruiter.api.offers.make({ applicationId: elsewhere.applicationId });
    const offer = await recruiter.api.offers.make({ applicationId: noord.applicationId });
    const manager = await app.person();
    await makeMember(app.db, app.clock, businessId, manager.accountId, 'manager');
    const { applicationId } = again;
    expect(await refusalOf(manager.api.offers.make({ applicationId }))).toMatchObject({
      data: { kind: 'branch', name: 'Noord', overMinor: noord.costMinor },
    });
    await recruiter.api.offers.withdraw({ offerId: offer.id, version: offer.version });
    expect((await manager.api.offers.make({ applicationId })).status).toBe('sent');
    expect(await used('branch')).toEqual([['Noord', noord.costMinor]]);
  });
});

describe('budgets.mine', () => {
  it('shows recruiters only their own limit for this month and the rest of it', async () => {
    app.clock.set('2026-12-01T15:00:00Z');
    expect(await recruiter.api.budgets.mine({ businessId })).toMatchObject({ budgets: [] });
    const { applicationId, costMinor } = await application();
    await limitMember(costMinor * 3);
    await recruiter.api.offers.make({ applicationId });
    expect(await recruiter.api.budgets.mine({ businessId })).toMatchObject({
      budgets: [{ kind: 'member', period: 'month', from, limitMinor: costMinor * 3, usedMinor: costMinor }],
    });
    expect((await owner.api.budgets.mine({ businessId })).budgets).toEqual([]);
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    expect(await refusalOf(finance.api.budgets.mine({ businessId }))).toMatchObject({
      code: 'business/not-allowed',
    });
    const stranger = await app.person();
    expect(await refusalOf(stranger.api.budgets.mine({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
  });
});

describe('budgets.forJob', () => {
  it("returns the budgets of the job's month, or of another day", async () => {
    const { jobId, costMinor } = await application({ branchId });
    await limitMember(costMinor - 100);
    await owner.api.budgets.set({ businessId, branchId, limitMinor: costMinor * 3 });
    const before = await recruiter.api.budgets.forJob({ jobId });
    expect(before).toMatchObject({ mayExceed: false, requests: [], budgets: [{ from }, { from }] });
    expect(before.budgets.map(({ kind, limitMinor, usedMinor }) => [kind, limitMinor, usedMinor])).toEqual([
      ['member', costMinor - 100, 0],
      ['branch', costMinor * 3, 0],
    ]);
    expect((await owner.api.budgets.forJob({ jobId })).mayExceed).toBe(true);
    const january = { jobId, day: '2027-01-02' };
    expect(await recruiter.api.budgets.forJob(january)).toMatchObject({
      budgets: [{ from: '2027-01-01' }, { from: '2027-01-01' }],
    });
  });
});

describe('an offer that replaces another', () => {
  it("doesn't count the replaced offer's money", async () => {
    const { jobId, applicationId, costMinor } = await application();
    const otherApplication = await application();
    await limitMember(costMinor);
    const { id: replaces } = await recruiter.api.offers.make({ applicationId });
    const counted = async (job: object) =>
      (await recruiter.api.budgets.forJob({ jobId, ...job })).budgets.map(({ usedMinor }) => usedMinor);
    expect(await counted({})).toEqual([costMinor]);
    expect(await counted({ replaces })).toEqual([0]);
    expect(await counted({ jobId: otherApplication.jobId, replaces })).toEqual([costMinor]);
    const ask = { jobId, replaces };
    expect(await refusalOf(recruiter.api.budgets.ask({ ...ask, amountMinor: costMinor }))).toMatchObject({
      code: 'budget/not-exceeded',
    });
    const request = await recruiter.api.budgets.ask({ ...ask, amountMinor: costMinor + 1 });
    await owner.api.budgets.decide({ budgetRequestId: request.id, approve: true });
    const { budgets } = await recruiter.api.budgets.forJob({ jobId });
    expect(budgets.map(({ raisedMinor }) => raisedMinor)).toEqual([1]);
  });

  it('counts its money in every other request, with as many statements as for one request', async () => {
    const { jobId, applicationId, costMinor } = await application();
    const otherApplication = await application();
    await limitMember(costMinor);
    const { id: replaces } = await recruiter.api.offers.make({ applicationId });
    const statementsOfList = async () => {
      const statements: string[] = [];
      const { requests } = await onOneConnection(
        app.pool,
        (db) => listBudgets(db, app.scopeOf(owner), { businessId }),
        ({ sql }) => statements.push(sql),
      );
      return { requests, statements };
    };
    await recruiter.api.budgets.ask({ jobId, replaces, amountMinor: costMinor + 1 });
    const before = await statementsOfList();
    await recruiter.api.budgets.ask({ jobId: otherApplication.jobId, amountMinor: 1 });
    const both = await statementsOfList();
    expect(both.requests.map(({ exceeded }) => exceeded.map(({ usedMinor }) => usedMinor))).toEqual([
      [0],
      [costMinor],
    ]);
    expect(both.statements).toEqual(before.statements);
  });
});

describe('budgets.ask', () => {
  it('lets a recruiter request an instant hire above a budget and publish it once approved', async () => {
    await limitMember(10_000);
    const draft = await makeJob(app.db, app.scopeOf(owner), businessId, {
      startsAt,
      endsAt: '2026-12-04T17:00:00.000Z',
      headCount: 2,
      instantHire: true,
      status: 'draft',
    });
    const refused = await failure(recruiter.api.jobs.publish({ jobId: draft.id }));
    expect(refused).toMatchObject({ code: 'payment/over-budget', data: { jobId: draft.id, kind: 'member' } });
    const { amountMinor } = refused.data as { amountMinor: number };
    const request = await recruiter.api.budgets.ask({ jobId: draft.id, amountMinor });
    expect(request).toMatchObject({
      startsAt,
      timeZone: 'Europe/Amsterdam',
      reason: '',
      exceeded: [{ kind: 'member', name: 'Sam Okafor', limitMinor: 10_000, usedMinor: 0 }],
    });
    const approved = await owner.api.budgets.decide({ budgetRequestId: request.id, approve: true });
    expect(approved.exceeded).toEqual([]);
    const { items } = await recruiter.api.notifications.list({});
    expect(items.find(({ topic }) => topic === 'budget-decided')?.path).toBe(`/create-job?job=${draft.id}`);
    expect((await recruiter.api.jobs.publish({ jobId: draft.id })).status).toBe('open');
  });

  it("requests a month's sum when an edit raises several workers' pay, who get it once approved", async () => {
    const { jobId, applicationId, worker, costMinor } = await application();
    const outsider = await app.person();
    const { id: otherId } = await makeApplication(app.db, app.scopeOf(outsider), jobId);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, applicationId);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(outsider) }, otherId);
    const { version } = await owner.api.jobs.get({ jobId });
    const raise = () => recruiter.api.jobs.update({ jobId, version, payMinor: 1_850 });
    await limitMember(1_000);
    const refused = await failure(raise());
    expect(refused.code).toBe('payment/over-budget');
    const { amountMinor, overMinor } = refused.data as { amountMinor: number; overMinor: number };
    expect([amountMinor > 1_600, amountMinor - overMinor]).toEqual([true, 1_000]);
    const request = await recruiter.api.budgets.ask({ jobId, amountMinor });
    await owner.api.budgets.decide({ budgetRequestId: request.id, approve: true });
    await raise();
    expect(await used('business')).toEqual([['', 2 * costMinor + amountMinor]]);
  });

  it('notifies the owners of each change, including a return to an earlier amount', async () => {
    const { jobId, costMinor } = await application();
    await limitMember(1);
    for (const amountMinor of [costMinor, costMinor * 2, costMinor, costMinor]) {
      await recruiter.api.budgets.ask({ jobId, amountMinor });
      app.clock.forward({ minutes: 1 });
    }
    expect(await topicsOf(owner)).toEqual(Array(3).fill('budget-asked'));
    const { items } = await owner.api.notifications.list({ waiting: 'true' });
    expect(items.filter(({ topic }) => topic === 'budget-asked')).toHaveLength(1);
  });

  it('rejects an amount within the budget, and strangers', async () => {
    const { jobId, worker } = await application();
    expect(await refusalOf(recruiter.api.budgets.ask({ jobId, amountMinor: 1 }))).toMatchObject({
      code: 'budget/not-exceeded',
    });
    expect(await refusalOf(worker.api.budgets.ask({ jobId, amountMinor: 1 }))).toMatchObject({
      code: 'job/not-found',
    });
  });
});

describe('budgets.decide', () => {
  it('raises only the exceeded budgets of that month, enough for the offer once', async () => {
    const { jobId, applicationId, costMinor } = await application({ branchId });
    const other = await application({ branchId });
    await limitMember(costMinor - 100);
    await owner.api.budgets.set({ businessId, branchId, limitMinor: costMinor * 3 });
    await recruiter.api.budgets.ask({ jobId, amountMinor: costMinor + 50 });
    const request = await recruiter.api.budgets.ask({ jobId, amountMinor: costMinor });
    expect(request).toMatchObject({ status: 'open', memberName: 'Sam Okafor', amountMinor: costMinor });
    expect((await owner.api.budgets.list({ businessId })).requests).toEqual([request]);
    const waiting = async () => (await owner.api.notifications.list({ waiting: 'true' })).items.length;
    expect(await topicsOf(owner)).toContain('budget-asked');
    const waitingBefore = await waiting();
    expect(waitingBefore).toBeGreaterThan(0);

    const decision = { budgetRequestId: request.id, approve: true };
    expect(await refusalOf(recruiter.api.budgets.decide(decision))).toMatchObject({
      code: 'budget/not-allowed',
    });
    const stranger = await app.person();
    expect(await refusalOf(stranger.api.budgets.decide(decision))).toMatchObject({
      code: 'budget/request-not-found',
    });
    const decided = await Promise.all([
      owner.api.budgets.decide(decision),
      owner.api.budgets.decide(decision),
    ]);
    expect(decided.map(({ status }) => status)).toEqual(['approved', 'approved']);
    expect(await refusalOf(owner.api.budgets.decide({ ...decision, approve: false }))).toMatchObject({
      code: 'budget/decided',
    });
    expect(await waiting()).toBeLessThan(waitingBefore);
    expect(await topicsOf(recruiter)).toEqual(['budget-decided']);
    const after = await recruiter.api.budgets.forJob({ jobId });
    expect(after.requests).toMatchObject([{ status: 'approved' }]);
    expect(after.budgets.map(({ raisedMinor }) => raisedMinor)).toEqual([100, 0]);
    expect((await recruiter.api.offers.make({ applicationId })).status).toBe('sent');
    expect(await refusalOf(recruiter.api.offers.make({ applicationId: other.applicationId }))).toMatchObject({
      code: 'payment/over-budget',
    });
  });

  it('changes no budget when the owner rejects, and replies to the request', async () => {
    const { jobId, applicationId, costMinor } = await application();
    await limitMember(1);
    const { id } = await recruiter.api.budgets.ask({ jobId, amountMinor: costMinor });
    expect(
      await refusalOf(owner.api.budgets.decide({ budgetRequestId: id, approve: true, reason: 'Fine' })),
    ).toMatchObject({ code: 'request/invalid', data: { issues: [{ path: 'reason' }] } });
    await owner.api.budgets.decide({ budgetRequestId: id, approve: false, reason: 'December is full.' });
    expect((await recruiter.api.budgets.forJob({ jobId })).requests[0]?.reason).toBe('December is full.');
    expect(await topicsOf(recruiter)).toEqual(['budget-decided']);
    expect((await recruiter.api.notifications.list({})).items[0]?.data).toMatchObject({
      variant: 'refused',
      reason: 'December is full.',
    });
    expect(await refusalOf(recruiter.api.offers.make({ applicationId }))).toMatchObject({
      code: 'payment/over-budget',
    });
    expect((await recruiter.api.budgets.ask({ jobId, amountMinor: costMinor })).id).not.toBe(id);
  });
});
