import { symbols } from 'pino';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { cardToken, testCards, testIbans } from './sandbox.fixtures.ts';

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the form endpoint of the sandbox', () => {
  const app = useTestApp();
  const card = { kind: 'card', number: testCards.pays, expiresMonth: 12, expiresYear: 2030, cvc: '123' };
  const post = (payload: string | object, headers: Record<string, string> = json) =>
    app.raw({ method: 'POST', url: app.provider.tokenUrl ?? '', headers, payload });

  it('returns a token for a card and for an account that can be saved', async () => {
    const response = await post(card);
    expect(response.statusCode).toBe(201);
    const tokenResponse = response.json() as { token: string };
    expect(tokenResponse).toEqual({
      token: expect.stringMatching(/^tok_[0-9a-f]{32}$/),
      kind: 'card',
      brand: 'Visa',
      last4: '4242',
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
      expiresMonth: 12,
      expiresYear: 2030,
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(
      await app.provider.saveCard({ key: 's1', token: tokenResponse.token, ownerId: 'owner' }),
    ).toHaveProperty('ref');
    const bank = await post({ kind: 'bank', holderName: 'Nadia', iban: testIbans.pays });
    expect(bank.json()).toMatchObject({ kind: 'bank', last4: '9000', country: 'NL', instant: true });
  });

  it('returns the invalid field', async () => {
    const response = await post({ ...card, number: '4242424242424241' });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual({ field: 'number', problem: 'invalid' });
  });

  it.each([
    ['', 400],
    ['{', 400],
    ['null', 422],
    ['[]', 422],
    ['"\\u0000"', 422],
    ['{"kind":["card"]}', 422],
    ['{"__proto__":{"kind":"card"}}', 422],
    [`{"kind":"card","number":"${'4'.repeat(10_000)}"}`, 422],
    ['x'.repeat(20_000), 413],
  ])('survives %j', async (payload, status) => {
    expect((await post(payload)).statusCode).toBe(status);
  });

  it('accepts JSON from our own pages only', async () => {
    expect((await post('kind=card', form)).statusCode).toBe(400);
    expect((await post(JSON.stringify(card), { 'content-type': 'text/plain' })).statusCode).toBe(400);
    expect((await post(card, { ...json, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(400);
    expect((await post(card, { ...json, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(201);
    expect((await app.raw({ url: app.provider.tokenUrl ?? '' })).statusCode).toBe(404);
  });
});

describe('a card number', () => {
  const app = useTestApp();
  it('appears in no log line or response on any route', async () => {
    const number = '4111111111111111';
    const lines: string[] = [];
    const { log } = app.scopeOf({ accountId: '' });
    log.level = 'trace';
    (log as unknown as Record<symbol, unknown>)[symbols.streamSym] = {
      write: (line: string) => lines.push(line),
    };
    for (const payload of [
      `{"kind":"card","number":"${number}"`,
      number,
      `{"kind":"card","number":"${number}x"}`,
      `{"kind":"card","number":"${number}","expiresMonth":12,"expiresYear":2030,"cvc":"123"}`,
    ]) {
      const response = await app.raw({ method: 'POST', url: '/sandbox/tokens', headers: json, payload });
      expect(response.body).not.toContain('41111');
    }
    expect(lines.filter((line) => line.includes('/sandbox/tokens'))).toHaveLength(4);
    expect(lines.join('')).not.toContain('41111');
  });
});

describe('the card confirmation page', () => {
  const app = useTestApp();
  let step = 0;
  const charge = async (
    returnUrl = `${app.config.PUBLIC_URL}/wallet?charge=1`,
    description = 'Cook <b>&"',
  ) => {
    step += 1;
    const token = await cardToken(app.provider, testCards.confirm);
    const card = await app.provider.saveCard({ key: `card/${step}`, token, ownerId: 'owner' });
    const state = await app.provider.charge({
      key: `charge/${step}`,
      cardRef: 'ref' in card ? card.ref : '',
      amountMinor: 11_005,
      currency: 'EUR',
      description,
      returnUrl,
    });
    return { ref: state.ref, state, path: (state.actionUrl ?? '').slice(app.config.PUBLIC_URL.length) };
  };
  const decide = (url: string, decision: string, headers: Record<string, string> = {}) =>
    app.raw({ method: 'POST', url, headers: { ...form, ...headers }, payload: `decision=${decision}` });
  const statusOf = async (ref: string) => (await app.provider.getCharge(ref))?.status;

  it('shows the payment, escaped and under our content policy', async () => {
    const { state, path } = await charge();
    expect(state).toMatchObject({ status: 'requires_action' });
    expect(path).toBe(`/sandbox/confirm/${state.ref}`);
    const page = await app.raw({ url: path });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.body).toContain('110.05 EUR');
    expect(page.body).toContain('Cook &lt;b&gt;&amp;&quot;');
    expect(page.body).not.toMatch(/<script|style=|onclick/);
    expect((await app.raw({ url: '/sandbox/style.css' })).headers['content-type']).toContain('text/css');
  });

  it('approves and redirects back', async () => {
    const { ref, path } = await charge();
    const answer = await decide(path, 'approve');
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${app.config.PUBLIC_URL}/wallet?charge=1`);
    expect(await app.provider.getCharge(ref)).toMatchObject({ status: 'succeeded', actionUrl: null });
    expect((await decide(path, 'approve')).statusCode).toBe(303);
    expect((await decide(path, 'refuse')).statusCode).toBe(303);
    expect(await statusOf(ref)).toBe('succeeded');
    expect((await app.raw({ url: path })).body).toContain('Payment approved');
  });

  it('rejects', async () => {
    const { ref, path } = await charge();
    expect((await decide(path, 'refuse')).statusCode).toBe(303);
    expect(await app.provider.getCharge(ref)).toMatchObject({
      status: 'failed',
      failure: 'authentication_failed',
    });
    expect((await app.raw({ url: path })).body).toContain('Payment refused');
  });

  it('does nothing after the charge was cancelled', async () => {
    const { ref, path } = await charge();
    await app.provider.cancelCharge({ key: `cancel/${ref}`, ref });
    expect((await decide(path, 'approve')).statusCode).toBe(303);
    expect(await statusOf(ref)).toBe('cancelled');
  });

  it('approving and cancelling concurrently end in one of the two', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { ref, path } = await charge();
      const [, stopped] = await Promise.all([
        decide(path, 'approve'),
        app.provider.cancelCharge({ key: `cancel/${ref}`, ref }),
      ]);
      const end = await statusOf(ref);
      expect(['succeeded', 'cancelled']).toContain(end);
      expect(stopped.status).toBe(end);
    }
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'https://a@evil.example/',
    'x\u0000',
  ])('never redirects to %j', async (returnUrl) => {
    const { path } = await charge(returnUrl);
    const answer = await decide(path, 'approve');
    expect(answer.headers.location).toBe(`${app.config.PUBLIC_URL}/`);
    expect((await app.raw({ url: path })).body).not.toMatch(/evil|javascript/);
  });

  it('links into the native app', async () => {
    const { path } = await charge('nearhand://wallet');
    const answer = await decide(path, 'approve');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('href="nearhand://wallet"');
  });

  it('rejects decisions from another site and invalid ones', async () => {
    const { ref, path } = await charge();
    expect((await decide(path, 'approve', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(400);
    for (const decision of ['', 'maybe', 'approve&decision=approve%00', '%FF'])
      expect((await decide(path, decision)).statusCode).toBe(400);
    expect((await app.raw({ method: 'POST', url: path })).statusCode).toBe(400);
    expect((await app.raw({ method: 'POST', url: path, headers: json, payload: '[]' })).statusCode).toBe(400);
    expect(await statusOf(ref)).toBe('requires_action');
  });

  it.each(['ch_none', '%00', '%ED%A0%80', '🏦', '-'.repeat(150), '..%2f..%2fevents'])(
    'rejects %s',
    async (ref) => {
      const page = await app.raw({ url: `/sandbox/confirm/${encodeURI(ref).replaceAll('%25', '%')}` });
      expect([400, 404]).toContain(page.statusCode);
      const answer = await decide(`/sandbox/confirm/${encodeURI(ref).replaceAll('%25', '%')}`, 'approve');
      expect([400, 404]).toContain(answer.statusCode);
    },
  );

  it('shows developers what happened', async () => {
    const page = await app.raw({ url: '/sandbox/events' });
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('charge');
    expect(page.body).toContain('webhook: waiting (0)');
  });
});

describe('in production', () => {
  const app = useTestApp({
    NODE_ENV: 'production',
    SECRET: 'x'.repeat(32),
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_URL: 'https://nearhand.example',
  });
  it('is not available in production', async () => {
    expect((await app.raw({ url: '/sandbox/events' })).statusCode).toBe(404);
  });
});

describe('limits', () => {
  const app = useTestApp({ WRITES_PER_MINUTE: '3' });
  it('apply to the form too', async () => {
    const post = (address: number) =>
      app.raw({
        method: 'POST',
        url: '/sandbox/tokens',
        headers: json,
        payload: '{}',
        remoteAddress: `2001:db8::${address}`,
      });
    for (let count = 0; count < 3; count += 1) expect((await post(count)).statusCode).toBe(422);
    expect((await post(3)).statusCode).toBe(429);
  });
});
