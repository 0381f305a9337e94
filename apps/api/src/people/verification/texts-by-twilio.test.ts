import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';

const account = `AC${'0'.repeat(32)}`;
const token = 'a-token-of-the-tests';
type Received = { method: string; url: string; authorization: string; type: string; form: URLSearchParams };
const received: Received[] = [];
/** The next response: status and body, or no response at all. */
let answer: { status: number; body: unknown } = { status: 201, body: { sid: 'SM1' } };

async function take(request: IncomingMessage): Promise<Received> {
  let body = '';
  for await (const part of request) body += String(part);
  const { method = '', url = '', headers } = request;
  const { authorization = '', 'content-type': type = '' } = headers;
  return { method, url, authorization, type, form: new URLSearchParams(body) };
}

/** A local stand-in for the Messages API, as strict about the form and the credentials. */
const twilio = createServer((request, response) => {
  void take(request).then((text) => {
    received.push(text);
    const allowed = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;
    const right = text.authorization === allowed && text.form.get('To') && text.form.get('Body');
    const { status, body } = right ? answer : { status: 401, body: { code: 20_003 } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});

const app = useTestApp(async () => {
  twilio.listen(0, '127.0.0.1');
  await once(twilio, 'listening');
  const { port } = twilio.address() as AddressInfo;
  return {
    TWILIO_ACCOUNT_SID: account,
    TWILIO_AUTH_TOKEN: token,
    TWILIO_FROM: '+15550100',
    TWILIO_URL: `http://127.0.0.1:${port}`,
  };
});
afterAll(() => twilio.close());

const phone = '+31612345678';
const ask = async () => {
  const person = await app.person();
  app.clock.forward({ days: 1 });
  await person.api.verification.sendPhoneCode({ phone });
  return person;
};

describe('texts through Twilio', () => {
  it('are sent as a form with our sender and credentials, and the code works', async () => {
    const { api } = await ask();
    await app.runDue();
    const [sent, ...more] = received.splice(0);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      method: 'POST',
      url: `/2010-04-01/Accounts/${account}/Messages.json`,
      type: expect.stringContaining('application/x-www-form-urlencoded'),
    });
    expect(Object.fromEntries(sent?.form ?? [])).toEqual({
      To: phone,
      From: '+15550100',
      Body: expect.stringMatching(/^\d{6} is your Nearhand code/),
    });
    const code = sent?.form.get('Body')?.slice(0, 6) ?? '';
    expect((await api.verification.confirmPhone({ code })).phone.status).toBe('checked');
    await api.profiles.save({ phone: null });
  });

  it('to an unreachable number appear as undelivered, without a retry', async () => {
    answer = { status: 400, body: { code: 21_614, message: "'To' number is not a valid mobile number" } };
    const { api } = await ask();
    await app.runDue();
    expect(received.splice(0)).toHaveLength(1);
    expect((await api.verification.overview()).phone.code).toMatchObject({ undelivered: true });
    app.clock.forward({ minutes: 5 });
    await app.runDue();
    expect(received).toEqual([]);
  });

  it('are retried while the provider is down, but not after the code expired', async () => {
    answer = { status: 503, body: {} };
    const { api } = await ask();
    await app.runDue().catch(() => null);
    expect(received.splice(0).length).toBeGreaterThan(0);
    expect((await api.verification.overview()).phone.code).toMatchObject({ undelivered: false });
    app.clock.forward({ minutes: 10 });
    answer = { status: 201, body: {} };
    await app.runDue();
    expect(received).toEqual([]);
  });
});
