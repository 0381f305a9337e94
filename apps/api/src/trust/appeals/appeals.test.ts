import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp();
let first: Person;
let second: Person;
let nadia: Person;
let leila: Person;
let businessId: string;

beforeAll(async () => {
  first = await app.person({ name: 'Jonas Weber' });
  second = await app.person({ name: 'Mila Horvat' });
  for (const person of [first, second]) await makeOperator(app.db, app, person);
  [first, second] = [app.working(first), app.working(second)];
});
beforeEach(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  businessId = (await makeBusiness(app.db, app.scopeOf(nadia))).id;
});

const words = { rule: 'real-jobs', facts: 'Three applicants say there is no such café.' } as const;
const hide = async () => {
  const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
  const target = { kind: 'job', id: jobId } as const;
  const { id: sanctionId } = await first.api.sanctions.impose({ ...words, measure: 'hidden', target });
  return { jobId, sanctionId };
};
const appealed = async () => {
  const { jobId, sanctionId } = await hide();
  const appeal = await nadia.api.appeals.create({ sanctionId, words: 'We opened last week.' });
  return { jobId, sanctionId, appealId: appeal.appeal?.id ?? '' };
};
const claim = async (appealId: string): Promise<void> => {
  await second.api.cases.claim({ kind: 'appeal', subjectId: appealId });
};
const noticesOf = async ({ api }: Person, topic: string) =>
  (await api.notifications.list({})).items.filter((notice) => notice.topic === topic);

describe('appeals.create', () => {
  it('allows one appeal by those concerned, within six months', async () => {
    const { sanctionId } = await hide();
    const appeal = await nadia.api.appeals.create({ sanctionId, words: 'We opened last week.' });
    expect(appeal).toMatchObject({
      appealUntil: null,
      appeal: { words: 'We opened last week.', outcome: null },
    });
    expect(await failure(nadia.api.appeals.create({ sanctionId, words: 'Again.' }))).toMatchObject({
      status: 409,
      code: 'appeal/exists',
    });
    expect(await failure(leila.api.appeals.create({ sanctionId, words: 'Me too.' }))).toMatchObject({
      status: 404,
      code: 'sanction/not-found',
    });
    const later = await hide();
    app.clock.forward({ days: 184 });
    expect(await failure(nadia.api.appeals.create({ ...later, words: 'Late.' }))).toMatchObject({
      code: 'appeal/too-late',
    });
    for (const wrong of ['', ' ', 'x'.repeat(2_001)])
      expect(await failure(nadia.api.appeals.create({ ...later, words: wrong }))).toMatchObject({
        code: 'request/invalid',
      });
  });

  it('counts once when two members appeal concurrently', async () => {
    const { sanctionId } = await hide();
    const other = await app.person();
    await makeMember(app.db, app.clock, businessId, other.accountId, 'manager');
    const tries = await Promise.allSettled(
      [nadia, other].map(({ api }) => api.appeals.create({ sanctionId, words: 'No.' })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('an appeal in the queue', () => {
  it('allows only operators who neither made the decision nor are concerned', async () => {
    const { appealId, sanctionId } = await appealed();
    const insider = app.working(await app.person());
    await makeOperator(app.db, app, insider);
    await makeMember(app.db, app.clock, businessId, insider.accountId, 'finance');
    const has = async ({ api }: Person) =>
      (await api.cases.list({ kind: 'appeal', limit: 100 })).items.some(
        ({ subjectId }) => subjectId === appealId,
      );
    expect([await has(second), await has(first), await has(insider)]).toEqual([true, false, false]);
    const caseRef = { kind: 'appeal', subjectId: appealId } as const;
    const file = await second.api.cases.get(caseRef);
    expect(file.people.map(({ name }) => name)).toEqual(['Nadia Brandt']);
    expect(file.facts).toMatchObject({
      appeal: {
        by: { accountId: nadia.accountId },
        sanction: { id: sanctionId },
        escalatedAt: null,
        evidence: { text: expect.stringContaining('Make coffee'), messages: [], seq: null },
      },
    });
    const ownDecisions = async ({ api }: Person) =>
      (await api.cases.counts()).find(({ kind }) => kind === 'appeal')?.forOthers;
    expect(await ownDecisions(first)).toBeGreaterThan(0);
    expect([await ownDecisions(second), await ownDecisions(insider)]).toEqual([0, 0]);
    for (const person of [first, insider])
      expect(await failure(person.api.cases.get(caseRef))).toMatchObject({ code: 'operator/own-record' });
  });
});

describe('a question in an appeal', () => {
  it('goes to a side, never to the operators of the decision, and holds the appeal until the answer', async () => {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
    await leila.api.reports.create({ kind: 'job', subjectId: jobId, reason: 'scam', note: 'No café.' });
    const reported = (await first.api.cases.list({ kind: 'report', limit: 100 })).items.at(-1);
    const subjectId = reported?.subjectId ?? '';
    await first.api.cases.claim({ kind: 'report', subjectId });
    const action = { ...words, measure: 'hidden' } as const;
    await first.api.reports.decide({ reportCaseId: subjectId, answer: 'We hid it.', action });
    const [decision] = (await nadia.api.sanctions.mine({})).items;
    const { appeal } = await nadia.api.appeals.create({
      sanctionId: decision?.id ?? '',
      words: 'It exists.',
    });
    const caseRef = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    await second.api.cases.claim(caseRef);
    const { people, facts } = await second.api.cases.get(caseRef);
    expect(facts).toMatchObject({ appeal: { evidence: { others: [], text: expect.any(String) } } });
    expect(people.map(({ name, side }) => [name, side])).toEqual([
      ['Leila Haddad', 'reporter'],
      ['Nadia Brandt', 'business'],
    ]);
    const ask = (accountId: string) =>
      second.api.cases.ask({ ...caseRef, accountId, body: 'Where is it?', hours: 24 });
    expect(await failure(ask(first.accountId))).toMatchObject({ code: 'case/no-such-side' });
    expect(await ask(nadia.accountId)).toMatchObject({ waitsUntil: expect.any(String) });
    const [request] = (await nadia.api.tickets.list({})).items;
    expect(request?.subject).toMatch(/^Your appeal: /);
    const ticketId = request?.id ?? '';
    await nadia.api.tickets.reply({ ticketId, body: 'Oude Gracht 4.', fileIds: [] });
    const { item, questions } = await second.api.cases.get(caseRef);
    expect(item).toMatchObject({ waitsUntil: null, answeredAt: expect.any(String) });
    expect(questions).toMatchObject([{ messages: [{ body: 'Where is it?' }, { body: 'Oude Gracht 4.' }] }]);
    expect((await second.api.cases.list({ kind: 'ticket', limit: 100 })).items).toEqual([]);
    const upheld = { outcome: 'upheld', reason: 'There is no such address.' } as const;
    await second.api.appeals.decide({ appealId: caseRef.subjectId, ...upheld });
    expect(await nadia.api.tickets.get({ ticketId })).toMatchObject({ status: 'solved' });
  });
});

describe('appeals.decide', () => {
  it('shows the job again with the reason when another operator overturns', async () => {
    const { appealId, jobId, sanctionId } = await appealed();
    const decision = { appealId, outcome: 'overturned', reason: 'We called the café.' } as const;
    expect(await failure(first.api.appeals.decide(decision))).toMatchObject({
      status: 403,
      code: 'operator/own-decision',
    });
    const decided = await second.api.appeals.decide(decision);
    expect(decided).toMatchObject({ outcome: 'overturned', sanction: { ending: 'overturned' } });
    expect(await second.api.appeals.decide(decision)).toEqual(decided);
    expect(await leila.api.jobs.get({ jobId })).toMatchObject({ status: 'open' });
    expect(await nadia.api.sanctions.get({ sanctionId })).toMatchObject({
      appeal: { outcome: 'overturned', reason: 'We called the café.' },
    });
    expect(await noticesOf(nadia, 'appeal-decided')).toMatchObject([{ data: { variant: 'overturned' } }]);
    expect(await failure(second.api.appeals.decide({ ...decision, outcome: 'upheld' }))).toMatchObject({
      code: 'appeal/decided',
    });
  });

  it('leaves the decision unchanged when upheld', async () => {
    const { appealId, jobId } = await appealed();
    await claim(appealId);
    await second.api.appeals.decide({ appealId, outcome: 'upheld', reason: 'There is no such address.' });
    expect(await nadia.api.jobs.get({ jobId })).toMatchObject({ status: 'suspended' });
    expect(await noticesOf(nadia, 'appeal-decided')).toMatchObject([{ data: { variant: 'upheld' } }]);
  });

  it('ends a suspension when overturned', async () => {
    const target = { kind: 'account', id: leila.accountId } as const;
    const suspension = { ...words, measure: 'suspension', scope: 'everything' } as const;
    const { id: sanctionId } = await first.api.sanctions.impose({ ...suspension, target });
    app.clock.forward({ seconds: 5 });
    const { appeal } = await leila.api.appeals.create({ sanctionId, words: 'Not me.' });
    await claim(appeal?.id ?? '');
    await second.api.appeals.decide({ appealId: appeal?.id ?? '', outcome: 'overturned', reason: 'Right.' });
    app.clock.forward({ seconds: 5 });
    expect(await leila.api.profiles.save({ bio: 'Back' })).toMatchObject({ bio: 'Back' });
  });

  it('is rejected by the database for the deciding operator; a control without the rule passes', async () => {
    const { appealId } = await appealed();
    const decide = sql`update appeals set outcome = 'upheld', reason = 'x', decided_by = ${first.accountId}, decided_at = now()
      where id = ${appealId}`;
    await expect(decide.execute(app.db)).rejects.toThrow('appeals_by_another');
    // Naming someone else as the decider does not help either.
    const disguised = sql`update appeals set sanction_by = ${second.accountId} where id = ${appealId}`;
    await expect(disguised.execute(app.db)).rejects.toThrow('appeals_sanction_id_sanction_by_fkey');
    await sql`alter table appeals drop constraint appeals_by_another`.execute(app.db);
    try {
      const { numAffectedRows } = await decide.execute(app.db);
      expect(numAffectedRows).toBe(1n);
    } finally {
      await sql`update appeals set decided_by = ${second.accountId} where id = ${appealId}`.execute(app.db);
      await sql`alter table appeals add constraint appeals_by_another check (decided_by <> sanction_by)`.execute(
        app.db,
      );
    }
  });
});

describe('the effect that a case shows before an appeal is decided', () => {
  const suspend = () =>
    first.api.sanctions.impose({
      ...words,
      measure: 'suspension',
      scope: 'hiring',
      target: { kind: 'business', id: businessId },
    });
  const refuse = async () => {
    await app.db
      .updateTable('businesses')
      .set({ status: 'submitted' })
      .where('id', '=', businessId)
      .execute();
    const caseRef = { kind: 'business_verification', subjectId: businessId } as const;
    await first.api.cases.claim(caseRef);
    const { facts } = await first.api.cases.get(caseRef);
    const version = facts.kind === 'business_verification' ? facts.review.version : 0;
    const decision = { decision: 'reject', reason: 'No such company.', rule: 'identity' } as const;
    await first.api.businessVerification.decide({ businessId, version, ...decision });
  };
  const hideAgain = (jobId: string) =>
    first.api.sanctions.impose({ ...words, measure: 'hidden', target: { kind: 'job', id: jobId } });
  const refuseJob = async () => {
    const text = { status: 'draft', description: 'Pay a registration fee of €25 first.' } as const;
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId, text);
    await nadia.api.jobs.publish({ jobId });
    await first.api.cases.claim({ kind: 'job_review', subjectId: jobId });
    return { jobId, sanctionId: (await first.api.jobReviews.refuse({ jobId, ...words })).id };
  };
  type Decide = () => Promise<{ jobId: string; sanctionId: string }>;
  const cases: [string, Decide, (jobId: string) => Promise<unknown>, object][] = [
    ['a hidden job', hide, async () => {}, { state: 'open', businessStatus: 'verified' }],
    [
      'a hidden job of a business suspended since',
      hide,
      suspend,
      { state: 'suspended', businessStatus: 'suspended' },
    ],
    [
      'a hidden job of a business refused since',
      hide,
      refuse,
      { state: 'suspended', businessStatus: 'rejected' },
    ],
    ['a hidden job closed since', hide, (jobId) => nadia.api.jobs.close({ jobId }), { state: 'closed' }],
    ['a hidden job hidden twice', hide, hideAgain, { state: 'suspended' }],
    ['a refused job', refuseJob, async () => {}, { state: 'open' }],
    [
      'a refused job of a business suspended since',
      refuseJob,
      suspend,
      { state: 'suspended', businessStatus: 'suspended' },
    ],
  ];

  it.each(cases)('is what the reversal does: %s', async (_, decide, change, effect) => {
    businessId = (await makeBusiness(app.db, app.scopeOf(nadia), { verified: true })).id;
    const { jobId, sanctionId } = await decide();
    await change(jobId);
    await app.runDue();
    const { appeal } = await nadia.api.appeals.create({ sanctionId, words: 'We opened last week.' });
    const caseRef = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    await second.api.cases.claim(caseRef);
    const statusOf = async () => (await nadia.api.jobs.get({ jobId })).status;
    const before = await statusOf();
    const { facts } = await second.api.cases.get(caseRef);
    expect(facts).toMatchObject({
      appeal: {
        decider: 'Jonas Weber',
        fromCase: decide === refuseJob ? { kind: 'job_review', subjectId: jobId } : null,
      },
    });
    const reversal = facts.kind === 'appeal' ? facts.appeal.reversal : null;
    expect(reversal).toMatchObject({ ends: true, ...effect });
    expect(await second.api.sanctions.reversal({ sanctionId })).toEqual(reversal);
    expect(await nadia.api.sanctions.get({ sanctionId })).toMatchObject({ endedAt: null });
    expect(await statusOf()).toBe(before);
    const overturned = {
      appealId: caseRef.subjectId,
      outcome: 'overturned',
      reason: 'You are right.',
    } as const;
    await second.api.appeals.decide(overturned);
    await app.runDue();
    expect(await statusOf()).toBe(reversal?.state);
  });

  it('opens a refused verification for another operator, and lists the reversal for the first', async () => {
    await refuse();
    const [{ id: sanctionId = '' } = {}] = (await nadia.api.sanctions.mine({})).items;
    const { appeal } = await nadia.api.appeals.create({ sanctionId, words: 'We have a registration.' });
    const appealRef = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    app.clock.forward({ minutes: 1 });
    // It asks again before the appeal is decided, which makes the first operator no more independent.
    await app.db
      .insertInto('business_moves')
      .values({
        id: crypto.randomUUID(),
        businessId,
        actor: `business:${nadia.accountId}`,
        action: 'submit',
        fromStatus: 'rejected',
        toStatus: 'resubmitted',
        at: app.clock.now(),
      })
      .execute();
    await app.db
      .updateTable('businesses')
      .set({ status: 'resubmitted' })
      .where('id', '=', businessId)
      .execute();
    app.clock.forward({ minutes: 1 });
    await second.api.cases.claim(appealRef);
    const overturned = {
      appealId: appealRef.subjectId,
      outcome: 'overturned',
      reason: 'It exists.',
    } as const;
    await second.api.appeals.decide(overturned);
    const caseRef = { kind: 'business_verification', subjectId: businessId } as const;
    expect(await failure(first.api.cases.get(caseRef))).toMatchObject({ code: 'operator/own-record' });
    const counts = await first.api.cases.counts();
    expect(counts.find(({ kind }) => kind === caseRef.kind)?.forOthers).toBeGreaterThan(0);
    expect(await second.api.cases.claim(caseRef)).toMatchObject({ claimedBy: { id: second.accountId } });
    expect((await second.api.cases.get(caseRef)).people.map(({ name }) => name)).toEqual(['Nadia Brandt']);
    const solved = await first.api.cases.closed({ decidedBy: first.accountId });
    expect(solved.items.slice(0, 2)).toMatchObject([
      { ...appealRef, decision: 'overturned', by: { id: second.accountId } },
      { ...caseRef, decision: 'reject', by: { id: first.accountId } },
    ]);
    expect((await first.api.cases.decided(appealRef)).item).toMatchObject({ reason: 'It exists.' });
    const { facts } = await second.api.cases.get(caseRef);
    const version = facts.kind === 'business_verification' ? facts.review.version : 0;
    await second.api.businessVerification.decide({ businessId, version, decision: 'verify', reason: '' });
    app.clock.forward({ minutes: 1 });
    const named = await nadia.api.businesses.get({ businessId });
    await nadia.api.businesses.update({ businessId, version: named.version, legalName: 'Kopi & Crumb BV' });
    expect(await nadia.api.businesses.get({ businessId })).toMatchObject({ status: 'submitted' });
    expect((await first.api.cases.get(caseRef)).item).toMatchObject({ kind: caseRef.kind });
  });

  it('shows a refused job once the suspension of its business ends', async () => {
    const { jobId, sanctionId } = await refuseJob();
    const { id: suspensionId } = await suspend();
    await first.api.sanctions.lift({ sanctionId, reason: 'We were wrong.' });
    expect(await nadia.api.jobs.get({ jobId })).toMatchObject({ status: 'suspended' });
    await first.api.sanctions.lift({ sanctionId: suspensionId, reason: 'We were wrong.' });
    await app.runDue();
    expect(await leila.api.jobs.get({ jobId })).toMatchObject({ status: 'open' });
  });
});

describe('the deadline of an appeal', () => {
  const mailsAbout = (appealId: string) =>
    app.mails.filter(({ text }) => text.includes(`/operator/cases/appeal/${appealId}`)).map(({ to }) => to);

  it('mails every operator who can decide it, once, unless it was decided', async () => {
    const finance = await app.person();
    await makeOperator(app.db, app, finance, ['finance']);
    const { appealId } = await appealed();
    const other = await appealed();
    await claim(other.appealId);
    await second.api.appeals.decide({ appealId: other.appealId, outcome: 'upheld', reason: 'No.' });
    app.clock.forward({ days: 7, minutes: 1 });
    await app.runDue();
    await app.runDue();
    const { items } = await second.api.cases.list({ kind: 'appeal', limit: 100 });
    expect(items.find(({ subjectId }) => subjectId === appealId)).toMatchObject({ priority: 'urgent' });
    expect(items.map(({ subjectId }) => subjectId)).not.toContain(other.appealId);
    const readers = mailsAbout(appealId);
    expect(readers.filter((to) => to === second.email)).toHaveLength(1);
    expect(readers).not.toContain(first.email);
    expect(readers).not.toContain(finance.email);
    expect(mailsAbout(other.appealId)).toEqual([]);
  });

  it('mails only the operator who claimed it', async () => {
    const { appealId } = await appealed();
    await claim(appealId);
    app.clock.forward({ days: 7, minutes: 1 });
    await app.runDue();
    expect(mailsAbout(appealId)).toEqual([second.email]);
  });
});
