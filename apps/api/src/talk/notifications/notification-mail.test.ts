import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { confirmAddress } from './deliveries.ts';
import { notify } from './notifications.ts';

const received: Buffer[] = [];
let breaks = false;
let refusal: { code: number; text: string } | null = null;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: (_address, _session, done) =>
    done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null),
  onData(stream, _session, done) {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      received.push(Buffer.concat(parts));
      if (!breaks) return done();
      for (const connection of server.connections) connection.close();
    });
  },
});
const app = useTestApp(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    PUBLIC_URL: 'https://nearhand.example',
    SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
  };
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

let leila: Person;
beforeEach(async () => {
  refusal = null;
  breaks = false;
  await app.pool.query('delete from graphile_worker._private_jobs');
  leila = await app.person();
  received.length = 0;
});
const publish = () =>
  app.db.transaction().execute((tx) =>
    notify(tx, app, {
      accountId: leila.accountId,
      topic: 'application-viewed',
      data: { jobTitle: 'Barista', businessName: 'Café Noord ☕' },
      path: '/tabs/menu/my-work/1',
      dedupeKey: crypto.randomUUID(),
    }),
  );
const stateOfEmail = async () => (await leila.api.notificationSettings.get({})).email.state;
const lastWay = () =>
  app.db
    .selectFrom('notification_deliveries')
    .select(['state', 'reason', 'attempts'])
    .where('accountId', '=', leila.accountId)
    .orderBy('id', 'desc')
    .executeTakeFirst();

describe('mail of a notice over SMTP', () => {
  it('has both parts and supports one-click unsubscribe', async () => {
    await publish();
    await app.runDue();
    expect(received).toHaveLength(1);
    const mail = await PostalMime.parse(received[0] ?? Buffer.alloc(0));
    expect(mail).toMatchObject({
      subject: 'Café Noord ☕ viewed your application',
      to: [{ address: leila.email }],
      messageId: expect.stringMatching(/^<notification-[\w-]+@nearhand\.example>$/),
    });
    expect(mail.text).toContain('https://nearhand.example/tabs/menu/my-work/1');
    expect(mail.html).toContain('max-width:520px');
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const url = /^<(https:\/\/nearhand\.example\/api\/unsubscribe\/[^>]+)>$/.exec(
      header('list-unsubscribe') ?? '',
    )?.[1];
    expect(mail.text?.replace(/\s/g, '')).toContain(url);
    const answer = await app.raw({
      method: 'POST',
      url: new URL(url ?? '').pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(answer.statusCode).toBe(200);
    await publish();
    await app.runDue();
    expect(received).toHaveLength(1);
    expect(await lastWay()).toMatchObject({ state: 'suppressed', reason: 'off' });
  });

  it.each([
    ['24', 'Pick a time by Thu 3 Dec, 18:40.'],
    ['12', 'Pick a time by Thu 3 Dec, 6:40 pm.'],
    ['device', 'Pick a time by Thu 3 Dec, 18:40.'],
  ] as const)("uses the reader's clock format: %s", async (clock, sentence) => {
    await leila.api.accountSettings.update({ clock });
    await app.db.transaction().execute((tx) =>
      notify(tx, app, {
        accountId: leila.accountId,
        topic: 'interview-proposed',
        data: {
          jobTitle: 'Barista',
          businessName: 'Kopi',
          other: 'Kopi',
          timeZone: 'Europe/Amsterdam',
          by: '2026-12-03T17:40:00Z',
        },
        path: '/interview',
        dedupeKey: crypto.randomUUID(),
      }),
    );
    await app.runDue();
    const mail = await PostalMime.parse(received.at(-1) ?? Buffer.alloc(0));
    expect(mail.text?.replace(/\s+/g, ' ')).toContain(sentence);
    expect(mail.html).toContain(sentence);
  });

  it('skips a bounced address until it is confirmed again', async () => {
    refusal = { code: 550, text: '5.1.1 no such mailbox' };
    await publish();
    await app.runDue();
    expect(await lastWay()).toMatchObject({ state: 'failed', reason: 'email-refused', attempts: 1 });
    expect(await stateOfEmail()).toBe('refused');
    expect((await leila.api.notifications.test({})).ways.at(-1)).toMatchObject({ outcome: 'email-refused' });
    refusal = null;
    await publish();
    await app.runDue();
    expect(received).toEqual([]);
    await confirmAddress(app.db, leila.email);
    expect(await stateOfEmail()).toBe('ok');
    await publish();
    await app.runDue();
    expect(received).toHaveLength(1);
  });

  it('is given up when the mail server received it twice without confirming', async () => {
    breaks = true;
    await publish();
    await app.runDue();
    for (let minutes = 1; minutes <= 8; minutes *= 2) {
      app.clock.forward({ minutes });
      await app.runDue();
    }
    expect(received).toHaveLength(2);
    expect(await lastWay()).toMatchObject({ state: 'failed', reason: 'gave-up', attempts: 3 });
    expect(await stateOfEmail()).toBe('ok');
  });

  it.each([
    [450, '4.2.1 try later'],
    [552, '5.2.2 mailbox full'],
    [550, '5.7.1 we do not like you'],
  ])('is retried after %i %s', async (code, text) => {
    refusal = { code, text };
    await publish();
    await app.runDue();
    expect(await lastWay()).toMatchObject({ state: 'queued', attempts: 1 });
    expect(await stateOfEmail()).toBe('ok');
    refusal = null;
    app.clock.forward({ minutes: 1 });
    await app.runDue();
    expect(received).toHaveLength(1);
    expect(await lastWay()).toMatchObject({ state: 'sent' });
  });
});
