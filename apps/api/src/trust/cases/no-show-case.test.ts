import { addMs, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { deleteClosedCases, deleteOldEvidence } from './closed-cases.ts';

const app = useTestApp();
let operator: Person;
let nadia: Person;
let recruiter: Person;
let leila: Person;
let businessId: string;
let caseRef: { kind: 'no_show'; subjectId: string };
let version: number;

beforeAll(async () => {
  operator = await app.person({ name: 'Mina Okafor' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  nadia = await app.person({ name: 'Nadia Rahmani' });
  recruiter = await app.person({ name: 'Omar Idrissi' });
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
  await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
  app.clock.set(new Date(Date.parse(shift.terms.startsAt ?? '') + 70 * minuteMs));
  const conversation = await makeConversation(app.db, app.scopeOf(leila), shift.jobId);
  await leila.api.messages.send({
    conversationId: conversation.id,
    clientId: crypto.randomUUID(),
    body: 'The door is locked.',
  });
  const tried = app.clock.now().toISOString();
  const position = { lat: 52.4, lng: 4.9, accuracyM: 18 };
  expect(
    await failure(
      leila.api.attendance.checkIn({
        engagementId: shift.id,
        at: tried,
        sentAt: tried,
        position,
        code: null,
      }),
    ),
  ).toMatchObject({ code: 'attendance/too-far' });
  const reported = await nadia.api.engagements.reportNoShow({ engagementId: shift.id, version: 1 });
  const note = 'The door was locked.';
  const contested = { engagementId: shift.id, version: reported.version, note };
  ({ version } = await leila.api.engagements.contest(contested));
  caseRef = { kind: 'no_show', subjectId: shift.id };
  await operator.api.cases.claim(caseRef);
});

const question = 'Was the side door named anywhere?';
const ask = (to: Person, change: object = {}) =>
  operator.api.cases.ask({ ...caseRef, accountId: to.accountId, body: question, hours: 24, ...change });
const isQueued = async (waiting: boolean, kind: 'no_show' | 'ticket' = 'no_show') =>
  (await operator.api.cases.list({ kind, limit: 100, waiting: waiting ? ('true' as const) : undefined }))
    .items;
const listed = async (waiting: boolean) =>
  (await isQueued(waiting)).some(({ subjectId }) => subjectId === caseRef.subjectId);
const ticketOf = async (person: Person) => (await person.api.tickets.list({})).items[0]?.id ?? '';

describe('cases.ask', () => {
  it('notifies a side in the app and by mail, and the case waits', async () => {
    const before = (await operator.api.cases.counts()).find(({ kind }) => kind === 'no_show');
    const item = await ask(nadia);
    const due = addMs(app.clock.now(), 24 * hourMs).toISOString();
    expect(item).toMatchObject({
      waitsUntil: due,
      waitsFor: ['business'],
      answeredAt: null,
      claimedBy: { name: 'Mina Okafor' },
    });
    expect(await failure(ask(nadia))).toMatchObject({ status: 409, code: 'case/already-asked' });
    expect([await listed(false), await listed(true)]).toEqual([false, true]);
    const after = (await operator.api.cases.counts()).find(({ kind }) => kind === 'no_show');
    expect([after?.open, after?.waiting]).toEqual([(before?.open ?? 0) - 1, (before?.waiting ?? 0) + 1]);
    await app.runDue();
    const ticketId = await ticketOf(nadia);
    expect(await nadia.api.tickets.get({ ticketId })).toMatchObject({
      subject: 'Wash up',
      status: 'waiting',
      dueAt: due,
      messages: [{ author: 'staff', body: question }],
    });
    const notices = (await nadia.api.notifications.list({ limit: 100 })).items;
    expect(notices.filter(({ topic }) => topic === 'ticket-asked')).toMatchObject([
      { path: `/tabs/menu/request/${ticketId}` },
    ]);
    expect(app.mails.some(({ to, text }) => to === nadia.email && text.includes(question))).toBe(true);
    expect((await leila.api.tickets.list({})).items).toEqual([]);
  });

  it('resumes the case with the reply and its files', async () => {
    await ask(nadia);
    const ticketId = await ticketOf(nadia);
    const file = await makeFile(app.db, app.scopeOf(nadia), { purpose: 'ticket' });
    await nadia.api.tickets.reply({ ticketId, body: 'There was a sign.', fileIds: [file.id] });
    expect([await listed(false), await listed(true)]).toEqual([true, false]);
    expect(await isQueued(false, 'ticket')).toEqual([]);
    const { questions, item } = await operator.api.cases.get(caseRef);
    expect(questions).toMatchObject([
      {
        to: { name: 'Nadia Rahmani', side: 'business' },
        status: 'open',
        messages: [{ body: question }, { body: 'There was a sign.', files: [{ id: file.id }] }],
      },
    ]);
    expect(item).toMatchObject({ waitsUntil: null, waitsFor: [], answeredAt: app.clock.now().toISOString() });
    await ask(nadia, { body: 'Can you show it?', hours: 48 });
    expect(await nadia.api.tickets.get({ ticketId })).toMatchObject({ status: 'waiting' });
    expect((await operator.api.cases.get(caseRef)).questions).toHaveLength(1);
  });

  it('resumes the case at the deadline, with a day to decide', async () => {
    expect(await ask(leila, { hours: 72 })).toMatchObject({ waitsFor: ['person'] });
    app.clock.forward({ hours: 73 });
    const item = (await isQueued(false)).find(({ subjectId }) => subjectId === caseRef.subjectId);
    expect(item?.deadline).toBe(new Date(Date.parse(item?.waitsUntil ?? '') + 24 * hourMs).toISOString());
  });

  it('ends with the case: no request is left in the queue, and a later reply names its case', async () => {
    await ask(leila);
    await ask(nadia);
    const ticketId = await ticketOf(leila);
    await leila.api.tickets.reply({ ticketId, body: 'I was at the back door.', fileIds: [] });
    const decision = { engagementId: caseRef.subjectId, version, outcome: 'absent' as const, note: 'No.' };
    await operator.api.disputes.decideNoShow(decision);
    expect(await isQueued(false, 'ticket')).toEqual([]);
    for (const person of [leila, nadia])
      expect((await person.api.tickets.list({})).items[0]).toMatchObject({ status: 'solved' });
    expect((await leila.api.notifications.list({})).items.map(({ topic }) => topic)).not.toContain(
      'ticket-solved',
    );
    await leila.api.tickets.reply({ ticketId, body: 'I found the photo.', fileIds: [] });
    app.clock.forward({ hours: 25 });
    await app.runDue();
    expect((await isQueued(false, 'ticket')).map(({ subjectId }) => subjectId)).toEqual([ticketId]);
    await operator.api.cases.claim({ kind: 'ticket', subjectId: ticketId });
    const { facts } = await operator.api.cases.get({ kind: 'ticket', subjectId: ticketId });
    expect(facts).toMatchObject({ ticket: { ofCase: caseRef } });
  });

  it('closes once it is due, or within a day after it, if a timer ended the case', async () => {
    await ask(leila);
    const ticketId = await ticketOf(leila);
    const statusAfter = async (hours: number) => {
      app.clock.forward({ hours });
      await app.runDue();
      return (await leila.api.tickets.get({ ticketId })).status;
    };
    expect(await statusAfter(25)).toBe('waiting');
    await app.db
      .updateTable('engagements')
      .set({ status: 'cancelled_by_merchant' })
      .where('id', '=', caseRef.subjectId)
      .execute();
    expect(await statusAfter(24)).toBe('solved');
  });

  it('returns whom to ask, and rejects others, other kinds and callers without the claim', async () => {
    await leila.api.accountSettings.update({ language: 'nl' });
    const { people } = await operator.api.cases.get(caseRef);
    expect(people.map(({ name, side }) => [name, side])).toEqual([
      ['Leila Haddad', 'worker'],
      ['Nadia Rahmani', 'business'],
      ['Omar Idrissi', 'business'],
    ]);
    expect(people.map(({ language }) => language)).toEqual(['nl', null, null]);
    const stranger = await app.person();
    expect(await failure(ask(stranger))).toMatchObject({ status: 422, code: 'case/no-such-side' });
    expect(await failure(ask(nadia, { kind: 'ticket' }))).toMatchObject({ code: 'case/claim-required' });
    for (const wrong of [{ hours: 5 }, { body: ' ' }])
      expect(await failure(ask(nadia, wrong))).toMatchObject({ status: 400 });
    await operator.api.cases.release(caseRef);
    expect(await failure(ask(nadia))).toMatchObject({ code: 'case/claim-required' });
    expect(
      await failure(nadia.api.cases.ask({ ...caseRef, accountId: leila.accountId, body: 'x', hours: 24 })),
    ).toMatchObject({
      status: 403,
    });
  });
});

describe('the evidence of a contested no-show', () => {
  it('contains the rejected check-ins with distance, accuracy and limit', async () => {
    const { facts } = await operator.api.cases.get(caseRef);
    expect(facts).toMatchObject({
      kind: 'no_show',
      attempts: [{ distanceM: expect.any(Number), accuracyM: 18, allowedM: 168 }],
    });
  });
});

describe('what both sides did before a contested no-show', () => {
  it('has reported no-shows with their end, without the work of the case', async () => {
    const historyOf = async (ref: typeof caseRef) => {
      const { facts } = await operator.api.cases.get(ref);
      return facts.kind === 'no_show' ? facts.history : null;
    };
    expect(await historyOf(caseRef)).toMatchObject({
      together: 0,
      worker: { completed: 0, disputes: 0, noShowCount: 0, noShows: [] },
    });
    const first = caseRef.subjectId;
    await operator.api.disputes.decideNoShow({
      engagementId: first,
      version,
      outcome: 'absent',
      note: 'No trace.',
    });
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up again' });
    app.clock.set(new Date(Date.parse(shift.terms.startsAt ?? '') + 70 * minuteMs));
    const reported = await nadia.api.engagements.reportNoShow({ engagementId: shift.id, version: 1 });
    await leila.api.engagements.contest({
      engagementId: shift.id,
      version: reported.version,
      note: 'I came.',
    });
    const next = { kind: 'no_show' as const, subjectId: shift.id };
    await operator.api.cases.claim(next);
    const noShow = { engagementId: first, title: 'Wash up', outcome: 'confirmed' };
    const history = await historyOf(next);
    expect(history).toMatchObject({ worker: { completed: 0, noShowCount: 1, noShows: [noShow] } });
    expect(history?.business.noShows[0]).toMatchObject(noShow);
    expect(history?.business.noShows.map(({ engagementId }) => engagementId)).not.toContain(shift.id);
  });
});

describe('cases.chat', () => {
  it("returns both sides' messages around the work for the claim or a reason, and logs it", async () => {
    expect(await operator.api.cases.chat(caseRef)).toMatchObject({
      from: expect.any(String),
      messages: expect.arrayContaining([expect.objectContaining({ body: 'The door is locked.' })]),
    });
    const logged = await app.db
      .selectFrom('operator_log')
      .select('operation')
      .where('caseSubject', '=', caseRef.subjectId)
      .execute();
    expect(logged.some(({ operation }) => operation.endsWith('/chat'))).toBe(true);
    const colleague = await app.person();
    await makeOperator(app.db, app, colleague);
    expect(await failure(colleague.api.cases.chat(caseRef))).toMatchObject({
      code: 'operator/reason-required',
    });
    expect((await app.working(colleague).api.cases.chat(caseRef)).messages).not.toEqual([]);
    expect(await failure(nadia.api.cases.chat(caseRef))).toMatchObject({ status: 403 });
  });
});

describe('a report of the other side of the work', () => {
  it.each([
    [
      'the worker',
      () => [nadia, leila] as const,
      () => ({ kind: 'worker', subjectId: leila.accountId, reason: 'fake' }) as const,
    ],
    [
      'the business',
      () => [leila, nadia] as const,
      () => ({ kind: 'business', subjectId: businessId, reason: 'unpaid' }) as const,
    ],
  ])('shows the shift and the chat around it, also for an appeal: %s', async (_, sides, input) => {
    const [reporter, reported] = sides();
    await reporter.api.reports.create(input());
    const { subjectId } = (await operator.api.cases.list({ kind: 'report', limit: 100 })).items.at(-1) ?? {};
    const report = { kind: 'report', subjectId: subjectId ?? '' } as const;
    await operator.api.cases.claim(report);
    expect((await operator.api.cases.get(report)).facts).toMatchObject({
      reported: { work: { engagementId: caseRef.subjectId, title: 'Wash up' } },
    });
    const { messages } = await operator.api.cases.chat(report);
    expect(messages.map(({ body }) => body)).toContain('The door is locked.');
    const warning = { measure: 'warning', rule: 'no-fees', facts: 'It was no work.' } as const;
    await operator.api.reports.decide({ reportCaseId: report.subjectId, answer: 'Done.', action: warning });
    const [sanction] = (await reported.api.sanctions.mine({ limit: 1 })).items;
    const sanctionId = sanction?.id ?? '';
    const { appeal } = await reported.api.appeals.create({ sanctionId, words: 'It was work.' });
    const colleague = await app.person();
    await makeOperator(app.db, app, colleague);
    const subject = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    await colleague.api.cases.claim(subject);
    expect((await colleague.api.cases.chat(subject)).messages).toEqual(messages);
  });
});

describe('cases.decided', () => {
  it('returns the latest decision with its reason, requiring another reason except from its operator', async () => {
    const decision = {
      engagementId: caseRef.subjectId,
      version,
      outcome: 'absent' as const,
      note: 'No trace.',
    };
    await operator.api.disputes.decideNoShow(decision);
    await operator.api.disputes.decideNoShow(decision);
    // An operator who had the case open reads the closed one without giving a reason again.
    expect(await failure(operator.api.cases.get(caseRef))).toMatchObject({ code: 'case/not-found' });
    expect(await operator.api.cases.decided(caseRef)).toMatchObject({
      item: {
        title: 'Wash up',
        decision: 'absent',
        reason: 'No trace.',
        by: { name: 'Mina Okafor' },
        terms: { pay: { amountMinor: 0 } },
      },
      entries: [{ what: 'claim' }],
      questions: [],
      facts: {
        kind: 'no_show',
        engagementStatus: 'contested',
        reason: 'The door was locked.',
        attempts: [{}],
      },
      factsGone: null,
    });
    expect((await operator.api.cases.chat(caseRef)).messages).not.toEqual([]);
    const other = await app.person();
    await makeOperator(app.db, app, other);
    // A closed case can't be claimed, so no reason is asked for before the console knows that it is closed.
    expect(await failure(other.api.cases.get(caseRef))).toMatchObject({ code: 'case/not-found' });
    expect(await failure(other.api.cases.decided(caseRef))).toMatchObject({
      code: 'operator/reason-required',
    });
    expect(await app.working(other).api.cases.decided(caseRef)).toMatchObject({
      item: { decision: 'absent' },
    });
    expect(await failure(leila.api.cases.decided(caseRef))).toMatchObject({ status: 403 });
    const unknown = { ...caseRef, subjectId: crypto.randomUUID() };
    expect(await failure(app.working(other).api.cases.decided(unknown))).toMatchObject({
      code: 'case/not-found',
    });
  });
});

describe('cases.closed', () => {
  it('finds decided cases by title, business and person, once each, except those about the operator', async () => {
    await operator.api.cases.note({ ...caseRef, body: 'Looked at the door.' });
    const decision = { engagementId: caseRef.subjectId, version, outcome: 'absent' as const, note: 'No.' };
    const found = async (text: string, who = operator) =>
      (await who.api.cases.closed({ text, limit: 100 })).items.filter(
        ({ subjectId }) => subjectId === caseRef.subjectId,
      );
    expect(await found(caseRef.subjectId)).toEqual([]);
    await operator.api.disputes.decideNoShow(decision);
    for (const text of ['wash', leila.accountId, businessId, caseRef.subjectId])
      expect(await found(text), text).toMatchObject([{ kind: 'no_show', decision: 'absent' }]);
    expect(await found('barista')).toEqual([]);
    await makeOperator(app.db, app, leila);
    expect(await found('wash', leila)).toEqual([]);
    const page = await operator.api.cases.closed({ limit: 1 });
    expect(page.items).toHaveLength(1);
    expect(await failure(operator.api.cases.closed({ cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});

describe('the evidence of a decided case', () => {
  const decide = () =>
    operator.api.disputes.decideNoShow({
      engagementId: caseRef.subjectId,
      version,
      outcome: 'absent',
      note: 'No.',
    });
  const evidence = async () => {
    const { facts, factsGone } = await operator.api.cases.decided(caseRef);
    return { facts, factsGone };
  };

  it('is deleted after a year; the decision stays', async () => {
    await decide();
    await deleteOldEvidence(app.db, addMs(app.clock.now(), 365 * dayMs));
    expect((await evidence()).factsGone).toBeNull();
    expect((await operator.api.cases.chat(caseRef)).messages).not.toEqual([]);
    await deleteOldEvidence(app.db, addMs(app.clock.now(), 366 * dayMs));
    expect(await evidence()).toEqual({ facts: null, factsGone: 'expired' });
    expect(await failure(operator.api.cases.chat(caseRef))).toMatchObject({ code: 'case/not-found' });
  });

  it('goes with the account of someone it concerned, and names a colleague of the business no more', async () => {
    await decide();
    const { facts } = await evidence();
    const removed = (person: Person, words: string[]) =>
      app.db.transaction().execute((tx) => deleteClosedCases(tx, { accountId: person.accountId, words }));
    await app.db
      .updateTable('closed_cases')
      .set({ facts: JSON.stringify({ ...facts, reason: `Nadia Rahmani ${nadia.accountId}` }) })
      .where('subjectId', '=', caseRef.subjectId)
      .execute();
    await removed(nadia, ['Nadia Rahmani']);
    expect(JSON.stringify(await evidence())).not.toContain('Nadia');
    expect((await evidence()).facts).toMatchObject({ kind: 'no_show' });
    await removed(leila, ['Leila Haddad']);
    expect(await evidence()).toEqual({ facts: null, factsGone: 'removed' });
  });

  it('is not shown in a form that the console no longer knows', async () => {
    await decide();
    await app.db
      .updateTable('closed_cases')
      .set({ facts: JSON.stringify({ kind: 'no_show' }) })
      .where('subjectId', '=', caseRef.subjectId)
      .execute();
    expect(await evidence()).toEqual({ facts: null, factsGone: 'not-kept' });
  });
});
