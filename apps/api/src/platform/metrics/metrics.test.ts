import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { type Mail, MailRefusedError, MailUnconfirmedError } from '../mail/mail.ts';
import type { Push, PushOutcome, PushTarget } from '../push/push-port.ts';
import { registerGauges } from './gauges.ts';
import { countMail, countPush, watchPools } from './process-metrics.ts';

const app = useTestApp();
const local = { remoteAddress: '127.0.0.1' };
const scrape = async () => (await app.raw({ url: '/metrics', ...local })).body;
const readingOf = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

// Runs first, because these figures are cached for a minute.
it('exports the money by kind, which sums to zero, and the marketplace figures', async () => {
  const leila = await app.person();
  const scope = app.scopeOf(leila);
  const { id } = await makeBusiness(app.db, scope);
  await fundBusiness(app.db, scope, id, { amountMinor: 75_000 });
  await app.pool.query(`insert into audits values ('ledger', now(), 3, 2, '{}')`);
  const text = await scrape();
  expect(readingOf(text, 'money_minor{kind="business_balance",currency="EUR"}')).toBe('100075000');
  expect(readingOf(text, 'money_minor{kind="provider_clearing",currency="EUR"}')).toBe('-100075000');
  expect(readingOf(text, 'audit_findings{audit="ledger"}')).toBe('2');
  expect(Number(readingOf(text, 'sign_ups_last_day'))).toBeGreaterThan(0);
  expect(readingOf(text, 'spots_last_week')).toBe('0');
});

it('labels calls by operation, never by path', async () => {
  const person = await app.person();
  await person.api.accounts.me({});
  for (const url of [
    '/api/accounts/nonsense/only-in-a-path',
    '/nowhere/only-in-a-path',
    '/health/live',
    '/api/jobs/only-in-a-path',
  ])
    await app.raw({ url });
  const text = await scrape();
  expect(readingOf(text, 'http_requests_total{operation="accounts.me",status="200"}')).toBe('1');
  expect(readingOf(text, 'http_requests_total{operation="GET /health/live",status="200"}')).toBe('1');
  expect(readingOf(text, 'http_requests_total{operation="unmatched",status="404"}')).toBe('2');
  expect(readingOf(text, 'http_request_seconds_count{operation="accounts.me"}')).toBe('1');
  expect(text).not.toContain('only-in-a-path');
});

it('counts rejections by code, and no failures', async () => {
  const person = await app.person();
  expect(await failure(person.api.cases.list({}))).toMatchObject({ code: 'operator/required' });
  await app.raw({ url: '/api/accounts/me' });
  await app.raw({ url: '/api/jobs/only-in-a-path' });
  const wrong = { email: person.email, password: 'not the password' };
  await app.raw({ method: 'POST', url: '/api/auth/sign-in/email', payload: wrong });
  const text = await scrape();
  expect(readingOf(text, 'refusals_total{code="operator/required"}')).toBe('1');
  expect(readingOf(text, 'refusals_total{code="session/required"}')).toBe('1');
  expect(readingOf(text, 'refusals_total{code="auth/invalid-credential"}')).toBe('1');
  expect(text).not.toContain('refusals_total{code="request/invalid"}');
});

it('omits a gauge while its query fails, and queries again at the next scrape', async () => {
  const metrics = new Registry();
  const find = vi.fn().mockRejectedValueOnce(new Error('the database is away')).mockResolvedValue(4);
  const gauge = { help: 'Four', read: (found: number) => [[{}, found]] as const };
  registerGauges(
    { metrics, log: { warn() {} } },
    { what: 'fours', ttlMs: 60_000, find },
    {
      four: gauge,
      labelled: { ...gauge, labelNames: ['of'], read: (found: number) => [[{ of: 'a' }, found]] as const },
    },
  );
  expect(readingOf(await metrics.metrics(), 'four')).toBeUndefined();
  expect(readingOf(await metrics.metrics(), 'four')).toBe('4');
  expect(readingOf(await metrics.metrics(), 'labelled{of="a"}')).toBe('4');
  await metrics.metrics();
  expect(find).toHaveBeenCalledTimes(2);
});

it('counts mails and pushes by outcome, from 0 on', async () => {
  const metrics = new Registry();
  const send = vi
    .fn()
    .mockResolvedValueOnce(undefined)
    .mockRejectedValueOnce(new Error('busy'))
    .mockRejectedValueOnce(new MailRefusedError('no such mailbox'))
    .mockRejectedValueOnce(new MailUnconfirmedError('key-1'));
  const mailer = countMail(metrics, { send });
  const outcomes = [];
  for (let n = 0; n < 4; n += 1) outcomes.push(await mailer.send({} as Mail).catch(String));
  expect(outcomes.slice(0, 3)).toEqual([undefined, 'Error: busy', 'Error: no such mailbox']);
  expect(outcomes[3]).toContain('key-1 was handed over twice');
  const push = countPush(metrics, { send: async (): Promise<PushOutcome> => ({ outcome: 'gone' }) });
  await push.send({} as PushTarget, {} as Push, { ttlSeconds: 1, urgency: 'low' });
  const text = await metrics.metrics();
  for (const outcome of ['sent', 'failed', 'refused', 'unconfirmed'])
    expect(readingOf(text, `mails_total{outcome="${outcome}"}`)).toBe('1');
  expect(readingOf(text, 'pushes_total{outcome="gone"}')).toBe('1');
  expect(readingOf(text, 'pushes_total{outcome="sent"}')).toBe('0');
});

it('exports how far a pool is used and how many wait for it', async () => {
  const metrics = new Registry();
  const pool = { totalCount: 5, idleCount: 2, waitingCount: 7, options: { max: 6 } } as never;
  watchPools(metrics, { requests: pool });
  const text = await metrics.metrics();
  const of = (name: string) => readingOf(text, `${name}{pool="requests"}`);
  expect(['database_connections', 'database_connections_busy'].map(of)).toEqual(['5', '3']);
  expect(['database_connections_max', 'database_connection_waiters'].map(of)).toEqual(['6', '7']);
});
