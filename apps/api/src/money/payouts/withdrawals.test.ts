import { dayMs, hourMs } from '@nearhand/contract/durations';
import type { Withdrawal } from '@nearhand/contract/money/payouts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { confirmedNow, signedInEarlier } from '../../people/sign-in/second-step.fixtures.ts';
import { testIbans } from '../sandbox/sandbox.fixtures.ts';
import { bookFaults, makeBank, payWorker } from './payouts.fixtures.ts';
import { sendWithdrawal } from './withdrawal-lifecycle.ts';

const app = useTestApp();
const taskScope = (of: Person) => ({ ...app.scopeOf(of), db: app.db, mailer: { send: async () => {} } });
const tokenOf = (of: Person) => signAccessToken(app.secret, app.clock, of);
const available = async (of: Person) => (await of.api.payouts.balance({})).balances[0]?.availableMinor;
const reserved = async (of: Person) => (await of.api.payouts.balance({})).balances[0]?.reservedMinor;

async function rich(iban?: string, amountMinor = 10_000) {
  const worker = await app.person({ name: 'Nadia Haddad' });
  const method = await makeBank(app.db, app.scopeOf(worker), iban);
  await payWorker(app.db, app.scopeOf(worker), worker.accountId, amountMinor, { atOnce: true });
  app.clock.forward({ days: 3 });
  return { worker, methodId: method.id, method };
}

let stranger: Person;
beforeAll(async () => {
  stranger = await app.person();
});
beforeEach(() => app.clock.set('2026-11-24T09:00:00Z'));

describe('who may', () => {
  const request = { methodId: crypto.randomUUID(), amountMinor: 3_000, speed: 'standard' } as const;
  const withdrawalId = crypto.randomUUID();
  const calls = [
    (api: Person['api']) => api.payouts.quote(request),
    (api: Person['api']) => api.payouts.withdraw(request),
    (api: Person['api']) => api.payouts.cancel({ withdrawalId, version: 1 }),
    (api: Person['api']) => api.payouts.withdrawals({}),
    (api: Person['api']) => api.payouts.withdrawal({ withdrawalId }),
  ];
  it.each(calls.map((call, index) => [index, call] as const))(
    'refuses callers without a session or a verified email (%i)',
    async (_index, call) => {
      expect(await failure(call(app.apiAs(null)))).toMatchObject({ status: 401 });
      const unverified = await app.person({ verified: false });
      expect(await failure(call(unverified.api))).toMatchObject({ status: 403 });
    },
  );

  it("rejects another worker's bank account or withdrawal", async () => {
    const { worker, methodId } = await rich();
    const mine = await worker.api.payouts.withdraw({ ...request, methodId });
    const id = mine.id;
    for (const call of [stranger.api.payouts.quote, stranger.api.payouts.withdraw])
      expect(await failure(call({ ...request, methodId }))).toMatchObject({
        status: 404,
        code: 'payout/method-not-found',
      });
    expect(await failure(stranger.api.payouts.withdrawal({ withdrawalId: id }))).toMatchObject({
      status: 404,
      code: 'payout/not-found',
    });
    const cancel = stranger.api.payouts.cancel({ withdrawalId: id, version: 1 });
    expect(await failure(cancel)).toMatchObject({ status: 404, code: 'payout/not-found' });
    expect((await stranger.api.payouts.withdrawals({})).items).toEqual([]);
    expect(await worker.api.payouts.withdrawal({ withdrawalId: id })).toEqual(mine);
  });
});

describe('payouts.quote', () => {
  it('changes nothing and reads its numbers from the query', async () => {
    const { worker, methodId } = await rich();
    const request = { methodId, amountMinor: 3_000, speed: 'instant' } as const;
    const quote = await worker.api.payouts.quote(request);
    expect(quote).toMatchObject({
      feeMinor: 150,
      getsMinor: 2_850,
      currency: 'EUR',
      arrivesOn: '2026-11-27',
    });
    expect([await available(worker), await reserved(worker)]).toEqual([10_000, 0]);
    for (const amount of ['-3000', '0', '30.5', '30,00', 'NaN', '1e400', '%00', '']) {
      const response = await app.raw({
        url: `/api/withdrawal-quote?methodId=${methodId}&speed=standard&amountMinor=${amount}`,
        headers: { authorization: `Bearer ${await tokenOf(worker)}` },
      });
      expect([amount, response.statusCode]).toEqual([amount, 400]);
    }
  });
});

describe('payouts.withdraw', () => {
  it('matches the quote: standard is free, on the first banking day after the cancellation period', async () => {
    const { worker, methodId, method } = await rich();
    const request = { methodId, amountMinor: 3_000, speed: 'standard' } as const;
    const { isReviewed, ...quote } = await worker.api.payouts.quote(request);
    expect(isReviewed).toBe(false);
    // Friday evening: ten minutes later it is Saturday, and the next banking day is Monday.
    app.clock.set('2026-11-27T23:55:00Z');
    expect((await worker.api.payouts.quote(request)).arrivesOn).toBe('2026-11-30');
    app.clock.set('2026-11-27T09:00:00Z');
    expect(quote).toEqual({
      amountMinor: 3_000,
      feeMinor: 0,
      getsMinor: 3_000,
      currency: 'EUR',
      arrivesOn: '2026-11-30',
    });
    const withdrawal = await worker.api.payouts.withdraw(request);
    expect(withdrawal).toEqual({
      ...quote,
      id: withdrawal.id,
      version: 1,
      status: 'requested',
      speed: 'standard',
      failure: null,
      actions: ['cancel'],
      waiting: false,
      reviewBy: null,
      refusedBecause: null,
      method: { id: methodId, bankName: method.bankName, last4: '9000', holderName: 'Nadia Haddad' },
      requestedAt: '2026-11-27T09:00:00.000Z',
      cancelBy: '2026-11-27T09:10:00.000Z',
      steps: [{ status: 'requested', at: '2026-11-27T09:00:00.000Z', failure: null }],
    });
    expect(await worker.api.payouts.withdrawal({ withdrawalId: withdrawal.id })).toEqual(withdrawal);
    const notices = await app.db
      .selectFrom('notifications')
      .select('data')
      .where('accountId', '=', worker.accountId)
      .where('topic', '=', 'withdrawal-requested')
      .execute();
    expect(notices).toMatchObject([
      { data: { amountMinor: 3_000, currency: 'EUR', by: '2026-11-27T09:10:00.000Z' } },
    ]);
    expect([await available(worker), await reserved(worker)]).toEqual([7_000, 3_000]);
    expect((await worker.api.payouts.balance({})).rules.leftToday).toBe(4);
  });

  it('deducts the fee of an instant one from the amount', async () => {
    const { worker, methodId } = await rich();
    const request = { methodId, amountMinor: 10_000, speed: 'instant' } as const;
    const { isReviewed, ...quote } = await worker.api.payouts.quote(request);
    expect(isReviewed).toBe(false);
    expect(quote).toMatchObject({ feeMinor: 150, getsMinor: 9_850, arrivesOn: '2026-11-27' });
    expect(await worker.api.payouts.withdraw(request)).toMatchObject({
      ...quote,
      cancelBy: null,
      actions: [],
    });
    expect(await available(worker)).toBe(0);
  });

  it('reauthenticates for an account younger than three days, where settings allow one', async () => {
    const { worker, methodId } = await rich();
    const fresh = await makeBank(app.db, app.scopeOf(worker), testIbans.late);
    await app.db
      .updateTable('payout_methods')
      .set({ usableFrom: app.clock.now() })
      .where('id', '=', fresh.id)
      .execute();
    await signedInEarlier(app, worker);
    const request = { amountMinor: 3_000, speed: 'standard' } as const;
    expect(await failure(worker.api.payouts.withdraw({ ...request, methodId: fresh.id }))).toMatchObject({
      status: 403,
      code: 'session/password-required',
    });
    expect(await worker.api.payouts.withdraw({ ...request, methodId })).toMatchObject({
      status: 'requested',
    });
    await confirmedNow(app, worker);
    expect(await worker.api.payouts.withdraw({ ...request, methodId: fresh.id })).toMatchObject({
      status: 'requested',
    });
  });

  it('rejects impossible requests and returns what is possible', async () => {
    const { worker, methodId } = await rich(testIbans.notInstant);
    const fresh = await makeBank(app.db, app.scopeOf(worker), testIbans.late);
    const request = { methodId, amountMinor: 3_000, speed: 'standard' } as const;
    const cases = [
      [{ amountMinor: 10_001 }, 422, 'payout/balance-short', { availableMinor: 10_000, currency: 'EUR' }],
      [
        { amountMinor: 1_000_000_000 },
        422,
        'payout/balance-short',
        { availableMinor: 10_000, currency: 'EUR' },
      ],
      [{ amountMinor: 499 }, 422, 'payout/below-minimum', { minimumMinor: 500, currency: 'EUR' }],
      [{ speed: 'instant' }, 422, 'payout/instant-unavailable', undefined],
      [{ methodId: fresh.id }, 422, 'payout/method-held', { until: fresh.usableFrom }],
      [{ methodId: crypto.randomUUID() }, 404, 'payout/method-not-found', undefined],
    ] as const;
    for (const [wrong, status, code, data] of cases)
      for (const call of [worker.api.payouts.quote, worker.api.payouts.withdraw]) {
        const refused = await failure(call({ ...request, ...wrong }));
        expect(refused).toMatchObject({ status, code });
        expect(refused.data).toEqual(data);
      }
    await worker.api.payouts.removeMethod({ methodId });
    expect((await failure(worker.api.payouts.withdraw(request))).code).toBe('payout/method-not-found');
    expect([await available(worker), await reserved(worker)]).toEqual([10_000, 0]);
  });

  it('pays any remainder to someone closing their account when only money blocks it', async () => {
    const { worker, methodId } = await rich(undefined, 320);
    const rest = { methodId, amountMinor: 320, speed: 'standard', closing: true } as const;
    const refusal = async (change: object) =>
      (await failure(worker.api.payouts.withdraw({ ...rest, ...change }))).data;
    expect(await refusal({ closing: false })).toEqual({ minimumMinor: 500, currency: 'EUR' });
    expect(await refusal({ amountMinor: 100 })).toEqual({ minimumMinor: 320, currency: 'EUR' });
    const business = await makeBusiness(app.db, app.scopeOf(worker), { funded: false });
    expect(await refusal({})).toEqual({ minimumMinor: 500, currency: 'EUR' });
    await worker.api.businesses.close({ businessId: business.id });
    expect(await worker.api.payouts.quote({ ...rest, closing: 'true' })).toMatchObject({
      getsMinor: 320,
      feeMinor: 0,
    });
    await worker.api.payouts.withdraw(rest);
    expect([await available(worker), await reserved(worker)]).toEqual([0, 320]);
  });

  it.each([
    { amountMinor: -3_000 },
    { amountMinor: 0 },
    { amountMinor: 30.5 },
    { amountMinor: 1_000_000_001 },
    { amountMinor: 1e300 },
    { amountMinor: '3000' },
    { amountMinor: null },
    { amountMinor: '\u0000' },
    { speed: 'fast' },
    { speed: 'standard\u0000' },
    { methodId: 'mine' },
    { methodId: '\u0000' },
    {},
  ])('rejects %o', async (wrong) => {
    const base = { methodId: crypto.randomUUID(), amountMinor: 3_000, speed: 'standard' };
    const payload = Object.keys(wrong).length === 0 ? {} : { ...base, ...wrong };
    const response = await app.raw({
      method: 'POST',
      url: '/api/withdrawals',
      payload,
      headers: { authorization: `Bearer ${await tokenOf(stranger)}`, 'idempotency-key': crypto.randomUUID() },
    });
    expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
  });

  it("uses the bank account's currency, with any other balances", async () => {
    const { worker, methodId } = await rich();
    await payWorker(app.db, app.scopeOf(worker), worker.accountId, 50_000, { currency: 'USD', atOnce: true });
    const request = { methodId, amountMinor: 20_000, speed: 'standard' } as const;
    const inDollars = { ...request, currency: 'USD' };
    const refused = await failure(worker.api.payouts.withdraw(inDollars));
    expect(refused).toMatchObject({ code: 'payout/balance-short', data: { availableMinor: 10_000 } });
  });

  it('counts 24 hours, without cancelled ones', async () => {
    const { worker, methodId } = await rich();
    const request = { methodId, amountMinor: 500, speed: 'standard' } as const;
    const first = await worker.api.payouts.withdraw(request);
    for (let times = 0; times < 4; times += 1) await worker.api.payouts.withdraw(request);
    const refused = await failure(worker.api.payouts.withdraw(request));
    expect(refused).toMatchObject({ status: 429, code: 'payout/daily-limit', data: { perDay: 5 } });
    expect((await failure(worker.api.payouts.quote(request))).code).toBe('payout/daily-limit');
    expect((await worker.api.payouts.balance({})).rules.leftToday).toBe(0);
    await worker.api.payouts.cancel({ withdrawalId: first.id, version: 1 });
    await worker.api.payouts.withdraw(request);
    app.clock.forward({ days: 1 });
    await worker.api.payouts.withdraw(request);
    expect((await worker.api.payouts.balance({})).rules.leftToday).toBe(4);
  });

  it('returns when the next is possible and enforces it', async () => {
    const { worker, methodId } = await rich();
    const request = { methodId, amountMinor: 500, speed: 'standard' } as const;
    const api = app.apiAs(() => tokenOf(worker));
    expect((await api.payouts.balance({})).rules.freeFrom).toBeNull();
    const first = app.clock.now().getTime();
    for (let times = 0; times < 5; times += 1) {
      await api.payouts.withdraw(request);
      app.clock.forward({ hours: 1 });
    }
    const from = new Date(first + dayMs).toISOString();
    expect((await api.payouts.balance({})).rules).toMatchObject({ leftToday: 0, freeFrom: from });
    expect(await failure(api.payouts.withdraw(request))).toMatchObject({ data: { perDay: 5, from } });
    app.clock.set(new Date(Date.parse(from) - 1));
    expect((await failure(api.payouts.withdraw(request))).code).toBe('payout/daily-limit');
    app.clock.set(new Date(from));
    expect((await api.payouts.balance({})).rules).toMatchObject({ leftToday: 1, freeFrom: null });
    await api.payouts.withdraw(request);
    expect((await api.payouts.balance({})).rules.freeFrom).toBe(new Date(first + 25 * hourMs).toISOString());
  });

  it('replays the response under one key and rejects another body under it', async () => {
    const { worker, methodId } = await rich();
    const request = { methodId, amountMinor: 3_000, speed: 'standard' } as const;
    const api = app.apiAs(() => tokenOf(worker), { 'idempotency-key': crypto.randomUUID() });
    const first = await api.payouts.withdraw(request);
    expect(await api.payouts.withdraw(request)).toEqual(first);
    const other = await failure(api.payouts.withdraw({ ...request, amountMinor: 4_000 }));
    expect(other).toMatchObject({ code: 'idempotency/key-reused' });
    expect(await available(worker)).toBe(7_000);
    expect((await worker.api.payouts.withdrawals({})).items).toEqual([first]);
  });

  it('requires a key', async () => {
    const response = await app.raw({
      method: 'POST',
      url: '/api/withdrawals',
      payload: {},
      headers: { authorization: `Bearer ${await tokenOf(stranger)}` },
    });
    expect(response.statusCode).toBe(400);
  });
});

describe('payouts.cancel', () => {
  it('returns the money, once', async () => {
    const { worker, methodId } = await rich();
    const { id: withdrawalId } = await worker.api.payouts.withdraw({
      methodId,
      amountMinor: 3_000,
      speed: 'standard',
    });
    const inUse = await failure(worker.api.payouts.removeMethod({ methodId }));
    expect(inUse).toMatchObject({ status: 409, code: 'payout/method-in-use' });
    const stale = await failure(worker.api.payouts.cancel({ withdrawalId, version: 2 }));
    expect(stale).toMatchObject({ status: 409, code: 'payout/stale', data: { status: 'requested' } });
    const cancelled = await worker.api.payouts.cancel({ withdrawalId, version: 1 });
    expect(cancelled).toMatchObject({ version: 2, status: 'cancelled', cancelBy: null, actions: [] });
    expect(cancelled.steps.map(({ status }) => status)).toEqual(['requested', 'cancelled']);
    for (const version of [1, 2])
      expect(await worker.api.payouts.cancel({ withdrawalId, version })).toEqual(cancelled);
    expect([await available(worker), await reserved(worker)]).toEqual([10_000, 0]);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    await sendWithdrawal(taskScope(worker), withdrawalId);
    expect(await worker.api.payouts.withdrawal({ withdrawalId })).toEqual(cancelled);
    expect(await worker.api.payouts.removeMethod({ methodId })).toEqual({ removed: true });
    expect((await worker.api.payouts.withdrawals({})).items).toEqual([cancelled]);
    expect(await bookFaults(app.db, app.scopeOf(worker))).toEqual([]);
  });

  it('rejects one past its time, and an instant one', async () => {
    const { worker, methodId } = await rich();
    const instant = await worker.api.payouts.withdraw({ methodId, amountMinor: 3_000, speed: 'instant' });
    const standard = await worker.api.payouts.withdraw({ methodId, amountMinor: 3_000, speed: 'standard' });
    const cancel = ({ id }: Withdrawal) => worker.api.payouts.cancel({ withdrawalId: id, version: 1 });
    const wrong = { status: 409, code: 'payout/wrong-state', data: { status: 'requested' } };
    expect(await failure(cancel(instant))).toMatchObject(wrong);
    app.clock.forward({ minutes: 10 });
    expect(await failure(cancel(standard))).toMatchObject(wrong);
    const { actions } = await worker.api.payouts.withdrawal({ withdrawalId: standard.id });
    expect(actions).toEqual([]);
    await app.runDue();
    expect(await failure(cancel(standard))).toMatchObject({ status: 409, code: 'payout/stale' });
  });

  it('races with sending: one of them wins', async () => {
    const { worker, methodId } = await rich(undefined, 50_000);
    const ends = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      if (round % 4 === 0) app.clock.forward({ days: 1 });
      const { id, cancelBy } = await worker.api.payouts.withdraw({
        methodId,
        amountMinor: 3_000,
        speed: 'standard',
      });
      const ahead = { ...taskScope(worker), clock: { now: () => new Date(cancelBy ?? '') } };
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const [sent, cancellation] = await Promise.allSettled([
        pause(round % 3).then(() => sendWithdrawal(ahead, id)),
        pause(round % 2).then(() => worker.api.payouts.cancel({ withdrawalId: id, version: 1 })),
      ]);
      expect(sent.status).toBe('fulfilled');
      const { status } = await worker.api.payouts.withdrawal({ withdrawalId: id });
      const payout = await app.provider.syncPayoutByKey(id);
      expect([status, payout === null]).toEqual(
        cancellation.status === 'fulfilled' ? ['cancelled', true] : ['in_transit', false],
      );
      ends.add(status);
    }
    expect(await bookFaults(app.db, app.scopeOf(worker))).toEqual([]);
    expect(ends.size).toBeGreaterThan(0);
  });
});

describe('payouts.withdrawal', () => {
  it("returns the caller's own", async () => {
    const { worker, methodId } = await rich();
    const withdrawal = await worker.api.payouts.withdraw({ methodId, amountMinor: 500, speed: 'standard' });
    expect(await worker.api.payouts.withdrawal({ withdrawalId: withdrawal.id })).toEqual(withdrawal);
    for (const withdrawalId of [crypto.randomUUID(), methodId])
      expect(await failure(worker.api.payouts.withdrawal({ withdrawalId }))).toMatchObject({
        status: 404,
        code: 'payout/not-found',
      });
  });
});

describe('payouts.withdrawals', () => {
  it('returns withdrawals newest first, page by page', async () => {
    const { worker, methodId } = await rich();
    const ids: string[] = [];
    for (let times = 0; times < 5; times += 1)
      ids.unshift((await worker.api.payouts.withdraw({ methodId, amountMinor: 500, speed: 'standard' })).id);
    const pageIds: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await worker.api.payouts.withdrawals({ limit: 2, cursor });
      pageIds.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(pageIds).toEqual(ids);
    for (const cursor of ['x', '\u0000', Buffer.from('["now",1]').toString('base64url')])
      expect(await failure(worker.api.payouts.withdrawals({ cursor }))).toMatchObject({ status: 400 });
    expect(await failure(worker.api.payouts.withdrawal({ withdrawalId: 'x' }))).toMatchObject({
      status: 400,
    });
  });
});
