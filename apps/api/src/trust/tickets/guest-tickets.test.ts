import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp({
  INBOUND_MAIL_DOMAIN: 'reply.nearhand.example',
  INBOUND_MAIL_SECRET: 's'.repeat(32),
});
let operator: Person;
let address = 0;
beforeAll(async () => {
  operator = await app.person();
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});
beforeEach(() => {
  address += 1;
});

const words = { category: 'account', subject: 'Cannot log in', body: 'The link is broken.' } as const;
const email = () => `guest${address}@mail.example`;
const post = (path: string, payload: object, remoteAddress = `203.0.113.${address}`) =>
  app.raw({ method: 'POST', url: `/api${path}`, payload, remoteAddress });
const send = (change: object = {}, from?: string) =>
  post('/guest-tickets', { id: crypto.randomUUID(), email: email(), name: 'Gus', ...words, ...change }, from);
const mailsTo = (to: string) => app.mails.filter((mail) => mail.to === to);
const tokenIn = (to: string) => /confirm=([\w.-]+)/.exec(mailsTo(to)[0]?.text ?? '')?.[1] ?? '';

describe('POST /guest-tickets', () => {
  it('reaches staff only once the address is confirmed', async () => {
    const id = crypto.randomUUID();
    expect((await send({ id })).statusCode).toBe(201);
    await app.runDue();
    const [mail] = mailsTo(email());
    expect(mail?.subject).toBe('Confirm your request to Nearhand');
    // Anyone can enter any address, so the mail must not carry the guest's text.
    expect(`${mail?.text}${mail?.html}`).not.toContain(words.body);
    expect(`${mail?.text}${mail?.html}`).not.toContain(words.subject);
    const queue = async () =>
      (await operator.api.cases.list({ kind: 'ticket' })).items.map((item) => item.subjectId);
    expect(await queue()).not.toContain(id);
    expect((await failure(operator.api.operators.ticket({ ticketId: id }))).code).toBe('ticket/not-found');

    const token = tokenIn(email());
    for (const _time of [1, 2])
      expect((await post('/guest-tickets/confirm', { token })).statusCode).toBe(200);
    expect(await queue()).toContain(id);
    await app.runDue();
    const subject = `Your request: Cannot log in [${caseNumber({ subjectId: id })}]`;
    const received = mailsTo(email()).filter((mail) => mail.subject === subject);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      replyTo: expect.stringMatching(/^help\+[0-9a-f]{56}@reply\.nearhand\.example$/),
      text: expect.stringContaining('> The link is broken.'),
    });

    await operator.api.operators.answerTicket({ ticketId: id, body: 'Try the <newest> link.' });
    await operator.api.operators.solveTicket({ ticketId: id });
    await app.runDue();
    const [, , answered, solved] = mailsTo(email());
    expect(answered?.text).toContain('> Try the <newest> link.');
    expect(answered?.html).toContain('Try the &lt;newest&gt; link.');
    expect([answered?.subject, solved?.subject]).toEqual([subject, subject]);
    expect(solved?.text).toContain('Did we solve it?');
  });

  it('stores a repeat from the same device once', async () => {
    const id = crypto.randomUUID();
    for (const _time of [1, 2]) expect((await send({ id })).statusCode).toBe(201);
    await app.runDue();
    expect(mailsTo(email())).toHaveLength(1);
  });

  it("is in the guest's language in mails and in the queue", async () => {
    const id = crypto.randomUUID();
    await send({ id, language: 'fr' });
    await app.runDue();
    expect(mailsTo(email())[0]?.subject).toBe('Confirmez votre demande à Nearhand');
    await post('/guest-tickets/confirm', { token: tokenIn(email()) });
    const { items } = await operator.api.cases.list({ kind: 'ticket', language: 'fr' });
    expect(items).toMatchObject([{ subjectId: id, language: 'fr' }]);
    expect((await send({ language: 'xx' })).statusCode).toBe(400);
  });

  it.each([
    ['no address', { email: 'nobody' }],
    ['no name', { name: '' }],
    ['a header in the subject', { subject: 'Hi\r\nBcc: all@example.org' }],
    ['an id of its own making', { id: 'x' }],
  ])('rejects %s', async (_what, change) => {
    const answer = await send(change);
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'request/invalid']);
  });

  it('limits by address from any network, and by network for any address', async () => {
    const codes: number[] = [];
    for (let count = 0; count <= ticketLimits.perDayOfAddress; count += 1)
      codes.push((await send({ email: email().toUpperCase() }, `198.51.100.${count}`)).statusCode);
    expect(codes).toEqual([201, 201, 201, 429]);
    const same = '2001:db8:1:2';
    for (let count = 0; count < ticketLimits.perDayOfNetwork; count += 1)
      expect((await send({ email: `n${count}@mail.example` }, `${same}::${count + 1}`)).statusCode).toBe(201);
    expect((await send({ email: 'last@mail.example' }, `${same}::ff`)).json()).toMatchObject({
      code: 'ticket/too-many',
      data: { limit: ticketLimits.perDayOfNetwork },
    });
  });

  it('limits by the wider networks that a provider gives one customer', async () => {
    const max = ticketLimits.perDayOfNetwork * 2;
    const sendFrom = (count: number) =>
      send({ email: `w${count}@mail.example` }, `2001:db8:2:${(0x100 + count).toString(16)}::1`);
    for (let count = 0; count < max; count += 1) expect((await sendFrom(count)).statusCode).toBe(201);
    expect((await sendFrom(max)).json()).toMatchObject({ code: 'ticket/too-many', data: { limit: max } });
  });

  it("doesn't read a body that is too large", async () => {
    expect((await send({ body: 'x'.repeat(200_000) })).statusCode).toBe(413);
  });
});

describe('POST /guest-tickets/confirm', () => {
  it('rejects forged links and old ones, which are deleted', async () => {
    const id = crypto.randomUUID();
    await send({ id });
    await app.runDue();
    const token = tokenIn(email());
    const foreign = `${crypto.randomUUID()}.${token.split('.')[1]}`;
    for (const wrong of ['', 'x.y', foreign, `${token}x`, `${id}.`])
      expect((await post('/guest-tickets/confirm', { token: wrong })).json().code).toBe('ticket/not-found');
    app.clock.forward({ hours: ticketLimits.confirmHours, minutes: 1 });
    expect((await post('/guest-tickets/confirm', { token })).json().code).toBe('ticket/not-found');
    const ticketRows = () => app.db.selectFrom('tickets').select('id').where('id', '=', id).execute();
    expect(await ticketRows()).toHaveLength(1);
    await app.pool.query(`select graphile_worker.add_job('tickets.purge-unconfirmed')`);
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect(await ticketRows()).toHaveLength(0);
  });
});
