import type { AddressInfo } from 'node:net';
import { addMs, dayMs } from '@nearhand/contract/durations';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { readConfig } from '../config/config.ts';
import { enqueue } from '../tasks/tasks.ts';
import { createMailer, MailUnconfirmedError, smtpOptions } from './mail.ts';
import { purgeMailHandoversTask } from './mail-handovers.tasks.ts';

const app = useTestApp();
const servers: SMTPServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close(() => {});
});

type Ending = 'cut' | 'refuse' | 'break';

/**
 * A real SMTP server that stores mails, or refuses every recipient.
 * @param endings the end of each connection instead of acceptance: `cut` is before the content, the others after it
 */
async function smtpServer(refuse: boolean, endings: Ending[] = []) {
  const received: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      if (endings[0] !== 'cut') return done(refuse ? new Error('no such mailbox') : null);
      endings.shift();
      for (const connection of server.connections) connection.close();
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(Buffer.concat(parts));
        const ending = endings.shift();
        if (ending !== 'break')
          return done(ending && Object.assign(new Error('try later'), { responseCode: 451 }));
        // The server has the mail but never confirms it.
        for (const connection of server.connections) connection.close();
      });
    },
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    mailer: createMailer(readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}` }), app.db, app.clock),
  };
}

const mail = (key: string) => ({
  to: 'leila@example.test',
  subject: 'Your application – Kopi & Crumb ☕',
  text: 'They answer by Thu 3 Dec.\nhttp://localhost:8080/x?a=1&b=2',
  html: '<p>They answer by <b>Thu 3 Dec</b>.</p>',
  key,
});

describe('mail over SMTP', () => {
  it('arrives with both parts, its sender and an id from its deduplication key', async () => {
    const { received, mailer } = await smtpServer(false);
    await mailer.send(mail('application-viewed-1'));
    const parsed = await PostalMime.parse(received[0] ?? Buffer.alloc(0));
    expect(parsed).toMatchObject({
      subject: mail('').subject,
      from: { name: 'Nearhand', address: 'no-reply@nearhand.example' },
      to: [{ address: mail('').to }],
      messageId: '<application-viewed-1@localhost>',
    });
    expect(parsed.text?.trim()).toBe(mail('').text);
    expect(parsed.html?.trim()).toBe(mail('').html);
  });

  it('belongs to one conversation with others that have its reply address', async () => {
    const { received, mailer } = await smtpServer(false);
    const replyTo = 'help+a1@reply.nearhand.example';
    for (const key of ['answered', 'solved']) await mailer.send({ ...mail(key), replyTo });
    await mailer.send(mail('other'));
    const threads = await Promise.all(received.map(async (raw) => (await PostalMime.parse(raw)).references));
    expect(threads).toEqual(['<help+a1@localhost>', '<help+a1@localhost>', undefined]);
  });

  it('is sent again with the same id when its acceptance was lost', async () => {
    const { received, mailer } = await smtpServer(false, ['break']);
    await expect(mailer.send(mail('lost-once'))).rejects.toThrow('closed unexpectedly');
    await mailer.send(mail('lost-once'));
    const ids = await Promise.all(received.map(async (raw) => (await PostalMime.parse(raw)).messageId));
    expect(ids).toEqual(['<lost-once@localhost>', '<lost-once@localhost>']);
  });

  it('is given up when its acceptance was lost twice, without affecting other mail', async () => {
    const { received, mailer } = await smtpServer(false, ['break', 'break', 'break']);
    for (let n = 0; n < 2; n += 1)
      await expect(mailer.send(mail('lost-twice'))).rejects.toThrow('closed unexpectedly');
    for (let n = 0; n < 2; n += 1)
      await expect(mailer.send(mail('lost-twice'))).rejects.toThrow(MailUnconfirmedError);
    expect(received).toHaveLength(2);
    await expect(mailer.send(mail('another'))).rejects.toThrow('closed unexpectedly');
    await mailer.send(mail('another'));
    expect(received).toHaveLength(4);
  });

  it("isn't sent again by a task that was killed after its acceptance", async () => {
    const { received, mailer } = await smtpServer(false);
    await mailer.send(mail('accepted'));
    await mailer.send(mail('accepted'));
    expect(received).toHaveLength(1);
  });

  it('is retried like its task when the server rejects it, or disconnects before receiving it', async () => {
    for (const [ending, why] of [
      ['refuse', 'try later'],
      ['cut', 'closed unexpectedly'],
    ] as const) {
      const { received, mailer } = await smtpServer(false, [ending, ending, ending]);
      for (let n = 0; n < 3; n += 1) await expect(mailer.send(mail(ending))).rejects.toThrow(why);
      await mailer.send(mail(ending));
      expect(received).toHaveLength(ending === 'cut' ? 1 : 4);
    }
  });

  it('fails when the server rejects it, so its task is retried', async () => {
    const { mailer } = await smtpServer(true);
    await expect(mailer.send(mail('no-mailbox'))).rejects.toThrow('no such mailbox');
  });
});

it('deletes handovers after 90 days, past all retries', async () => {
  const { mailer } = await smtpServer(false);
  await mailer.send(mail('old'));
  app.clock.set(addMs(app.clock.now(), 89 * dayMs).toISOString());
  await mailer.send(mail('young'));
  app.clock.set(addMs(app.clock.now(), 2 * dayMs).toISOString());
  await app.db.transaction().execute((tx) => enqueue(tx, purgeMailHandoversTask, {}));
  await app.runDue();
  const { rows } = await app.pool.query(`select key from mail_handovers where key in ('old', 'young')`);
  expect(rows).toEqual([{ key: 'young' }]);
});

it('requires TLS for a mail server outside its own network', () => {
  expect(smtpOptions('smtp://mail.example:587').requireTLS).toBe(true);
  for (const own of ['smtp://127.0.0.1:25', 'smtp://mailserver:25', 'smtp://[::1]:25', 'smtp://10.0.0.9'])
    expect(smtpOptions(own).requireTLS, own).toBe(false);
});

describe('the development mailbox', () => {
  it('keeps one message per key, even on repeats', async () => {
    const mailer = createMailer(readConfig({}), app.db, app.clock);
    await mailer.send(mail('kept'));
    await mailer.send(mail('kept'));
    expect(await app.db.selectFrom('mailbox_messages').select('subject').execute()).toEqual([
      { subject: mail('').subject },
    ]);
  });

  it("doesn't exist in production", () => {
    expect(() => createMailer({ ...readConfig({}), NODE_ENV: 'production' }, app.db, app.clock)).toThrow(
      'SMTP_URL',
    );
  });
});
