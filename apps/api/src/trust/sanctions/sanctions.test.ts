import { addMs, dayMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { jobInput, makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { hire, makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBank, payWorker } from '../../money/payouts/payouts.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { findTypingTo } from '../../talk/conversations/chat-settings.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp();
let operator: Person;
let nadia: Person;
let leila: Person;
let businessId: string;

beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});
beforeEach(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  businessId = (await makeBusiness(app.db, app.scopeOf(nadia))).id;
});

const facts = 'You sent the same insult to four applicants on 3 November.';
const words = { rule: 'respect', facts } as const;
const warning = { ...words, measure: 'warning' } as const;
const suspension = { ...words, measure: 'suspension' } as const;
const account = ({ accountId }: Person) => ({ kind: 'account', id: accountId }) as const;
const inDays = (days: number) => addMs(app.clock.now(), days * dayMs).toISOString();
const soon = () => app.clock.forward({ seconds: 5 });

describe('sanctions.impose', () => {
  it('warns a user, who can read the full statement', async () => {
    const sanction = await operator.api.sanctions.impose({ ...warning, target: account(leila) });
    expect(sanction).toMatchObject({
      measure: 'warning',
      facts,
      rule: 'respect',
      source: 'staff',
      ending: null,
    });
    expect(await leila.api.sanctions.get({ sanctionId: sanction.id })).toEqual(sanction);
    expect((await leila.api.notifications.list({})).items).toMatchObject([
      { topic: 'sanction-imposed', path: `/tabs/menu/decisions/${sanction.id}`, data: { reason: facts } },
    ]);
    await app.runDue();
    expect(app.mails.findLast(({ to }) => to === leila.email)?.text).toContain(facts);
  });

  it('hides a job, and shows it again with its timers when lifted', async () => {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
    const hidden = { ...words, measure: 'hidden', target: { kind: 'job', id: jobId } } as const;
    const { id: sanctionId } = await operator.api.sanctions.impose(hidden);
    expect(await failure(leila.api.jobs.get({ jobId }))).toMatchObject({ code: 'job/not-found' });
    const lifted = { sanctionId, reason: 'We were wrong.' };
    expect(await operator.api.sanctions.lift(lifted)).toMatchObject({ ending: 'lifted' });
    expect(await operator.api.sanctions.lift(lifted)).toMatchObject({ ending: 'lifted' });
    expect(await leila.api.jobs.get({ jobId })).toMatchObject({ status: 'open' });
    app.clock.forward({ days: 40 });
    await app.runDue();
    expect(await nadia.api.jobs.get({ jobId })).toMatchObject({ status: 'expired' });
  });

  it("restores a job's earlier state, and leaves a closed one closed", async () => {
    const before: Record<string, string> = { open: '', paused: '', closed: '', late: '' };
    for (const key of Object.keys(before)) {
      const { id } = await makeJob(app.db, app.scopeOf(nadia), businessId);
      before[key] = id;
    }
    const { open = '', paused = '', closed = '', late = '' } = before;
    await nadia.api.jobs.pause({ jobId: paused });
    const sanctions: { id: string }[] = [];
    for (const id of [open, paused, closed, late])
      sanctions.push(
        await operator.api.sanctions.impose({ ...words, measure: 'hidden', target: { kind: 'job', id } }),
      );
    await nadia.api.jobs.close({ jobId: closed });
    const lift = (index: number) =>
      operator.api.sanctions.lift({ sanctionId: sanctions[index]?.id ?? '', reason: 'Fine.' });
    for (const index of [0, 1, 2]) await lift(index);
    app.clock.forward({ days: 40 });
    await lift(3);
    const statuses = [];
    for (const jobId of [paused, closed, late]) statuses.push((await nadia.api.jobs.get({ jobId })).status);
    expect(statuses).toEqual(['paused', 'closed', 'expired']);
  });

  it('suspends a business and its jobs until the end, then restores both', async () => {
    const job = await makeJob(app.db, app.scopeOf(nadia), businessId);
    const hiddenToo = await makeJob(app.db, app.scopeOf(nadia), businessId);
    const draft = await makeJob(app.db, app.scopeOf(nadia), businessId, { status: 'draft' });
    await operator.api.sanctions.impose({
      ...words,
      measure: 'hidden',
      target: { kind: 'job', id: hiddenToo.id },
    });
    await operator.api.sanctions.impose({
      ...suspension,
      scope: 'hiring',
      endsAt: inDays(1),
      target: { kind: 'business', id: businessId },
    });
    await app.runDue();
    expect(await failure(leila.api.jobs.get({ jobId: job.id }))).toMatchObject({ code: 'job/not-found' });
    expect(await failure(nadia.api.jobs.publish({ jobId: draft.id }))).toMatchObject({
      code: 'business/wrong-state',
    });
    app.clock.forward({ days: 1, minutes: 1 });
    await app.runDue();
    expect(await nadia.api.businesses.get({ businessId })).toMatchObject({ status: 'verified' });
    expect(await leila.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'open' });
    expect(await nadia.api.jobs.get({ jobId: hiddenToo.id })).toMatchObject({ status: 'suspended' });
    const topics = (await nadia.api.notifications.list({})).items.map(({ topic }) => topic);
    expect(topics.filter((topic) => topic === 'sanction-ended')).toHaveLength(1);
  });

  it('rejects operators who are concerned, missing records and nonsensical measures', async () => {
    const insider = app.working(await app.person());
    await makeOperator(app.db, app, insider);
    await makeMember(app.db, app.clock, businessId, insider.accountId, 'finance');
    const business = { kind: 'business', id: businessId } as const;
    const draft = await makeJob(app.db, app.scopeOf(nadia), businessId, { status: 'draft' });
    const none = { kind: 'account', id: '019aa000-0000-7000-8000-000000000001' } as const;
    const refused = [
      [insider, { ...warning, target: business }, 'operator/own-record'],
      [insider, { ...warning, target: account(insider) }, 'operator/own-record'],
      [operator, { ...warning, target: none }, 'sanction/no-target'],
      [
        operator,
        { ...words, measure: 'hidden', target: { kind: 'job', id: draft.id } },
        'sanction/not-possible',
      ],
      [operator, { ...words, measure: 'hidden', target: account(leila) }, 'request/invalid'],
      [operator, { ...suspension, target: account(leila) }, 'request/invalid'],
      [operator, { ...suspension, scope: 'chat', target: business }, 'request/invalid'],
      [
        operator,
        { ...suspension, scope: 'chat', endsAt: inDays(-1), target: account(leila) },
        'request/invalid',
      ],
      [operator, { ...warning, endsAt: inDays(1), target: account(leila) }, 'request/invalid'],
      [operator, { ...warning, facts: ' ', target: account(leila) }, 'request/invalid'],
      [leila, { ...warning, target: account(nadia) }, 'operator/required'],
    ] as const;
    for (const [who, input, code] of refused)
      expect(await failure(who.api.sanctions.impose(input as never)), code).toMatchObject({ code });
    expect((await leila.api.sanctions.mine({})).items).toEqual([]);
  });
});

describe('sanctions.lift', () => {
  it('ends a suspension at once', async () => {
    const { id: sanctionId } = await operator.api.sanctions.impose({
      ...suspension,
      scope: 'everything',
      target: account(leila),
    });
    soon();
    expect(await failure(leila.api.profiles.save({ bio: 'x' }))).toMatchObject({ code: 'account/suspended' });
    await operator.api.sanctions.lift({ sanctionId, reason: 'Settled.' });
    soon();
    await leila.api.profiles.save({ bio: 'x' });
    const none = '019aa000-0000-7000-8000-000000000001';
    expect(await failure(operator.api.sanctions.lift({ sanctionId: none, reason: 'x' }))).toMatchObject({
      code: 'sanction/not-found',
    });
  });
});

describe('sanctions.reversal', () => {
  it('says that a decision has ended, and which suspension of a person stays', async () => {
    const target = { kind: 'account', id: leila.accountId } as const;
    const suspension = { ...words, measure: 'suspension', target } as const;
    const { id: sanctionId } = await operator.api.sanctions.impose({ ...suspension, scope: 'everything' });
    await operator.api.sanctions.impose({ ...suspension, scope: 'chat' });
    const free = { state: 'free', businessStatus: null };
    expect(await operator.api.sanctions.reversal({ sanctionId })).toEqual({
      ...free,
      ends: true,
      otherScopes: ['chat'],
    });
    await operator.api.sanctions.lift({ sanctionId, reason: 'We were wrong.' });
    expect(await operator.api.sanctions.reversal({ sanctionId })).toMatchObject({ ends: false });
  });

  it('is for uninvolved operators', async () => {
    const target = { kind: 'business', id: businessId } as const;
    const { id: sanctionId } = await operator.api.sanctions.impose({ ...words, measure: 'warning', target });
    expect(await operator.api.sanctions.reversal({ sanctionId })).toMatchObject({ ends: true, state: null });
    const insider = app.working(await app.person());
    await makeOperator(app.db, app, insider);
    await makeMember(app.db, app.clock, businessId, insider.accountId, 'finance');
    expect(await failure(insider.api.sanctions.reversal({ sanctionId }))).toMatchObject({
      code: 'operator/own-record',
    });
    expect(await failure(operator.api.sanctions.reversal({ sanctionId: businessId }))).toMatchObject({
      status: 404,
      code: 'sanction/not-found',
    });
    expect(await failure(operator.api.sanctions.reversal({ sanctionId: 'x' }))).toMatchObject({
      status: 400,
    });
  });
});

describe('sanctions.mine', () => {
  it('lists decisions about the caller and the businesses they recruit for, in pages', async () => {
    await operator.api.sanctions.impose({ ...warning, target: account(nadia) });
    await operator.api.sanctions.impose({ ...warning, target: { kind: 'business', id: businessId } });
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    const first = await nadia.api.sanctions.mine({ limit: 1 });
    expect(first.items).toMatchObject([{ target: { kind: 'business' }, business: { id: businessId } }]);
    const second = await nadia.api.sanctions.mine({ limit: 1, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ target: { kind: 'account' } }], nextCursor: null });
    for (const person of [finance, leila]) expect((await person.api.sanctions.mine({})).items).toEqual([]);
  });
});

describe('sanctions.get', () => {
  it('allows only those concerned', async () => {
    const { id: sanctionId } = await operator.api.sanctions.impose({ ...warning, target: account(leila) });
    for (const person of [nadia, operator])
      expect(await failure(person.api.sanctions.get({ sanctionId }))).toMatchObject({
        status: 404,
        code: 'sanction/not-found',
      });
  });
});

describe('a suspended account', () => {
  it("can't hire from the moment of its suspension, before its jobs are hidden", async () => {
    const job = await makeJob(app.db, app.scopeOf(nadia), businessId, { headCount: 1 });
    const instant = await makeJob(app.db, app.scopeOf(nadia), businessId, {
      headCount: 1,
      instantHire: true,
    });
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const offer = await makeOffer(app.db, app.scopeOf(nadia), applicationId);
    const target = { kind: 'business', id: businessId } as const;
    await operator.api.sanctions.impose({ ...suspension, scope: 'hiring', target });
    const { accept } = leila.api.offers;
    expect(await failure(accept({ offerId: offer.id, version: offer.version }))).toMatchObject({
      code: 'offer/wrong-state',
    });
    const sam = await app.person({ name: 'Sam Okafor' });
    expect(await failure(sam.api.applications.submit({ jobId: instant.id, book: true }))).toMatchObject({
      code: 'application/not-bookable',
    });
  });

  it('is skipped when a spot is offered to the waitlist', async () => {
    const job = await makeJob(app.db, app.scopeOf(nadia), businessId, { headCount: 1 });
    const sam = await app.person({ name: 'Sam Okafor' });
    const mona = await app.person({ name: 'Mona Lind' });
    const applications = [];
    for (const person of [leila, sam, mona])
      applications.push((await makeApplication(app.db, app.scopeOf(person), job.id)).id);
    const [hired = '', suspended = '', next = ''] = applications;
    const booked = await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(leila) }, hired);
    await app.runDue();
    await sam.api.waitlist.join({ applicationId: suspended });
    app.clock.forward({ seconds: 1 });
    await mona.api.waitlist.join({ applicationId: next });
    await operator.api.sanctions.impose({ ...suspension, scope: 'applying', target: account(sam) });
    const { id, version } = await leila.api.engagements.get({ engagementId: booked.engagementId });
    await leila.api.engagements.cancel({ engagementId: id, version, reason: 'I am ill.' });
    const offersOf = async (person: Person) => (await person.api.offers.mine({})).items;
    expect(await offersOf(sam)).toEqual([]);
    expect(await offersOf(mona)).toMatchObject([{ source: 'waitlist', status: 'sent' }]);
  });

  it('loses only what its suspension covers, and can read everything', async () => {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
    const until = inDays(3);
    await operator.api.sanctions.impose({
      ...suspension,
      scope: 'applying',
      endsAt: until,
      target: account(leila),
    });
    soon();
    const apply = { jobId, coverNote: '', answers: [] };
    expect(await failure(leila.api.applications.submit(apply))).toMatchObject({
      status: 403,
      code: 'account/suspended',
      data: { scope: 'applying', until },
    });
    expect(await leila.api.jobs.get({ jobId })).toMatchObject({ id: jobId });
    await leila.api.profiles.save({ bio: 'Still here' });
    app.clock.forward({ days: 3, minutes: 1 });
    await app.runDue();
    expect((await leila.api.sanctions.mine({})).items).toMatchObject([{ ending: 'expired' }]);
    expect(await failure(leila.api.applications.submit({ ...apply, jobId: businessId }))).toMatchObject({
      code: 'job/not-found',
    });
  });

  it('can still withdraw its pay and appeal when suspended from everything', async () => {
    const method = await makeBank(app.db, app.scopeOf(leila));
    app.clock.forward({ days: 5 });
    await payWorker(app.db, app.scopeOf(leila), leila.accountId, 10_000, { atOnce: true });
    const { id: sanctionId } = await operator.api.sanctions.impose({
      ...suspension,
      scope: 'everything',
      target: account(leila),
    });
    soon();
    expect(await failure(leila.api.profiles.save({ bio: 'x' }))).toMatchObject({
      code: 'account/suspended',
      data: { scope: 'everything', until: null },
    });
    const withdrawal = { methodId: method.id, amountMinor: 10_000, speed: 'standard' } as const;
    expect(await leila.api.payouts.withdraw(withdrawal)).toMatchObject({ amountMinor: 10_000 });
    await leila.api.appeals.create({ sanctionId, words: 'It was not me.' });
  });

  it('can neither write nor show typing when suspended from chat', async () => {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
    await makeApplication(app.db, app.scopeOf(leila), jobId);
    const { id: conversationId } = await makeConversation(app.db, app.scopeOf(leila), jobId);
    const typing = () => findTypingTo(app.db, leila.accountId, conversationId, app.clock.now());
    expect(await typing()).not.toBeNull();
    await operator.api.sanctions.impose({ ...suspension, scope: 'chat', target: account(leila) });
    soon();
    const message = { conversationId, clientId: crypto.randomUUID(), body: 'Hello' };
    expect(await failure(leila.api.messages.send(message))).toMatchObject({ code: 'account/suspended' });
    expect(await typing()).toBeNull();
    await nadia.api.messages.send({ ...message, clientId: crypto.randomUUID() });
  });

  it('can still decide and apply without a message when suspended from chat', async () => {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId, { kind: 'task' });
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), jobId);
    const other = await app.person();
    const { id: otherId } = await makeApplication(app.db, app.scopeOf(other), jobId);
    for (const person of [nadia, other])
      await operator.api.sanctions.impose({ ...suspension, scope: 'chat', target: account(person) });
    soon();
    const refused = { code: 'account/suspended', data: { scope: 'chat' } };
    const funding = { from: 'balance' } as const;
    const words = { applicationId, message: 'Call me on 06 12345678', funding };
    expect(await failure(nadia.api.offers.make(words))).toMatchObject(refused);
    expect(
      await failure(nadia.api.interviews.propose({ ...words, kind: 'phone', slots: [] } as never)),
    ).toMatchObject(refused);
    const note = { applicationId, reason: 'other', note: 'Call me' } as const;
    expect(await failure(nadia.api.applicants.reject(note))).toMatchObject(refused);
    expect(await nadia.api.offers.make({ ...words, message: ' ' })).toMatchObject({ message: '' });
    const answers = {
      applicationId: otherId,
      version: 1,
      coverNote: '',
      answers: [{ questionId: jobId, value: 'Call me' }],
    };
    expect(await failure(other.api.applications.update(answers))).toMatchObject(refused);
    await other.api.applications.withdraw({ applicationId: otherId });
  });

  it("can't shortlist, alone or in bulk, when suspended from hiring", async () => {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), jobId);
    const each = [
      () => nadia.api.applicants.shortlist({ applicationId }),
      () => nadia.api.applicants.bulk({ businessId, action: 'shortlist', items: [{ applicationId }] }),
    ];
    const target = { kind: 'business', id: businessId } as const;
    const ofBusiness = await operator.api.sanctions.impose({ ...suspension, scope: 'hiring', target });
    const reject = () =>
      nadia.api.applicants.bulk({
        businessId,
        action: 'reject',
        reason: 'other',
        items: [{ applicationId }],
      });
    for (const shortlist of each)
      expect(await failure(shortlist())).toMatchObject({ code: 'business/wrong-state' });
    await operator.api.sanctions.lift({ sanctionId: ofBusiness.id, reason: 'Settled.' });
    await operator.api.sanctions.impose({ ...suspension, scope: 'hiring', target: account(nadia) });
    soon();
    for (const shortlist of each)
      expect(await failure(shortlist())).toMatchObject({ code: 'account/suspended' });
    expect((await reject()).results).toMatchObject([{ ok: true }]);
  });

  it("can't tip or add money, but pays what it owes, when suspended from everything", async () => {
    await operator.api.sanctions.impose({ ...suspension, scope: 'everything', target: account(nadia) });
    soon();
    const refused = { code: 'account/suspended', data: { scope: 'everything' } };
    const amount = { amountMinor: 100_000, currency: 'EUR' } as const;
    expect(await failure(nadia.api.wallet.topUp({ businessId, ...amount } as never))).toMatchObject(refused);
    const engagementId = businessId;
    expect(await failure(nadia.api.pay.tip({ engagementId, ...amount } as never))).toMatchObject(refused);
    expect(await failure(nadia.api.timesheets.approve({ engagementId, version: 1 }))).toMatchObject({
      status: 404,
    });
  });

  it("can't post in any of its businesses when suspended from hiring", async () => {
    await operator.api.sanctions.impose({ ...suspension, scope: 'hiring', target: account(nadia) });
    soon();
    expect(await failure(nadia.api.jobs.create({ businessId, ...jobInput(app.clock) }))).toMatchObject({
      code: 'account/suspended',
    });
  });
});
