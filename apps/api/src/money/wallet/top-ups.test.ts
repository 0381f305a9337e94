import { addMs, dayMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { insertMember } from '../../people/businesses/members.sql.ts';
import { ProviderRefusedError } from '../../platform/payment-provider.ts';
import { compareBooks } from '../provider/books.fixtures.ts';
import { reconcile } from '../provider/reconciliation.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { isSandbox } from '../sandbox/sandbox.ts';
import { decideSandboxCharge } from '../sandbox/sandbox-charges.ts';
import { topUp } from './business-wallet.ts';
import { makeCard } from './wallet.fixtures.ts';

const app = useTestApp();
const nowhere = '01a1fbbc-d019-79f0-8086-994049deb373';
const EUR = 'EUR' as const;

async function cast(number: string = testCards.pays, { verified = true } = {}) {
  const owner = await app.person();
  const scope = app.scopeOf(owner);
  const { id: businessId } = await makeBusiness(app.db, scope, { funded: false, verified });
  const { id: cardId } = await makeCard(app.db, scope, businessId, number);
  const member = async (role: MemberRole): Promise<Person> => {
    const person = await app.person();
    await app.db.transaction().execute((tx) =>
      insertMember(tx, {
        businessId,
        accountId: person.accountId,
        role,
        createdAt: app.clock.now(),
      }),
    );
    return person;
  };
  const available = async (currency: string = EUR) => {
    const { balances } = await owner.api.wallet.get({ businessId });
    return balances.find((balance) => balance.currency === currency)?.availableMinor ?? 0;
  };
  const top = async (amountMinor: number, card: string = cardId) => {
    const charge = await owner.api.wallet.topUp({ businessId, amountMinor, currency: EUR, cardId: card });
    await app.runDue();
    return owner.api.charges.get({ chargeId: charge.id });
  };
  const notified = async (person: Person, topic: string) =>
    (await person.api.notifications.list({})).items.filter((notice) => notice.topic === topic);
  return { owner, businessId, cardId, member, stranger: await app.person(), available, top, scope, notified };
}

const books = () => compareBooks(app.db, app.scopeOf({ accountId: nowhere }));

describe('wallet.topUp', () => {
  it('charges the card and adds to the balance, once', async () => {
    const { owner, businessId, cardId, available } = await cast();
    const begun = await owner.api.wallet.topUp({ businessId, amountMinor: 5_000, currency: EUR, cardId });
    expect(begun).toMatchObject({
      purpose: 'top_up',
      status: 'created',
      amountMinor: 5_000,
      cardBrand: 'Visa',
      cardLast4: '4242',
    });
    expect(await available()).toBe(0);
    await app.runDue();
    await app.runDue();
    expect(await owner.api.charges.get({ chargeId: begun.id })).toMatchObject({ status: 'succeeded' });
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('accepts any of our currencies', async () => {
    const { owner, businessId, cardId, available } = await cast();
    await owner.api.wallet.topUp({ businessId, amountMinor: 900, currency: 'JPY', cardId });
    await app.runDue();
    expect(await available('JPY')).toBe(900);
    expect(await books()).toEqual([]);
  });

  it('moves nothing when the card is declined, and notifies owners, finance and the requester', async () => {
    const { owner, businessId, member, available, scope, notified } = await cast();
    const finance = await member('finance');
    const recruiter = await member('recruiter');
    for (const [number, failureCode] of [
      [testCards.declined, 'card_declined'],
      [testCards.insufficientFunds, 'insufficient_funds'],
      [testCards.expired, 'card_expired'],
    ] as const) {
      const { id: cardId } = await makeCard(app.db, scope, businessId, number);
      const request = { businessId, amountMinor: 5_000, currency: EUR, cardId };
      const { id: chargeId } = await finance.api.wallet.topUp(request);
      await app.runDue();
      expect(await finance.api.charges.get({ chargeId })).toMatchObject({
        status: 'failed',
        failure: failureCode,
      });
    }
    expect(await available()).toBe(0);
    for (const person of [owner, finance]) {
      const notices = await notified(person, 'payment-failed');
      expect(notices).toHaveLength(3);
      expect(notices[0]).toMatchObject({
        path: '/merchant-transaction',
        data: { amountMinor: 5_000, currency: EUR, variant: 'card_expired' },
      });
    }
    expect(await notified(recruiter, 'payment-failed')).toEqual([]);
    expect(await books()).toEqual([]);
  });

  it('returns from the bank to the page it began on, never to another site', async () => {
    const { owner, businessId, cardId } = await cast(testCards.confirm);
    const request = { businessId, amountMinor: 5_000, currency: EUR, cardId } as const;
    const returnOf = async (chargeId: string) => {
      const { actionUrl } = await owner.api.charges.get({ chargeId });
      const { rows } = await app.pool.query('select return_url from sandbox_charges where ref = $1', [
        actionUrl?.split('/').at(-1),
      ]);
      return String(rows[0]?.return_url).replace(app.scopeOf(owner).config.PUBLIC_URL, '');
    };
    for (const [returnTo, expected] of [
      ['/create-job?job=1', '/create-job?job=1&charge='],
      ['/release-payment', '/release-payment?charge='],
      [undefined, '/merchant-transaction?charge='],
    ] as const) {
      const { id } = await owner.api.wallet.topUp({ ...request, ...(returnTo ? { returnTo } : {}) });
      await app.runDue();
      expect(await returnOf(id)).toBe(`${expected}${id}`);
    }
    for (const returnTo of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/a b',
      '',
      'x',
      `/${'x'.repeat(300)}`,
    ])
      expect(await failure(owner.api.wallet.topUp({ ...request, returnTo })), returnTo).toMatchObject({
        status: 400,
      });
  });

  it('waits for a card that needs confirmation, and gives up after an hour', async () => {
    const { owner, cardId, available, top } = await cast(testCards.confirm);
    if (!isSandbox(app.provider)) throw new Error('the tests run on the sandbox');
    const topUp = await top(5_000);
    expect(topUp).toMatchObject({
      status: 'requires_action',
      actionUrl: expect.stringContaining('/sandbox/confirm/ch_'),
    });
    await decideSandboxCharge(app.provider.sandbox, topUp.actionUrl?.split('/').at(-1) ?? '', true);
    await app.runDue();
    expect(await owner.api.charges.get({ chargeId: topUp.id })).toMatchObject({
      status: 'succeeded',
      actionUrl: null,
    });
    const refused = await top(700);
    await decideSandboxCharge(app.provider.sandbox, refused.actionUrl?.split('/').at(-1) ?? '', false);
    await app.runDue();
    expect(await owner.api.charges.get({ chargeId: refused.id })).toMatchObject({
      status: 'failed',
      failure: 'authentication_failed',
    });
    const left = await top(800, cardId);
    const scope = { ...app.scopeOf(owner), db: app.db, mailer: { send: async () => {} } };
    app.clock.forward({ minutes: 59 });
    await reconcile(scope);
    expect(await owner.api.charges.get({ chargeId: left.id })).toMatchObject({
      status: 'requires_action',
    });
    app.clock.forward({ minutes: 2 });
    await reconcile(scope);
    app.clock.forward({ minutes: 3 });
    await reconcile(scope);
    expect(await owner.api.charges.get({ chargeId: left.id })).toMatchObject({ status: 'cancelled' });
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('follows a card that settles late, or fails late', async () => {
    const { owner, businessId, top, available, scope } = await cast(testCards.late);
    const late = await top(5_000);
    expect(late).toMatchObject({ status: 'processing', actionUrl: null });
    const { id: other } = await makeCard(app.db, scope, businessId, testCards.lateFailure);
    const failing = await top(6_000, other);
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    expect(await owner.api.charges.get({ chargeId: late.id })).toMatchObject({ status: 'succeeded' });
    expect(await owner.api.charges.get({ chargeId: failing.id })).toMatchObject({ status: 'failed' });
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('makes one charge for a double click, and rejects another body under the same key', async () => {
    const { owner, businessId, cardId, available } = await cast();
    const headers = { 'idempotency-key': 'double-click', authorization: `Bearer ${owner.token}` };
    const post = (amountMinor: unknown) =>
      app.raw({
        method: 'POST',
        url: `/api/businesses/${businessId}/top-ups`,
        headers,
        payload: { amountMinor, currency: 'EUR', cardId },
      });
    const answers = await Promise.all([post(5_000), post(5_000), post(5_000)]);
    expect(answers.every(({ statusCode }) => statusCode === 201 || statusCode === 409)).toBe(true);
    expect((await post(5_000)).statusCode).toBe(201);
    expect((await post(6_000)).json()).toMatchObject({ code: 'idempotency/key-reused' });
    await app.runDue();
    expect(await available()).toBe(5_000);
    const charges = await app.db
      .selectFrom('charges')
      .select('id')
      .where('businessId', '=', businessId)
      .execute();
    expect(charges).toHaveLength(1);
    const bare = { authorization: headers.authorization };
    const url = `/api/businesses/${businessId}/top-ups`;
    const keyless = await app.raw({ method: 'POST', url, headers: bare, payload: { amountMinor: 500 } });
    expect(keyless.statusCode).toBe(400);
  });

  it('rejects invalid amounts and currencies', async () => {
    const { owner, businessId, cardId, available } = await cast();
    const url = `/api/businesses/${businessId}/top-ups`;
    const bad: [unknown, unknown][] = [
      ...[-500, 0, 1, 499, 1_000_000_001, 2 ** 53, 1e300, 500.123, '500', null, '10,00'].map(
        (amount): [unknown, unknown] => [amount, 'EUR'],
      ),
      ...['eur', 'XTS', '', 'BTC', null, 'EUR\u0000'].map((currency): [unknown, unknown] => [500, currency]),
    ];
    for (const [amountMinor, currency] of bad) {
      const headers = {
        'idempotency-key': crypto.randomUUID(),
        authorization: `Bearer ${owner.token}`,
      };
      const answer = await app.raw({
        method: 'POST',
        url,
        headers,
        payload: { amountMinor, currency, cardId },
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'request/invalid']);
    }
    await app.runDue();
    expect(await available()).toBe(0);
  });

  it('allows only owners, managers and finance, with a card of that business', async () => {
    const { owner, businessId, cardId, member, stranger } = await cast();
    const request = { businessId, amountMinor: 500, currency: EUR, cardId };
    const recruiter = await member('recruiter');
    expect(await failure(recruiter.api.wallet.topUp(request))).toMatchObject({
      status: 403,
      code: 'business/not-allowed',
    });
    expect(await failure(stranger.api.wallet.topUp(request))).toMatchObject({
      status: 404,
      code: 'business/not-found',
    });
    expect(await failure(app.apiAs(null).wallet.topUp(request))).toMatchObject({ status: 401 });
    const other = await cast();
    for (const foreign of [other.cardId, nowhere])
      expect(await failure(owner.api.wallet.topUp({ ...request, cardId: foreign }))).toMatchObject({
        status: 404,
        code: 'payment/card-not-found',
      });
    expect(await failure(owner.api.wallet.topUp({ ...request, businessId: nowhere }))).toMatchObject({
      status: 404,
    });
  });
});

describe('the daily limit of top-ups', () => {
  const limit = { status: 422, code: 'payment/top-up-limit' };
  it('is 2,000.00 for an unverified business, and returns the rest and when it resets', async () => {
    const { owner, businessId, cardId } = await cast(testCards.pays, { verified: false });
    const ask = (amountMinor: number, currency: 'EUR' | 'JPY' = EUR) =>
      owner.api.wallet.topUp({ businessId, amountMinor, currency, cardId });
    const start = app.clock.now();
    await ask(150_000);
    const from = addMs(start, dayMs).toISOString();
    expect(await failure(ask(50_001))).toMatchObject({
      ...limit,
      data: { perDayMinor: 200_000, leftMinor: 50_000, currency: EUR, from, verified: false },
    });
    expect(await failure(ask(89_001, 'JPY'))).toMatchObject({
      ...limit,
      data: { perDayMinor: 356_000, leftMinor: 89_000, currency: 'JPY' },
    });
    await ask(44_500, 'JPY');
    expect(await failure(ask(25_001))).toMatchObject({ data: { leftMinor: 25_000, currency: EUR } });
    await ask(25_000);
    expect(await failure(ask(500))).toMatchObject({ data: { leftMinor: 0 } });
    app.clock.set(new Date(start.getTime() + dayMs - 1));
    expect(await failure(ask(500))).toMatchObject(limit);
    app.clock.set(from);
    await ask(150_000);
    await app.runDue();
    expect(await books()).toEqual([]);
  });

  it('ignores failed ones, and is higher for a verified business', async () => {
    const { owner, businessId, cardId, top, scope } = await cast(testCards.pays, { verified: false });
    const { id: declined } = await makeCard(app.db, scope, businessId, testCards.declined);
    expect(await top(200_000, declined)).toMatchObject({ status: 'failed' });
    expect(await top(200_000)).toMatchObject({ status: 'succeeded' });
    expect(await failure(top(500))).toMatchObject(limit);
    await app.pool.query(`update businesses set status = 'verified' where id = $1`, [businessId]);
    const ask = (amountMinor: number) =>
      owner.api.wallet.topUp({ businessId, amountMinor, currency: EUR, cardId });
    expect(await failure(ask(4_800_001))).toMatchObject({
      data: { perDayMinor: 5_000_000, leftMinor: 4_800_000, verified: true },
    });
    await ask(4_800_000);
  });

  it("uses the server's settings for verified businesses and others", async () => {
    const config = { ...app.config, TOP_UP_DAY_MINOR: 30_000, TOP_UP_DAY_VERIFIED_MINOR: 70_000 };
    for (const [verified, perDayMinor] of [
      [true, 70_000],
      [false, 30_000],
    ] as const) {
      const { businessId, cardId, scope } = await cast(testCards.pays, { verified });
      const ask = (amountMinor: number) =>
        app.db
          .transaction()
          .execute((tx) =>
            topUp(tx, { ...scope, config }, { businessId, amountMinor, currency: EUR, cardId }),
          );
      await expect(ask(perDayMinor + 1)).rejects.toMatchObject({
        code: 'payment/top-up-limit',
        data: { perDayMinor, verified },
      });
      expect(await ask(perDayMinor)).toMatchObject({ amountMinor: perDayMinor });
    }
  });

  it('applies to concurrent top-ups', async () => {
    const { owner, businessId, cardId } = await cast(testCards.pays, { verified: false });
    const ask = () => owner.api.wallet.topUp({ businessId, amountMinor: 120_000, currency: EUR, cardId });
    const outcomes = await Promise.allSettled([ask(), ask()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('charges.get', () => {
  it('allows only members', async () => {
    const { owner, top, member, stranger } = await cast();
    const { id: chargeId } = await top(500);
    for (const { api } of [owner, await member('recruiter'), await member('finance')])
      expect(await api.charges.get({ chargeId })).toMatchObject({ id: chargeId });
    expect(await failure(stranger.api.charges.get({ chargeId }))).toMatchObject({
      status: 404,
      code: 'payment/not-found',
    });
    expect(await failure(owner.api.charges.get({ chargeId: nowhere }))).toMatchObject({ status: 404 });
  });
});

const noticesOf = async (person: Person, topic: string) =>
  app.db
    .selectFrom('notifications')
    .select(['data', 'path'])
    .where('accountId', '=', person.accountId)
    .where('topic', '=', topic)
    .$narrowType<{ data: Record<string, string | number> }>()
    .execute();

describe('charges.refund', () => {
  it('refunds the cards, newest charge first, each up to its amount', async () => {
    const { owner, businessId, top, available, scope } = await cast();
    await top(5_000);
    app.clock.forward({ minutes: 1 });
    const { id: second } = await makeCard(app.db, scope, businessId, testCards.paysMastercard);
    await top(3_000, second);
    const answer = await owner.api.charges.refund({ businessId, amountMinor: 4_000, currency: EUR });
    expect(answer).toEqual({ refundedMinor: 4_000, currency: EUR, cards: ['4444', '4242'] });
    expect(await available()).toBe(4_000);
    await app.runDue();
    expect(await books()).toEqual([]);
    const refunds = await app.db
      .selectFrom('card_refunds')
      .select(['amountMinor', 'status'])
      .where('businessId', '=', businessId)
      .orderBy('id')
      .execute();
    expect(refunds).toEqual([
      { amountMinor: 3_000, status: 'sent' },
      { amountMinor: 1_000, status: 'sent' },
    ]);
    const notices = await noticesOf(owner, 'payment-refunded');
    expect(notices.map(({ data }) => data.amountMinor).sort()).toEqual([1_000, 3_000]);
    expect(notices[0]?.path).toBe('/merchant-transaction');
    const rest = { businessId, amountMinor: 4_001, currency: EUR };
    expect(await failure(owner.api.charges.refund(rest))).toMatchObject({
      status: 422,
      code: 'payment/balance-short',
      data: { balanceMinor: 4_000 },
    });
    await owner.api.charges.refund({ ...rest, amountMinor: 4_000 });
    await app.runDue();
    expect(await available()).toBe(0);
    expect(await books()).toEqual([]);
  });

  it('refunds at most what the cards paid', async () => {
    const { owner, businessId, top } = await cast();
    const charge = await top(5_000);
    await app.db.updateTable('charges').set({ refundedMinor: 4_000 }).where('id', '=', charge.id).execute();
    const request = { businessId, amountMinor: 1_001, currency: EUR };
    expect(await failure(owner.api.charges.refund(request))).toMatchObject({
      status: 422,
      code: 'payment/refund-too-much',
      data: { maxMinor: 1_000 },
    });
    await app.db.updateTable('charges').set({ refundedMinor: 0 }).where('id', '=', charge.id).execute();
  });

  it('shares the balance among concurrent refunds', async () => {
    const { owner, businessId, top, available } = await cast();
    await top(5_000);
    const request = { businessId, amountMinor: 3_000, currency: EUR };
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () => owner.api.charges.refund(request)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await app.runDue();
    expect(await available()).toBe(2_000);
    expect(await books()).toEqual([]);
  });

  it('restores the money when the provider rejects, and retries after a crash without refunding twice', async () => {
    const { owner, businessId, top, available } = await cast();
    const { refund } = app.provider;
    await top(5_000);
    const request = { businessId, amountMinor: 2_000, currency: EUR };
    await owner.api.charges.refund(request);
    app.provider.refund = async (o) => {
      await refund(o);
      throw new TypeError('connection reset');
    };
    await app.runDue();
    app.provider.refund = refund;
    app.clock.forward({ minutes: 2 });
    await app.runDue();
    expect(await available()).toBe(3_000);
    expect(await books()).toEqual([]);
    app.provider.refund = async () => {
      throw new ProviderRefusedError('refund_refused', 'charged back');
    };
    await owner.api.charges.refund(request);
    expect(await available()).toBe(1_000);
    await app.runDue();
    await app.runDue();
    app.provider.refund = refund;
    expect(await available()).toBe(3_000);
    expect(await books()).toEqual([]);
    expect(await noticesOf(owner, 'payment-refunded')).toMatchObject([{ data: { amountMinor: 2_000 } }]);
    expect(await noticesOf(owner, 'payment-refund-failed')).toMatchObject([{ data: { amountMinor: 2_000 } }]);
  });

  it('allows only owners, managers and finance, with a valid amount', async () => {
    const { owner, businessId, top, member, stranger, available } = await cast();
    await top(5_000);
    const request = { businessId, amountMinor: 1_000, currency: EUR };
    const recruiter = await member('recruiter');
    expect(await failure(recruiter.api.charges.refund(request))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.charges.refund(request))).toMatchObject({ status: 404 });
    for (const amountMinor of [0, -1, 0.5, 1e15])
      expect(await failure(owner.api.charges.refund({ ...request, amountMinor }))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    expect(await failure(owner.api.charges.refund({ ...request, currency: 'USD' }))).toMatchObject({
      status: 422,
      code: 'payment/balance-short',
    });
    const headers = { 'idempotency-key': 'refund-once', authorization: `Bearer ${owner.token}` };
    const post = () =>
      app.raw({
        method: 'POST',
        url: `/api/businesses/${businessId}/refunds`,
        headers,
        payload: { amountMinor: 1_000, currency: EUR },
      });
    expect([(await post()).statusCode, (await post()).statusCode]).toEqual([201, 201]);
    expect(await available()).toBe(4_000);
  });
});
