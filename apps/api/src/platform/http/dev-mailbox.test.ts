import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createMailer } from '../mail/mail.ts';
import { composeMail } from '../mail/mail-layout.ts';

const words = {
  subject: '<script>alert(1)</script> & "you"',
  heading: 'Hello',
  paragraphs: ['A <b>bold</b> claim'],
  action: { label: 'Go', url: 'http://localhost:8080/login?verify=a&b="c"' },
  footnote: 'Why',
};

describe('the development mailbox', () => {
  const app = useTestApp();
  const get = (url: string) => app.raw({ url });

  it('shows every message, newest first, escaped, with its links', async () => {
    const mailer = createMailer(app.config, app.db, app.clock);
    await mailer.send(composeMail('leila@x.test', 'one', { ...words, subject: 'The older one' }));
    app.clock.forward({ seconds: 1 });
    await mailer.send(composeMail('sam@x.test', 'two', words));
    await mailer.send(composeMail('sam@x.test', 'two', words));

    const list = await get('/dev/mailbox');
    expect(list.statusCode).toBe(200);
    expect(list.headers['content-security-policy']).not.toContain('unsafe');
    expect(list.headers['content-security-policy']).toMatch(/img-src [^;]*data:/);
    expect(list.body).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(list.body).not.toContain('<script>');
    expect(list.body.match(/<li>/g)).toHaveLength(2);
    expect(list.body.indexOf('alert(1)')).toBeLessThan(list.body.indexOf('The older one'));
    expect(list.body).toContain('<a href="http://localhost:8080/login?verify=a&amp;b=');
    expect((await get('/dev/mailbox?to=leila@x.test')).body.match(/<li>/g)).toHaveLength(1);

    const path = /href="(\/dev\/mailbox\/[0-9a-f-]{36})"/.exec(list.body)?.[1] ?? '';
    const message = await get(path);
    expect(message.body).toContain('A &lt;b&gt;bold&lt;/b&gt; claim');
    const html = await get(`${path}/html`);
    expect(html.headers['content-security-policy']).toContain('sandbox');
    expect(html.headers['content-security-policy']).not.toContain('allow-scripts');
    expect((await get('/dev/mailbox.css')).headers['content-type']).toContain('text/css');
  });

  it('handles nonsense', async () => {
    for (const url of ['/dev/mailbox/x', '/dev/mailbox/%00', `/dev/mailbox/${'-'.repeat(36)}`])
      expect((await get(url)).statusCode).toBe(404);
    expect((await get('/dev/mailbox?to=%00&to=b')).statusCode).toBe(200);
  });
});

describe('without a development mailbox', () => {
  const production = useTestApp({
    NODE_ENV: 'production',
    SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'https://nearhand.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  it("doesn't exist in production", async () => {
    expect((await production.raw({ url: '/dev/mailbox' })).statusCode).toBe(404);
    expect((await production.raw({ url: '/dev/mailbox.css' })).statusCode).toBe(404);
    expect((await production.apiAs(null).signIn.options()).mailboxPath).toBeNull();
  });
});

describe('with a mail server', () => {
  const app = useTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
  it("doesn't exist either", async () => {
    expect((await app.raw({ url: '/dev/mailbox' })).statusCode).toBe(404);
  });
});
