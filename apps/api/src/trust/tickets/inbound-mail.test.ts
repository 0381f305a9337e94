import { createHmac } from 'node:crypto';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { workingHeaders } from '../../../test/contract-operations.ts';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { pdfBytes } from '../../people/files/files.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeTicket } from './tickets.fixtures.ts';

const mailSecret = 'inbound-secret-of-the-mail-provider';
const app = useTestApp({ INBOUND_MAIL_DOMAIN: 'reply.nearhand.example', INBOUND_MAIL_SECRET: mailSecret });
let operator: Person;
let leila: Person;
let ticketId: string;
let replyTo: string;
let count = 0;

beforeAll(async () => {
  operator = await app.person();
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  ({ ticketId, replyTo } = await answered(leila));
});

async function answered(person: Person) {
  const { id } = await makeTicket(app.db, app.scopeOf(person));
  await operator.api.operators.answerTicket({ ticketId: id, body: 'Which day?' });
  await app.runDue();
  const mail = app.mails.findLast(({ to }) => to === person.email);
  expect(mail?.text).toContain('reply to this email');
  return { ticketId: id, replyTo: mail?.replyTo ?? '' };
}

type Parts = { from?: string; to?: string; id?: string; headers?: string[]; body?: string };
function mime({ from = leila.email, to = replyTo, id, headers = [], body = 'Friday.' }: Parts = {}): Buffer {
  count += 1;
  const typed = headers.some((line) => /^content-type/i.test(line));
  return Buffer.from(
    [
      `From: Leila <${from}>`,
      `To: Nearhand <${to}>`,
      `Message-ID: <${id ?? `m${count}`}@mail.example>`,
      'Subject: Re: Your request',
      'MIME-Version: 1.0',
      ...headers,
      ...(typed ? [] : ['Content-Type: text/plain; charset=utf-8']),
      '',
      body,
    ].join('\r\n'),
  );
}
const boundary = 'b1';
const part = (type: string, name: string, bytes: Buffer) =>
  `--${boundary}\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}`;
const withFiles = (files: readonly string[], parts: Parts = {}) =>
  mime({
    ...parts,
    headers: [`Content-Type: multipart/mixed; boundary="${boundary}"`],
    body: [`--${boundary}\r\nContent-Type: text/plain\r\n\r\nHere.`, ...files, `--${boundary}--`].join(
      '\r\n',
    ),
  });
const seconds = () => String(Math.floor(app.clock.now().getTime() / 1_000));
const signed = (raw: Buffer, at = seconds(), secret = mailSecret) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(raw).digest('hex')}`;
const post = (raw: Buffer, signature: string | null = signed(raw)) =>
  app.raw({
    method: 'POST',
    url: '/api/webhooks/mail',
    payload: raw,
    headers: {
      'content-type': 'message/rfc822',
      ...(signature === null ? {} : { 'x-nearhand-signature': signature }),
    },
  });
const takes = async (raw: Buffer) => (await post(raw)).json();
const thread = () => leila.api.tickets.get({ ticketId });

describe('POST /webhooks/mail', () => {
  it("adds the author's reply, without the quoted text, once", async () => {
    const raw = mime({
      id: 'same',
      body: 'Friday,\r\nI think.\r\n\r\nOn Sat, 21 Nov 2026\r\nNearhand wrote:\r\n> Which day?',
    });
    expect(await takes(raw)).toEqual({ taken: true });
    expect(await takes(raw)).toEqual({ taken: false });
    const { status, messages } = await thread();
    expect(status).toBe('open');
    expect(messages.slice(2)).toMatchObject([
      { author: 'requester', byMail: true, body: 'Friday,\nI think.' },
    ]);
  });

  it('reaches the request that the ticket was merged into', async () => {
    const main = await makeTicket(app.db, app.scopeOf(leila));
    await operator.api.cases.claim({ kind: 'ticket', subjectId: main.id });
    await operator.api.cases.mergeTickets({ ticketId: main.id, otherId: ticketId });
    expect(await takes(mime({ body: 'Or Monday.' }))).toEqual({ taken: true });
    expect((await leila.api.tickets.get({ ticketId: main.id })).messages.at(-1)?.body).toBe('Or Monday.');
  });

  it('accepts a mail without an id, by its bytes', async () => {
    const nameless = Buffer.from(
      mime({ body: 'Or Saturday.' })
        .toString()
        .replace(/Message-ID.*\r\n/, ''),
    );
    expect([await takes(nameless), await takes(nameless)]).toEqual([{ taken: true }, { taken: false }]);
  });

  it('finds the address in capitals, among others and in a group', async () => {
    expect(
      await takes(mime({ to: `x@example.org>, Friends: <${replyTo.toUpperCase()}>;, <y@example.org` })),
    ).toEqual({
      taken: true,
    });
  });

  it('accepts attachments like chat, and counts the others', async () => {
    const files = [
      part('application/pdf', 'proof.pdf', Buffer.from(pdfBytes())),
      part('application/pdf', '../../virus.exe.pdf', Buffer.from('MZ\x90\x00')),
      part('image/svg+xml', 'x.svg', Buffer.from('<svg onload="alert(1)"/>')),
    ];
    expect(await takes(withFiles(files))).toEqual({ taken: true });
    const last = (await thread()).messages.at(-1);
    expect(last).toMatchObject({
      body: 'Here.',
      filesRefused: 2,
      files: [{ name: 'proof.pdf', purpose: 'ticket' }],
    });
  });

  it("takes a guest's attachments, which only staff can open, up to a limit for the request", async () => {
    const guest = 'gus@mail.example';
    const id = crypto.randomUUID();
    const send = (url: string, payload: object) => app.raw({ method: 'POST', url: `/api${url}`, payload });
    await send('/guest-tickets', {
      id,
      email: guest,
      name: 'Gus',
      category: 'account',
      subject: 'Cannot log in',
      body: 'Help.',
    });
    await app.runDue();
    const mails = () => app.mails.filter(({ to }) => to === guest);
    const token = /confirm=([\w.-]+)/.exec(mails()[0]?.text ?? '')?.[1] ?? '';
    await send('/guest-tickets/confirm', { token });
    await app.runDue();
    const to = mails()[1]?.replyTo ?? '';
    const pdf = (name: string) => part('application/pdf', name, Buffer.from(pdfBytes()));
    const five = Array.from({ length: ticketLimits.filesMax }, (_, index) => pdf(`${index}.pdf`));
    for (const _mail of [1, 2, 3])
      expect(await takes(withFiles(five, { from: guest, to }))).toEqual({ taken: true });
    const { messages } = await operator.api.operators.ticket({ ticketId: id });
    expect(messages.map(({ files, filesRefused }) => [files.length, filesRefused])).toEqual([
      [0, 0],
      [ticketLimits.filesMax, 0],
      [ticketLimits.filesMax, 0],
      [0, ticketLimits.filesMax],
    ]);
    const path = messages[1]?.files[0]?.path ?? '';
    const status = async (headers: Record<string, string>) =>
      (await app.raw({ method: 'GET', url: `/api${path}`, headers })).statusCode;
    const bearer = async (person: Person) => ({
      authorization: `Bearer ${await signAccessToken(app.secret, app.clock, person)}`,
    });
    expect(await status({})).toBe(404);
    expect(await status(await bearer(leila))).toBe(404);
    expect(await status({ ...workingHeaders, ...(await bearer(operator)) })).toBe(200);
    const reply = () => takes(mime({ from: guest, to }));
    const left = ticketLimits.messagesPerDayOfAddress - messages.length;
    const answers = await Promise.all(Array.from({ length: left + 10 }, reply));
    expect(answers.filter(({ taken }) => taken)).toHaveLength(left);
    app.clock.forward({ days: 1 });
    expect(await reply()).toEqual({ taken: true });
  });

  it("returns 503 while files can't be stored, so the mail is retried with its files", async () => {
    const put = app.fileStore.put;
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const before = app.fileStore.keys();
    const spy = vi.spyOn(app.fileStore, 'put').mockImplementationOnce(put).mockRejectedValueOnce(full);
    const raw = withFiles(
      ['a.pdf', 'b.pdf'].map((name) => part('application/pdf', name, Buffer.from(pdfBytes()))),
    );
    const refused = await post(raw);
    spy.mockRestore();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(app.fileStore.keys()).toEqual(before);
    expect((await post(raw)).json()).toEqual({ taken: true });
    expect(app.fileStore.keys()).toHaveLength(before.length + 2);
  });

  it('keeps the text of an HTML mail and none of its code', async () => {
    const headers = ['Content-Type: text/html; charset=utf-8'];
    const body =
      '<p>Friday &amp; Saturday</p><script>alert(1)</script><img src=x onerror=alert(1)><style>p{}</style>';
    expect(await takes(mime({ headers, body }))).toEqual({ taken: true });
    const said = (await thread()).messages.at(-1)?.body ?? '';
    expect(said).toContain('Friday & Saturday');
    expect(said).not.toMatch(/alert|onerror|<|p\{\}/);
  });

  it.each([
    [
      'an address of another signature',
      () => mime({ to: replyTo.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0')) }),
    ],
    ['an address without one', () => mime({ to: 'help@reply.nearhand.example' })],
    ['another domain', () => mime({ to: replyTo.replace('reply.', 'reply2.') })],
    ['another sender', () => mime({ from: 'mallory@mail.example' })],
    ['an out-of-office answer', () => mime({ headers: ['Auto-Submitted: auto-replied'] })],
    [
      'one that says so in a second line',
      () => mime({ headers: ['Auto-Submitted: no', 'Auto-Submitted: auto-replied'] }),
    ],
    ['a mailing list', () => mime({ headers: ['Precedence: bulk'] })],
    ['a bounce', () => mime({ headers: ['Return-Path: <>'] })],
    ['no words', () => mime({ body: ' \r\n' })],
    ['no mail at all', () => Buffer.from([0, 255, 254, 10, 13])],
    ['an empty body', () => Buffer.alloc(0)],
  ])('leaves out %s, with success', async (_what, make) => {
    const answer = await post(make());
    expect([answer.statusCode, answer.json()]).toEqual([200, { taken: false }]);
    expect((await thread()).messages).toHaveLength(2);
  });

  it("rejects one person's address for another's request", async () => {
    const other = await app.person();
    const theirs = await answered(other);
    const [signature] = /[0-9a-f]{24}(?=@)/.exec(theirs.replyTo) ?? [''];
    const mixed = replyTo.replace(/[0-9a-f]{24}(?=@)/, signature);
    expect(await takes(mime({ to: mixed }))).toEqual({ taken: false });
    expect(await takes(mime({ to: theirs.replyTo }))).toEqual({ taken: false });
    expect((await other.api.tickets.get({ ticketId: theirs.ticketId })).messages).toHaveLength(2);
  });

  it('truncates long text and removes control characters', async () => {
    expect(await takes(mime({ body: `a\u0007b${'x'.repeat(ticketLimits.bodyMax * 2)}` }))).toEqual({
      taken: true,
    });
    const body = (await thread()).messages.at(-1)?.body ?? '';
    expect(body.startsWith('abx')).toBe(true);
    expect(body).toHaveLength(ticketLimits.bodyMax);
  });

  it('reads a hostile mail in linear time', async () => {
    const body = `${'On '.repeat(60_000)}\r\n${'> '.repeat(60_000)}\r\n${'_'.repeat(60_000)}!`;
    const before = performance.now();
    await takes(mime({ body }));
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it.each([
    ['no signature', () => null],
    ['a malformed one', () => 'v1=abc'],
    ['one of another secret', (raw: Buffer) => signed(raw, seconds(), 'x'.repeat(32))],
    ['one of another mail', () => signed(mime({ body: 'Other' }))],
    ['one of an hour ago', (raw: Buffer) => signed(raw, String(Number(seconds()) - 3_600))],
  ])('refuses a post with %s', async (_what, sign) => {
    const raw = mime();
    const answer = await post(raw, sign(raw));
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'webhook/refused']);
    expect((await thread()).messages).toHaveLength(2);
  });
});

describe('a server without inbound mail', () => {
  const plain = useTestApp();
  it('rejects mail', async () => {
    const raw = Buffer.from('x');
    const answer = await plain.raw({
      method: 'POST',
      url: '/api/webhooks/mail',
      payload: raw,
      headers: { 'content-type': 'message/rfc822', 'x-nearhand-signature': signed(raw) },
    });
    expect(answer.json().code).toBe('webhook/refused');
  });
});
