import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workingHeaders } from '../../../test/contract-operations.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeTicket } from './tickets.fixtures.ts';

const app = useTestApp();
let operator: Person;
let leila: Person;
beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
});

const words = { category: 'payments', subject: 'My pay is missing', body: 'Where is it?' } as const;
const jobId = '019aa000-0000-7000-8000-000000000001';
const noticesOf = async ({ api }: Person) =>
  (await api.notifications.list({})).items.filter(({ topic }) => topic.startsWith('ticket-'));

describe('tickets.create', () => {
  it('stores the text, with the page, the records and the files that the user agreed to', async () => {
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'ticket' });
    const refs = [{ kind: 'job' as const, id: jobId }];
    const ticket = await leila.api.tickets.create({
      ...words,
      page: '/job-desc',
      refs,
      fileIds: [file.id],
    });
    expect(ticket).toMatchObject({ status: 'open', page: '/job-desc', refs, subject: words.subject });
    expect(ticket.messages).toMatchObject([
      { author: 'requester', body: words.body, byMail: false, files: [{ id: file.id, purpose: 'ticket' }] },
    ]);
  });

  it('works before the email is verified', async () => {
    const person = await app.person({ verified: false });
    expect((await person.api.tickets.create(words)).status).toBe('open');
  });

  it.each([
    ['no subject', { subject: ' ' }],
    ['two lines as a subject', { subject: 'a\nb' }],
    ['no text', { body: '\n' }],
    ['a text that is too long', { body: 'x'.repeat(ticketLimits.bodyMax + 1) }],
    ['an address as a page', { page: 'https://evil.example' }],
    ['a page with a query', { page: '/login?verify=token' }],
    ['an unknown category', { category: 'gossip' as 'other' }],
    ['too many records', { refs: Array(6).fill({ kind: 'job', id: jobId }) }],
  ])('rejects %s', async (_what, wrong) => {
    expect(await failure(leila.api.tickets.create({ ...words, ...wrong }))).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
  });

  it('rejects foreign files, files of another purpose and files sent before', async () => {
    const other = await app.person();
    const foreign = await makeFile(app.db, app.scopeOf(other), { purpose: 'ticket' });
    const chat = await makeFile(app.db, app.scopeOf(leila), { purpose: 'chat' });
    const own = await makeFile(app.db, app.scopeOf(leila), { purpose: 'ticket' });
    await leila.api.tickets.create({ ...words, fileIds: [own.id] });
    const refused = async (fileIds: string[]) =>
      (await failure(leila.api.tickets.create({ ...words, fileIds }))).code;
    expect(await refused([foreign.id])).toBe('file/not-found');
    expect(await refused([chat.id])).toBe('file/wrong-type');
    expect(await refused([own.id])).toBe('file/not-found');
  });

  it('is limited per day', async () => {
    for (let count = 0; count < ticketLimits.perDay; count += 1) await leila.api.tickets.create(words);
    expect(await failure(leila.api.tickets.create(words))).toMatchObject({
      status: 429,
      code: 'ticket/too-many',
      data: { limit: ticketLimits.perDay },
    });
  });

  it('returns the first request for a repeat under the same key', async () => {
    const api = app.apiAs(leila.token, { 'idempotency-key': crypto.randomUUID() });
    const first = await api.tickets.create(words);
    expect((await api.tickets.create(words)).id).toBe(first.id);
    expect((await leila.api.tickets.list({})).items).toHaveLength(1);
  });
});

describe('tickets.list', () => {
  it("lists the caller's own, last changed first, in pages", async () => {
    const ids: string[] = [];
    for (const subject of ['One', 'Two', 'Three']) {
      ids.push((await makeTicket(app.db, app.scopeOf(leila), { subject })).id);
      app.clock.forward({ minutes: 1 });
    }
    await makeTicket(app.db, app.scopeOf(operator));
    await leila.api.tickets.reply({ ticketId: ids[0] ?? '', body: 'One more thing.' });
    const first = await leila.api.tickets.list({ limit: 2 });
    expect(first.items.map(({ subject }) => subject)).toEqual(['One', 'Three']);
    const next = await leila.api.tickets.list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect(next.items.map(({ subject }) => subject)).toEqual(['Two']);
    expect(next.nextCursor).toBeNull();
    expect((await failure(leila.api.tickets.list({ cursor: 'x' }))).code).toBe('request/bad-cursor');
  });
});

describe('tickets.get', () => {
  it("returns only the caller's own", async () => {
    const { id } = await makeTicket(app.db, app.scopeOf(leila));
    expect((await leila.api.tickets.get({ ticketId: id })).id).toBe(id);
    for (const { api } of [await app.person(), operator])
      expect(await failure(api.tickets.get({ ticketId: id }))).toMatchObject({
        status: 404,
        code: 'ticket/not-found',
      });
  });
});

describe('tickets.reply', () => {
  it('adds to the request and reopens a solved one', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    await operator.api.operators.solveTicket({ ticketId });
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'ticket' });
    const thread = await leila.api.tickets.reply({ ticketId, body: 'It is not.', fileIds: [file.id] });
    expect(thread.status).toBe('open');
    expect(thread.messages.map(({ body }) => body)).toEqual(['Where is it?', 'It is not.']);
    expect(thread.messages[1]?.files.map(({ id }) => id)).toEqual([file.id]);
    const moves = await app.db
      .selectFrom('ticket_moves')
      .select(['action', 'toStatus', 'accountId'])
      .where('ticketId', '=', ticketId)
      .orderBy('id')
      .execute();
    expect(moves).toEqual([
      { action: 'solve', toStatus: 'solved', accountId: operator.accountId },
      { action: 'reply', toStatus: 'open', accountId: leila.accountId },
    ]);
  });

  it('allows only its author', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    const stranger = await app.person();
    expect((await failure(stranger.api.tickets.reply({ ticketId, body: 'Hello' }))).code).toBe(
      'ticket/not-found',
    );
    expect((await failure(leila.api.tickets.reply({ ticketId, body: '' }))).code).toBe('request/invalid');
  });
});

describe('tickets.solve', () => {
  it('closes the request; a repeat changes nothing', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    expect((await leila.api.tickets.solve({ ticketId })).status).toBe('solved');
    expect((await leila.api.tickets.solve({ ticketId })).status).toBe('solved');
    const stranger = await app.person();
    expect((await failure(stranger.api.tickets.solve({ ticketId }))).code).toBe('ticket/not-found');
  });
});

describe('tickets.rate', () => {
  it('stores whether it helped, once it is solved; a reply asks again', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    expect(await failure(leila.api.tickets.rate({ ticketId, helpful: true }))).toMatchObject({
      status: 409,
      code: 'ticket/not-solved',
    });
    await operator.api.operators.solveTicket({ ticketId });
    for (const helpful of [true, true, false])
      expect((await leila.api.tickets.rate({ ticketId, helpful })).helpful).toBe(helpful);
    expect((await operator.api.operators.ticket({ ticketId })).helpful).toBe(false);
    const stranger = await app.person();
    expect((await failure(stranger.api.tickets.rate({ ticketId, helpful: true }))).code).toBe(
      'ticket/not-found',
    );
    expect((await leila.api.tickets.reply({ ticketId, body: 'It is not.' })).helpful).toBeNull();
    const { closings } = await operator.api.operators.ticket({ ticketId });
    expect(closings).toMatchObject([{ helpful: false }]);
  });
});

describe('requests in the queue', () => {
  it("lists those that need a reply, longest waiting first, except the operator's own", async () => {
    await app.pool.query(`update tickets set status = 'solved'`);
    const first = await makeTicket(app.db, app.scopeOf(leila), { subject: 'First' });
    app.clock.forward({ minutes: 1 });
    const second = await makeTicket(app.db, app.scopeOf(leila), { subject: 'Second' });
    await makeTicket(app.db, app.scopeOf(operator), { subject: 'Own' });
    await leila.api.tickets.reply({ ticketId: first.id, body: 'Hello?' });
    const page = await operator.api.cases.list({ kind: 'ticket', limit: 1 });
    expect(page.items).toMatchObject([{ subjectId: first.id, title: 'First', tag: 'payments' }]);
    const { items } = await operator.api.cases.list({ kind: 'ticket', cursor: page.nextCursor ?? '' });
    expect(items.map(({ subjectId }) => subjectId)).toEqual([second.id]);
    const { facts } = await operator.api.cases.get({ kind: 'ticket', subjectId: first.id });
    expect(facts).toMatchObject({
      kind: 'ticket',
      ticket: { from: { accountId: leila.accountId, name: 'Leila Haddad', email: leila.email } },
    });
  });
});

describe('operators.ticket', () => {
  it('shows a request with its files, except to its author', async () => {
    const file = await makeFile(app.db, app.scopeOf(leila), { purpose: 'ticket', bytes: pdfBytes() });
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila), { fileIds: [file.id] });
    expect((await operator.api.operators.ticket({ ticketId })).messages[0]?.files).toHaveLength(1);
    const content = ({ token }: Person) =>
      app.raw({ url: `/api${file.path}`, headers: { authorization: `Bearer ${token}`, ...workingHeaders } });
    expect((await content(operator)).statusCode).toBe(200);
    expect((await content(leila)).statusCode).toBe(200);
    expect((await content(await app.person())).statusCode).toBe(404);
    const own = await makeTicket(app.db, app.scopeOf(operator));
    expect(await failure(operator.api.operators.ticket({ ticketId: own.id }))).toMatchObject({
      status: 403,
      code: 'operator/own-record',
    });
    expect((await failure(operator.api.operators.ticket({ ticketId: jobId }))).code).toBe('ticket/not-found');
  });
});

describe('operators.answerTicket', () => {
  it('and solveTicket refuse what misses a newer message', async () => {
    const { id: ticketId, messages } = await makeTicket(app.db, app.scopeOf(leila));
    const lastMessageId = messages.at(-1)?.id;
    const { messages: newer } = await leila.api.tickets.reply({ ticketId, body: 'I found it.' });
    const answer = { ticketId, body: 'Where did you look?' };
    expect(await failure(operator.api.operators.answerTicket({ ...answer, lastMessageId }))).toMatchObject({
      status: 409,
      code: 'ticket/stale',
    });
    expect(await failure(operator.api.operators.solveTicket({ ticketId, lastMessageId }))).toMatchObject({
      status: 409,
      code: 'ticket/stale',
    });
    const read = { ...answer, lastMessageId: newer.at(-1)?.id };
    const { status, messages: all } = await operator.api.operators.answerTicket(read);
    expect(status).toBe('waiting');
    const solved = await operator.api.operators.solveTicket({ ticketId, lastMessageId: all.at(-1)?.id });
    expect(solved.status).toBe('solved');
  });

  it('replies, waits for the author and notifies them with the text', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    const body = 'It clears on Friday.\nYou can see it under Balance.';
    const thread = await operator.api.operators.answerTicket({ ticketId, body });
    expect(thread.status).toBe('waiting');
    expect((await leila.api.tickets.get({ ticketId })).messages.at(-1)).toMatchObject({
      author: 'staff',
      body,
    });
    expect(await noticesOf(leila)).toMatchObject([
      {
        topic: 'ticket-answered',
        path: `/tabs/menu/request/${ticketId}`,
        data: { reason: body, mode: 'app' },
      },
    ]);
    await app.runDue();
    const mail = app.mails.find(({ to }) => to === leila.email);
    expect(mail?.subject).toBe('Your request: My pay is missing');
    expect(mail?.text).toContain('> You can see it under Balance.');
    expect(mail?.replyTo).toBeUndefined();
    const { items } = await operator.api.cases.list({ kind: 'ticket', limit: 100 });
    expect(items.map(({ subjectId }) => subjectId)).not.toContain(ticketId);
  });

  it('attaches files for the author and staff only, and keeps the decision', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    const file = await makeFile(app.db, app.scopeOf(operator), { purpose: 'ticket', bytes: pdfBytes() });
    const foreign = await makeFile(app.db, app.scopeOf(leila), { purpose: 'ticket' });
    const body = 'Here is your statement.';
    const answer = (fileIds: string[]) => operator.api.operators.answerTicket({ ticketId, body, fileIds });
    expect((await failure(answer([foreign.id]))).code).toBe('file/not-found');
    await answer([file.id]);
    expect((await leila.api.tickets.get({ ticketId })).messages.at(-1)?.files).toMatchObject([
      { id: file.id },
    ]);
    const content = async ({ token }: Person) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await app.raw({ url: `/api${file.path}`, headers })).statusCode;
    };
    expect(await content(leila)).toBe(200);
    expect(await content(await app.person())).toBe(404);
    const { items } = await operator.api.cases.closed({ kind: 'ticket', waiting: 'true' });
    expect(items[0]).toMatchObject({ subjectId: ticketId, decision: 'answer' });
  });

  it('leaves the request among those that wait for their author, with its messages, and its case without it', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    const caseRef = { kind: 'ticket', subjectId: ticketId } as const;
    const waiting = async () =>
      (await operator.api.cases.closed({ waiting: 'true', limit: 100 })).items.filter(
        ({ subjectId }) => subjectId === ticketId,
      );
    const answered = async () =>
      (await operator.api.cases.counts()).find(({ kind }) => kind === 'ticket')?.answered ?? 0;
    const before = await answered();
    await operator.api.cases.claim(caseRef);
    await operator.api.operators.answerTicket({ ticketId, body: 'Which day?' });
    expect(await waiting()).toMatchObject([{ decision: 'answer' }]);
    expect(await answered()).toBe(before + 1);
    await leila.api.tickets.reply({ ticketId, body: 'Sunday.', fileIds: [] });
    expect(await waiting()).toEqual([]);
    await operator.api.operators.answerTicket({ ticketId, body: 'It is paid.' });
    await operator.api.operators.answerTicket({ ticketId, body: 'On Tuesday.' });
    expect(await waiting()).toHaveLength(1);
    const bodies = [words.body, 'Which day?', 'Sunday.', 'It is paid.', 'On Tuesday.'];
    expect(await operator.api.cases.decided(caseRef)).toMatchObject({
      facts: { kind: 'ticket', ticket: { messages: bodies.map((body) => ({ body })) } },
      factsGone: null,
    });
    await operator.api.operators.solveTicket({ ticketId });
    expect(await waiting()).toEqual([]);
    expect(await answered()).toBe(before);
    await app.db.deleteFrom('tickets').where('id', '=', ticketId).execute();
    expect(await operator.api.cases.decided(caseRef)).toMatchObject({ facts: null, factsGone: 'removed' });
  });

  it('rejects the author of the request', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(operator));
    expect((await failure(operator.api.operators.answerTicket({ ticketId, body: 'Yes.' }))).code).toBe(
      'operator/own-record',
    );
  });
});

describe('operators.answerTicket that solves', () => {
  it('closes the request with one notice, and a reply opens it again', async () => {
    const leila = await app.person({ name: 'Leila Haddad' });
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    const answer = { ticketId, body: 'It is paid.', fileIds: [], solve: true };
    expect(await operator.api.operators.answerTicket(answer)).toMatchObject({ status: 'solved' });
    expect((await noticesOf(leila)).map(({ topic }) => topic)).toEqual(['ticket-answered']);
    expect((await operator.api.cases.decided({ kind: 'ticket', subjectId: ticketId })).item).toMatchObject({
      decision: 'answer-solve',
    });
    const reply = { ticketId, body: 'It is not.', fileIds: [] };
    expect(await leila.api.tickets.reply(reply)).toMatchObject({ status: 'open' });
    expect(await operator.api.operators.answerTicket({ ticketId, body: 'It is now.' })).toMatchObject({
      closings: [{ by: 'Jonas Weber' }],
    });
  });
});

describe('operators.solveTicket', () => {
  it('closes a request and notifies its author once', async () => {
    const { id: ticketId } = await makeTicket(app.db, app.scopeOf(leila));
    for (const _time of [1, 2])
      expect((await operator.api.operators.solveTicket({ ticketId })).status).toBe('solved');
    expect((await noticesOf(leila)).map(({ topic }) => topic)).toEqual(['ticket-solved']);
  });
});

describe('cases.mergeTickets', () => {
  const claim = (subjectId: string) => operator.api.cases.claim({ kind: 'ticket', subjectId });
  const merge = (ticketId: string, otherId: string) => operator.api.cases.mergeTickets({ ticketId, otherId });

  it('shows both threads in order, closes one with a link, and notifies nobody', async () => {
    const first = await makeTicket(app.db, app.scopeOf(leila), { subject: 'First', body: 'One' });
    app.clock.forward({ minutes: 1 });
    const refs = [{ kind: 'job' as const, id: jobId }];
    const second = await makeTicket(app.db, app.scopeOf(leila), { subject: 'Second', body: 'Two', refs });
    app.clock.forward({ minutes: 1 });
    await leila.api.tickets.reply({ ticketId: first.id, body: 'Three' });
    await claim(first.id);
    const { facts } = await operator.api.cases.get({ kind: 'ticket', subjectId: first.id });
    expect(facts).toMatchObject({ ticket: { others: [{ id: second.id, subject: 'Second' }] } });

    for (const _time of [1, 2]) {
      const { messages, others, merged, refs: records } = await merge(first.id, second.id);
      expect(merged).toEqual([second.subject]);
      expect(records).toEqual(refs);
      expect(messages.map(({ body, sentIn }) => [body, sentIn])).toEqual([
        ['One', null],
        ['Two', second.subject],
        ['Three', null],
      ]);
      expect(others).toEqual([]);
    }
    expect(await noticesOf(leila)).toEqual([]);
    expect((await leila.api.tickets.list({})).items.map(({ id }) => id)).toEqual([first.id]);
    expect(await leila.api.tickets.get({ ticketId: second.id })).toMatchObject({
      status: 'solved',
      mergedInto: first.id,
    });
    const { items } = await operator.api.cases.closed({ kind: 'ticket', text: second.id });
    expect(items).toMatchObject([{ subjectId: second.id, decision: 'merge' }]);
    const reply = leila.api.tickets.reply({ ticketId: second.id, body: 'Four' });
    expect(await failure(reply)).toMatchObject({ code: 'ticket/merged', data: { ticketId: first.id } });

    const answered = await operator.api.operators.answerTicket({ ticketId: first.id, body: 'Friday.' });
    expect(answered.messages.map(({ by }) => by)).toEqual([null, null, null, 'Jonas Weber']);
    expect((await noticesOf(leila)).map(({ topic }) => topic)).toEqual(['ticket-answered']);
  });

  it('reopens a waiting or solved request for an unanswered message, with its age and urgency', async () => {
    for (const end of ['answer', 'close'] as const) {
      const first = await makeTicket(app.db, app.scopeOf(leila));
      await claim(first.id);
      await operator.api.operators.answerTicket({ ticketId: first.id, body: 'Soon.' });
      if (end === 'close') await operator.api.operators.solveTicket({ ticketId: first.id });
      app.clock.forward({ hours: 1 });
      const second = await makeTicket(app.db, app.scopeOf(leila), { category: 'safety' });
      app.clock.forward({ hours: 1 });
      expect(await merge(first.id, second.id)).toMatchObject({
        status: 'open',
        category: 'safety',
        openSince: second.createdAt,
      });
      const { rows } = await app.pool.query(
        'select action, account_id from ticket_moves where ticket_id = $1 order by at desc, id desc limit 1',
        [first.id],
      );
      expect(rows).toEqual([{ action: 'adopt', account_id: operator.accountId }]);
    }
  });

  it('keeps the earlier time and the safety flag of two open requests', async () => {
    const first = await makeTicket(app.db, app.scopeOf(leila), { category: 'safety' });
    app.clock.forward({ hours: 1 });
    const second = await makeTicket(app.db, app.scopeOf(leila));
    await claim(second.id);
    const merged = await merge(second.id, first.id);
    expect(merged).toMatchObject({ category: 'safety', openSince: first.createdAt });
  });

  it("returns to its earlier urgency when the other request's safety flag is solved", async () => {
    const first = await makeTicket(app.db, app.scopeOf(leila));
    const second = await makeTicket(app.db, app.scopeOf(leila), { category: 'safety' });
    await claim(second.id);
    await operator.api.operators.solveTicket({ ticketId: second.id });
    await claim(first.id);
    expect(await merge(first.id, second.id)).toMatchObject({ category: 'payments', status: 'open' });
  });

  it('includes earlier merges and never forms a cycle', async () => {
    const first = await makeTicket(app.db, app.scopeOf(leila), { body: 'One' });
    const second = await makeTicket(app.db, app.scopeOf(leila), { body: 'Two' });
    const third = await makeTicket(app.db, app.scopeOf(leila), { body: 'Three' });
    await claim(second.id);
    await merge(second.id, third.id);
    await claim(first.id);
    expect((await merge(first.id, second.id)).messages).toHaveLength(3);
    expect((await leila.api.tickets.get({ ticketId: third.id })).mergedInto).toBe(first.id);
    expect((await failure(merge(first.id, first.id))).code).toBe('ticket/not-mergeable');
    expect((await failure(merge(second.id, first.id))).code).toBe('ticket/merged');
  });

  it("rejects another person's request, one with a case, and one that a colleague works on", async () => {
    const { id } = await makeTicket(app.db, app.scopeOf(leila));
    await claim(id);
    const stranger = await makeTicket(app.db, app.scopeOf(await app.person()));
    expect((await failure(merge(id, stranger.id))).code).toBe('ticket/not-mergeable');
    expect((await failure(merge(id, jobId))).code).toBe('ticket/not-found');
    const otherTicket = await makeTicket(app.db, app.scopeOf(leila));
    const colleague = await app.person({ name: 'Mila Horvat' });
    await makeOperator(app.db, app, colleague);
    await app.working(colleague).api.cases.claim({ kind: 'ticket', subjectId: otherTicket.id });
    expect(await failure(merge(id, otherTicket.id))).toMatchObject({
      code: 'case/claimed',
      data: { by: 'Mila Horvat' },
    });
    await app.db
      .updateTable('tickets')
      .set({ caseKind: 'dispute', caseSubject: jobId, dueAt: app.clock.now() })
      .where('id', '=', otherTicket.id)
      .execute();
    await app.db.deleteFrom('case_work').where('subjectId', '=', otherTicket.id).execute();
    expect((await failure(merge(id, otherTicket.id))).code).toBe('ticket/not-mergeable');
  });
});
