import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { readConfig } from '../config/config.ts';
import { createMailer, smtpOptions } from './mail.ts';

const app = useTestApp();
const servers: SMTPServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close(() => {});
});

/** A real SMTP server that keeps what it receives, or refuses every recipient. */
async function smtpServer(refuse: boolean, { breaksOnce = false } = {}) {
  const received: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('no such mailbox') : null),
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(Buffer.concat(parts));
        if (!breaksOnce || received.length > 1) return done();
        // It has the mail, and nobody is told.
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

const mail = {
  to: 'leila@example.test',
  subject: 'Your application – Kopi & Crumb ☕',
  text: 'They answer by Thu 3 Dec.\nhttp://localhost:8080/x?a=1&b=2',
  html: '<p>They answer by <b>Thu 3 Dec</b>.</p>',
  key: 'application-viewed-1',
};

describe('mail over SMTP', () => {
  it('arrives with both parts, its sender and an id from its deduplication key', async () => {
    const { received, mailer } = await smtpServer(false);
    await mailer.send(mail);
    const parsed = await PostalMime.parse(received[0] ?? Buffer.alloc(0));
    expect(parsed).toMatchObject({
      subject: mail.subject,
      from: { name: 'Nearhand', address: 'no-reply@nearhand.example' },
      to: [{ address: mail.to }],
      messageId: '<application-viewed-1@localhost>',
    });
    expect(parsed.text?.trim()).toBe(mail.text);
    expect(parsed.html?.trim()).toBe(mail.html);
  });

  it('is sent once more with the same id when its acceptance was lost', async () => {
    const { received, mailer } = await smtpServer(false, { breaksOnce: true });
    await expect(mailer.send(mail)).rejects.toThrow();
    await mailer.send(mail);
    const ids = await Promise.all(received.map(async (raw) => (await PostalMime.parse(raw)).messageId));
    expect(ids).toEqual(['<application-viewed-1@localhost>', '<application-viewed-1@localhost>']);
  });

  it('fails when the server refuses, so that its task is retried', async () => {
    const { mailer } = await smtpServer(true);
    await expect(mailer.send(mail)).rejects.toThrow('no such mailbox');
  });
});

it('insists on TLS with a mail server outside its own network', () => {
  expect(smtpOptions('smtp://mail.example:587').requireTLS).toBe(true);
  for (const own of ['smtp://127.0.0.1:25', 'smtp://mailserver:25', 'smtp://[::1]:25', 'smtp://10.0.0.9'])
    expect(smtpOptions(own).requireTLS, own).toBe(false);
});

describe('the development mailbox', () => {
  it('keeps one message per key, however often it is sent', async () => {
    const mailer = createMailer(readConfig({}), app.db, app.clock);
    await mailer.send(mail);
    await mailer.send(mail);
    expect(await app.db.selectFrom('mailbox_messages').select('subject').execute()).toEqual([
      { subject: mail.subject },
    ]);
  });

  it('does not exist in production', () => {
    expect(() => createMailer({ ...readConfig({}), NODE_ENV: 'production' }, app.db, app.clock)).toThrow(
      'SMTP_URL',
    );
  });
});
