import { guestLinkHeader, ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { guestLink } from './guest-tickets.ts';

const app = useTestApp();
const path = '/api/guest-tickets/thread';
let operator: Person;
let ticketId: string;
let email: string;
let link: string;
let count = 0;

beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});
beforeEach(async () => {
  count += 1;
  email = `guest${count}@mail.example`;
  ticketId = crypto.randomUUID();
  const words = { category: 'account', subject: 'Cannot log in', body: 'The link is broken.' };
  const payload = { id: ticketId, email, name: 'Gus', ...words };
  const remoteAddress = `203.0.113.${count}`;
  await app.raw({ method: 'POST', url: '/api/guest-tickets', payload, remoteAddress });
  await app.runDue();
  const token = /confirm=([\w.-]+)/.exec(lastMail().text)?.[1] ?? '';
  await app.raw({ method: 'POST', url: '/api/guest-tickets/confirm', payload: { token } });
  await app.runDue();
  link = lastLink();
});

function lastMail() {
  const mail = app.mails.findLast(({ to }) => to === email);
  if (!mail) throw new Error(`No mail to ${email}`);
  return mail;
}
const lastLink = () => /\?link=([\w.-]+)/.exec(lastMail().text)?.[1] ?? '';
const read = (value = link) => app.raw({ url: path, headers: { [guestLinkHeader]: value } });
const post = (route: string, payload: object = {}, value = link) =>
  app.raw({ method: 'POST', url: `${path}/${route}`, payload, headers: { [guestLinkHeader]: value } });

async function reply(fields: { id?: string; body?: string; files?: File[] } = {}, value = link) {
  const { id = crypto.randomUUID(), body = 'It says “expired”.', files = [] } = fields;
  const form = new FormData();
  form.set('id', id);
  form.set('body', body);
  for (const file of files) form.append('files', file);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const payload = Buffer.from(await request.arrayBuffer());
  const contentType = request.headers.get('content-type') ?? '';
  const headers = { [guestLinkHeader]: value, 'content-type': contentType };
  return app.raw({ method: 'POST', url: `${path}/messages`, payload, headers });
}
const pdf = () => new File([pdfBytes()], 'letter.pdf', { type: 'application/pdf' });
const inQueue = async () =>
  (await operator.api.cases.list({ kind: 'ticket', limit: 100 })).items.some(
    ({ subjectId }) => subjectId === ticketId,
  );

describe('GET /guest-tickets/thread', () => {
  it("opens its request without an account, and states that mail isn't read", async () => {
    const response = await read();
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toContain('no-store');
    expect(response.json()).toMatchObject({ id: ticketId, status: 'open', subject: 'Cannot log in' });
    expect(response.json()).not.toHaveProperty('email');
    expect(lastMail().text).toContain('Nobody reads replies to this email.');
    expect(lastMail().text).toContain(`/tabs/menu/request/${ticketId}?link=`);
  });

  it('rejects forged links, and the link of a member or of an unconfirmed request', async () => {
    const [text = '', mac = ''] = link.split('.');
    const other = `${text.replace(ticketId, crypto.randomUUID())}.${mac}`;
    for (const wrong of ['', 'x', text, other, `${link}x`])
      expect((await read(wrong)).json()).toMatchObject({ code: 'ticket/not-found' });
    await app.db.updateTable('tickets').set({ status: 'unconfirmed' }).where('id', '=', ticketId).execute();
    expect((await read()).json()).toMatchObject({ code: 'ticket/not-found' });
  });

  it('expires after its days; an expired link mails a new one, once an hour', async () => {
    app.clock.forward({ days: ticketLimits.linkDays, minutes: 1 });
    expect((await read()).json()).toMatchObject({ code: 'ticket/link-expired' });
    expect((await reply()).json()).toMatchObject({ code: 'ticket/link-expired' });
    for (const _time of [1, 2]) expect((await post('link')).statusCode).toBe(200);
    await app.runDue();
    expect(app.mails.filter(({ to, html }) => to === email && html.includes('Your new link'))).toHaveLength(
      1,
    );
    expect((await read(lastLink())).statusCode).toBe(200);
  });

  it('ends when a new link replaces it', async () => {
    await post('link');
    await app.runDue();
    expect((await read()).json()).toMatchObject({ code: 'ticket/link-expired' });
    expect((await read(lastLink())).statusCode).toBe(200);
  });
});

describe('the link of a merged request', () => {
  it('opens the request that it was merged into', async () => {
    const mainId = crypto.randomUUID();
    const row = await app.db
      .selectFrom('tickets')
      .selectAll()
      .where('id', '=', ticketId)
      .executeTakeFirstOrThrow();
    const main = { ...row, id: mainId, subject: 'Still locked out', refs: JSON.stringify(row.refs) };
    await app.db.insertInto('tickets').values(main).execute();
    await operator.api.cases.claim({ kind: 'ticket', subjectId: mainId });
    await operator.api.cases.mergeTickets({ ticketId: mainId, otherId: ticketId });
    expect((await read()).json()).toMatchObject({ id: mainId, messages: [{ body: 'The link is broken.' }] });
    expect((await reply()).json()).toMatchObject({ id: mainId, messages: [{}, {}] });
    expect(await inQueue()).toBe(false);

    const scope = app.scopeOf(operator);
    const mainLink = guestLink(scope, { ...row, id: mainId });
    expect((await read(mainLink)).json()).toMatchObject({ id: mainId });
    await post('link', {}, mainLink);
    await app.runDue();
    for (const ended of [link, mainLink])
      expect((await read(ended)).json()).toMatchObject({ code: 'ticket/link-expired' });
    app.clock.forward({ minutes: ticketLimits.linkMinutes });
    const renewedLink = lastLink();
    await post('link');
    await app.runDue();
    expect((await read(renewedLink)).json()).toMatchObject({ code: 'ticket/link-expired' });
    expect((await read(lastLink())).json()).toMatchObject({ id: mainId });
  });
});

describe('POST /guest-tickets/thread/messages', () => {
  it('replies once with files that only the guest and staff can open, and reopens the request', async () => {
    const file = await makeFile(app.db, app.scopeOf(operator), {
      purpose: 'ticket',
      bytes: pdfBytes(),
    });
    const answer = { ticketId, body: 'What does it say?', fileIds: [file.id] };
    await operator.api.operators.answerTicket(answer);
    await app.runDue();
    expect(lastMail().text).toContain('We attached 1 file.');
    expect(await inQueue()).toBe(false);

    const id = crypto.randomUUID();
    for (const _time of [1, 2])
      expect((await reply({ id, files: [pdf()] }, lastLink())).statusCode).toBe(201);
    const { messages } = (await read()).json();
    expect(messages.map(({ body }: { body: string }) => body)).toEqual([
      'The link is broken.',
      'What does it say?',
      'It says “expired”.',
    ]);
    expect(await inQueue()).toBe(true);
    const content = (fileId: string, value = link) =>
      app.raw({ url: `${path}/files/${fileId}`, headers: { [guestLinkHeader]: value } });
    for (const fileId of [file.id, messages[2].files[0].id])
      expect((await content(fileId)).statusCode).toBe(200);
    expect((await content(crypto.randomUUID())).json()).toMatchObject({ code: 'file/not-found' });
    const cv = await makeFile(app.db, app.scopeOf(operator), { purpose: 'cv' });
    expect((await content(cv.id)).json()).toMatchObject({ code: 'file/not-found' });
    const stored = await app.db.selectFrom('files').select('id').where('accountId', 'is', null).execute();
    expect(stored).toHaveLength(1);
  });

  it.each([
    ['no text', { body: ' ' }, 'request/invalid'],
    ['an id of its own making', { id: 'x' }, 'request/invalid'],
    [
      'more than 10 MB',
      {
        files: [0, 1].map(
          (more) => new File([new Uint8Array(ticketLimits.replyBytesOfGuest / 2 + more)], 'a.pdf'),
        ),
      },
      'file/too-large',
    ],
    ['a script', { files: [new File(['alert(1)'], 'a.js')] }, 'file/wrong-type'],
    ['too many files', { files: Array.from({ length: ticketLimits.filesMax + 1 }, pdf) }, 'request/invalid'],
  ])('refuses %s', async (_what, fields, code) => {
    expect((await reply(fields)).json()).toMatchObject({ code });
    expect((await read()).json().messages).toHaveLength(1);
  });

  it('limits the files of a request and the replies of a day', async () => {
    const files = () => Array.from({ length: ticketLimits.filesMax }, pdf);
    await reply({ files: files() });
    const id = crypto.randomUUID();
    for (const _time of [1, 2]) expect((await reply({ id, files: files() })).statusCode).toBe(201);
    expect((await reply({ files: [pdf()] })).json()).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'files' }] },
    });
    for (let sent = 3; sent < ticketLimits.messagesPerDayOfAddress; sent += 1) await reply();
    expect((await reply()).json()).toMatchObject({ code: 'ticket/too-many' });
  });
});

describe('POST /guest-tickets/thread/solve', () => {
  it('closes the request, which asks whether it helped', async () => {
    expect((await post('rating', { helpful: true })).json()).toMatchObject({ code: 'ticket/not-solved' });
    for (const _time of [1, 2]) expect((await post('solve')).json()).toMatchObject({ status: 'solved' });
    expect((await post('rating', { helpful: 'yes' })).json()).toMatchObject({ code: 'request/invalid' });
    expect((await post('rating', { helpful: false })).json()).toMatchObject({ helpful: false });
    expect((await operator.api.operators.ticket({ ticketId })).helpful).toBe(false);
    expect((await reply()).json()).toMatchObject({ status: 'open', helpful: null });
  });
});
