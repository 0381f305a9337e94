import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { confirmedNow, signedInEarlier } from '../../people/sign-in/second-step.fixtures.ts';
import { cancelTask } from '../../platform/tasks/tasks.ts';
import {
  bankToken,
  cardToken,
  testIban,
  testIbans,
  testRouting,
  tokenFor,
} from '../sandbox/sandbox.fixtures.ts';
import { clearKey, creditOf, scheduleClearing } from './clearing.ts';
import { applyIdentity } from './identities.ts';
import { reconcilePayouts } from './payout-reconciliation.ts';
import { bookFaults, makeBank, payWorker } from './payouts.fixtures.ts';

const app = useTestApp();
const person = (name = 'Nadia Haddad') => app.person({ name });
const addBank = (of: Person, iban?: string) => makeBank(app.db, app.scopeOf(of), iban);
const identity = {
  legalName: 'Nadia Haddad',
  bornOn: '1990-05-17',
  countryCode: 'NL',
  address: 'Keizersgracht 1, Amsterdam',
};
const notices = async (of: Person, topic: string) =>
  (await of.api.notifications.list({})).items.filter((notice) => notice.topic === topic);

let nadia: Person;
beforeAll(async () => {
  nadia = await person();
});

describe('who may', () => {
  const calls = [
    (api: Person['api']) => api.payouts.balance({}),
    (api: Person['api']) => api.payouts.addMethod({ token: 'tok_12345678' }),
    (api: Person['api']) => api.payouts.removeMethod({ methodId: crypto.randomUUID() }),
    (api: Person['api']) => api.payouts.makeMethodDefault({ methodId: crypto.randomUUID() }),
    (api: Person['api']) => api.payouts.verifyIdentity(identity),
  ];
  it.each(calls.map((call, index) => [index, call] as const))(
    'refuses callers without a session or a verified email (%i)',
    async (_index, call) => {
      expect(await failure(call(app.apiAs(null)))).toMatchObject({ status: 401 });
      const unverified = await app.person({ verified: false });
      expect(await failure(call(unverified.api))).toMatchObject({ status: 403 });
    },
  );
});

describe('payouts.balance', () => {
  it('is empty in one currency for a new account, with the configured rules', async () => {
    const fresh = await person();
    const balance = await fresh.api.payouts.balance({});
    expect(balance).toEqual({
      balances: [
        {
          currency: 'EUR',
          availableMinor: 0,
          pendingMinor: 0,
          reservedMinor: 0,
          nextClearings: [],
          minimumMinor: 500,
          instantFeeMinor: 150,
        },
      ],
      identity: { status: 'none', reason: null, legalName: null },
      account: null,
      homeCountry: null,
      sellerRequest: null,
      methods: [],
      rules: {
        perDay: 5,
        leftToday: 5,
        freeFrom: null,
        methodHoldDays: 3,
        clearingDays: 5,
      },
      tokenUrl: '/sandbox/tokens',
      test: true,
    });
  });

  it("returns the country of the profile's home", async () => {
    const worker = await person();
    await worker.api.profiles.save({ home: { label: 'Quận 1', lat: 10.7769, lng: 106.7009 } });
    expect((await worker.api.payouts.balance({})).homeCountry).toBe('VN');
    // The time-zone map puts this Portuguese border town in Spain.
    const valenca = { label: 'Valença', lat: 42.0283, lng: -8.6333, countryCode: 'PT' };
    await worker.api.profiles.save({ home: valenca });
    expect((await worker.api.payouts.balance({})).homeCountry).toBe('PT');
    await worker.api.profiles.save({ home: { label: 'At sea', lat: 0, lng: -30 } });
    expect((await worker.api.payouts.balance({})).homeCountry).toBeNull();
  });

  it("lists every currency ever received, the country's first", async () => {
    const worker = await person();
    for (const currency of ['EUR', 'JPY', 'USD'] as const)
      await payWorker(app.db, app.scopeOf(worker), worker.accountId, 70_000, { currency });
    const order = async () => (await worker.api.payouts.balance({})).balances.map(({ currency }) => currency);
    expect(await order()).toEqual(['EUR', 'USD', 'JPY']);
    await worker.api.payouts.verifyIdentity({ ...identity, countryCode: 'JP' });
    expect(await order()).toEqual(['JPY', 'EUR', 'USD']);
    const [yen] = (await worker.api.payouts.balance({})).balances;
    expect(yen).toMatchObject({ pendingMinor: 70_000, minimumMinor: 5, instantFeeMinor: 2 });
  });

  it("starts with the bank account's currency when the country is unknown", async () => {
    const worker = await person();
    const token = await tokenFor(app.provider, {
      kind: 'bank',
      routing: testRouting,
      account: '000000009000',
      holderName: 'Nadia Haddad',
    });
    await worker.api.payouts.addMethod({ token });
    expect((await worker.api.payouts.balance({})).balances).toMatchObject([{ currency: 'USD' }]);
  });
});

describe('clearing', () => {
  it('takes five days without a verified identity and notifies once', async () => {
    const worker = await person();
    const id = await payWorker(app.db, app.scopeOf(worker), worker.accountId, 4_000);
    app.clock.forward({ hours: 1 });
    await payWorker(app.db, app.scopeOf(worker), worker.accountId, 1_000);
    const before = (await worker.api.payouts.balance({})).balances[0];
    const at = before?.nextClearings[0]?.at ?? '';
    expect(before).toMatchObject({
      availableMinor: 0,
      pendingMinor: 5_000,
      nextClearings: [{ amountMinor: 4_000 }, { amountMinor: 1_000 }],
    });
    expect(new Date(at).getTime() - app.clock.now().getTime()).toBe(5 * dayMs - hourMs);

    app.clock.set(subtractMs(new Date(at), 1));
    await app.runDue();
    expect((await worker.api.payouts.balance({})).balances[0]?.pendingMinor).toBe(5_000);
    app.clock.set(at);
    await app.runDue();
    const { balances } = await worker.api.payouts.balance({});
    expect(balances).toMatchObject([{ availableMinor: 4_000, pendingMinor: 1_000 }]);
    expect(balances[0]?.nextClearings).toMatchObject([{ amountMinor: 1_000 }]);
    expect(await notices(worker, 'money-cleared')).toMatchObject([
      { path: '/withdraw', data: { amountMinor: 4_000, currency: 'EUR', moreMinor: 1_000 } },
    ]);

    await app.db.transaction().execute((tx) =>
      scheduleClearing(tx, app.scopeOf(worker), {
        id,
        workerId: worker.accountId,
        amountMinor: 4_000,
        currency: 'EUR',
        clearsAt: app.clock.now(),
      }),
    );
    await app.runDue();
    expect((await worker.api.payouts.balance({})).balances).toEqual(balances);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect((await worker.api.payouts.balance({})).balances).toMatchObject([{ availableMinor: 5_000 }]);
    expect(await notices(worker, 'money-cleared')).toHaveLength(1);
    expect(await bookFaults(app.db, app.scopeOf(worker))).toEqual([]);
  });

  it('catches up after its task was lost', async () => {
    const worker = await person();
    const id = await payWorker(app.db, app.scopeOf(worker), worker.accountId, 2_000);
    await app.db.transaction().execute((tx) => cancelTask(tx, clearKey(id)));
    app.clock.forward({ days: 5, minutes: 3 });
    await app.runDue();
    const mailer = { send: async () => {} };
    for (const _ of [1, 2]) await reconcilePayouts({ ...app.scopeOf(worker), db: app.db, mailer });
    const { balances } = await worker.api.payouts.balance({});
    expect(balances).toMatchObject([{ availableMinor: 2_000, pendingMinor: 0 }]);
  });

  it('is immediate for verified workers, while pending pay keeps its date', async () => {
    const worker = await person();
    await payWorker(app.db, app.scopeOf(worker), worker.accountId, 4_000);
    expect(await worker.api.payouts.verifyIdentity({ ...identity, bornOn: '1901-01-01' })).toEqual({
      status: 'verified',
      reason: null,
      legalName: 'Nadia Haddad',
    });
    await payWorker(app.db, app.scopeOf(worker), worker.accountId, 1_000);
    await app.runDue();
    const waiting = { availableMinor: 1_000, pendingMinor: 4_000 };
    expect((await worker.api.payouts.balance({})).balances).toMatchObject([waiting]);
    expect(await creditOf(app.db, app.scopeOf(worker), worker.accountId)).toEqual({
      account: 'worker_available',
      clearsAt: null,
    });
    app.clock.forward({ days: 5 });
    await app.runDue();
    const cleared = { availableMinor: 5_000, pendingMinor: 0, nextClearings: [] };
    expect((await worker.api.payouts.balance({})).balances).toMatchObject([cleared]);
  });
});

describe('payouts.verifyIdentity', () => {
  it("waits for the provider's only decision and notifies once", async () => {
    const worker = await person();
    expect(await worker.api.payouts.verifyIdentity(identity)).toMatchObject({ status: 'pending' });
    expect(await failure(worker.api.payouts.verifyIdentity(identity))).toMatchObject({
      status: 409,
      code: 'payout/identity-wrong-state',
      data: { status: 'pending' },
    });
    const taskScope = { ...app.scopeOf(worker), db: app.db, mailer: { send: async () => {} } };
    await applyIdentity(taskScope, worker.accountId);
    expect((await worker.api.payouts.balance({})).identity.status).toBe('pending');
    app.clock.forward({ minutes: 2 });
    await app.runDue();
    for (let times = 0; times < 3; times += 1) await applyIdentity(taskScope, worker.accountId);
    expect((await worker.api.payouts.balance({})).identity.status).toBe('verified');
    expect(await notices(worker, 'identity-checked')).toMatchObject([{ data: { variant: 'verified' } }]);
    for (const strange of ['', 'x\u0000', crypto.randomUUID()]) await applyIdentity(taskScope, strange);
    expect(await failure(worker.api.payouts.verifyIdentity(identity))).toMatchObject({ status: 409 });
  });

  it('accepts another submission after a rejection', async () => {
    const worker = await person();
    const wrong = { ...identity, bornOn: '1902-01-01' };
    expect(await worker.api.payouts.verifyIdentity(wrong)).toMatchObject({
      status: 'refused',
      reason: expect.stringMatching(/./),
    });
    app.clock.forward({ minutes: 1 });
    expect(await worker.api.payouts.verifyIdentity(wrong)).toMatchObject({ status: 'refused' });
    expect(await notices(worker, 'identity-checked')).toHaveLength(2);
    expect(await worker.api.payouts.verifyIdentity({ ...identity, bornOn: '1901-01-01' })).toEqual({
      status: 'verified',
      reason: null,
      legalName: 'Nadia Haddad',
    });
  });

  it('replays the response under one key and rejects another body under it', async () => {
    const worker = await person();
    const api = app.apiAs(worker.token, { 'idempotency-key': crypto.randomUUID() });
    const first = await api.payouts.verifyIdentity(identity);
    expect(await api.payouts.verifyIdentity(identity)).toEqual(first);
    const other = await failure(api.payouts.verifyIdentity({ ...identity, address: 'Elsewhere 2' }));
    expect(other.code).toBe('idempotency/key-reused');
  });

  it.each([
    { bornOn: '2099-01-01' },
    { bornOn: '2015-01-01' },
    { bornOn: '1800-01-01' },
    { bornOn: '1990-02-30' },
    { bornOn: '17-05-1990' },
    { countryCode: 'nl' },
    { countryCode: 'NLD' },
    { legalName: '' },
    { legalName: 'Nadia 🙂' },
    { legalName: 'Nadia\u0000' },
    { legalName: 'x'.repeat(10_000) },
    { address: '\ud800' },
  ])('rejects %o', async (wrong) => {
    const refused = await failure(nadia.api.payouts.verifyIdentity({ ...identity, ...wrong }));
    expect(refused).toMatchObject({ status: 400, code: 'request/invalid' });
  });

  it('accepts any script', async () => {
    const worker = await person();
    const verified = await worker.api.payouts.verifyIdentity({
      ...identity,
      legalName: 'ليلى حداد',
    });
    expect(verified.legalName).toBe('ليلى حداد');
  });
});

describe('payouts.addMethod', () => {
  it('saves a bank account, usable after three days, and notifies the worker', async () => {
    const worker = await person();
    const method = await worker.api.payouts.addMethod({ token: await bankToken(app.provider) });
    expect(method).toMatchObject({
      last4: '9000',
      holderName: 'Nadia Haddad',
      country: 'NL',
      currency: 'EUR',
      instant: true,
      isDefault: true,
    });
    const waits = new Date(method.usableFrom).getTime() - new Date(method.addedAt).getTime();
    expect(waits).toBe(3 * dayMs);
    expect(await notices(worker, 'payout-method-added')).toMatchObject([{ data: { by: method.usableFrom } }]);
    app.mails.length = 0;
    await app.runDue();
    const mail = app.mails.find(({ to, subject }) => to === worker.email && subject.includes('bank account'));
    expect(mail?.text).toMatch(/Change your password now/);
    expect((await worker.api.payouts.balance({})).methods).toEqual([method]);
    expect(JSON.stringify(method)).not.toContain(testIbans.pays);
  });

  it('reauthenticates a few minutes after sign-in, before calling the provider', async () => {
    const worker = await person();
    await signedInEarlier(app, worker);
    const token = await bankToken(app.provider);
    expect(await failure(worker.api.payouts.addMethod({ token }))).toMatchObject({
      status: 403,
      code: 'session/password-required',
    });
    await confirmedNow(app, worker);
    expect(await worker.api.payouts.addMethod({ token })).toMatchObject({ last4: '9000' });
  });

  it('creates one account per token on repeats', async () => {
    const worker = await person();
    const token = await bankToken(app.provider);
    const api = app.apiAs(worker.token, { 'idempotency-key': crypto.randomUUID() });
    const first = await api.payouts.addMethod({ token });
    expect(await api.payouts.addMethod({ token })).toEqual(first);
    expect(await worker.api.payouts.addMethod({ token })).toEqual(first);
    const twice = await Promise.all([1, 2].map(() => worker.api.payouts.addMethod({ token })));
    expect(twice).toEqual([first, first]);
    const other = await failure(api.payouts.addMethod({ token: await bankToken(app.provider) }));
    expect(other.code).toBe('idempotency/key-reused');
    expect(await failure(nadia.api.payouts.addMethod({ token }))).toMatchObject({
      status: 422,
      code: 'payout/method-refused',
      data: { failure: 'processing_error' },
    });
    const card = await failure(worker.api.payouts.addMethod({ token: await cardToken(app.provider) }));
    expect(card.code).toBe('payout/method-refused');
    await worker.api.payouts.removeMethod({ methodId: first.id });
    expect((await failure(worker.api.payouts.addMethod({ token }))).code).toBe('payout/method-refused');
  });

  it('adds an account once, whatever its token, until it is removed', async () => {
    const worker = await person();
    const add = async () => worker.api.payouts.addMethod({ token: await bankToken(app.provider) });
    const { id: methodId } = await add();
    expect(await failure(add())).toMatchObject({ status: 409, code: 'payout/method-known' });
    await worker.api.payouts.removeMethod({ methodId });
    expect(await add()).toMatchObject({ last4: '9000' });
  });

  it('keeps at most five, even of ten concurrent ones', async () => {
    const worker = await person();
    const tokens = await Promise.all(
      Array.from({ length: 10 }, (_, index) => bankToken(app.provider, testIban(index))),
    );
    const outcomes = await Promise.allSettled(tokens.map((token) => worker.api.payouts.addMethod({ token })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const { methods } = await worker.api.payouts.balance({});
    expect(methods.filter(({ isDefault }) => isDefault)).toHaveLength(1);
    const sixth = await failure(
      worker.api.payouts.addMethod({ token: await bankToken(app.provider, testIban(10)) }),
    );
    expect(sixth).toMatchObject({ status: 422, code: 'payout/method-limit', data: { limit: 5 } });
  });

  it.each(['', 'short', 'tok_\u0000abcdef', 'tok 12345678', 'x'.repeat(201), '\ud800'.repeat(9)])(
    'rejects %o',
    async (token) => {
      expect(await failure(nadia.api.payouts.addMethod({ token }))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    },
  );
});

describe('payouts.makeMethodDefault', () => {
  it('sets the default, once', async () => {
    const worker = await person();
    const first = await addBank(worker);
    const second = await addBank(worker, testIbans.late);
    const api = app.apiAs(worker.token, { 'idempotency-key': crypto.randomUUID() });
    const methodDefault = await api.payouts.makeMethodDefault({ methodId: second.id });
    expect({ ...second, ...methodDefault }).toEqual({ ...second, isDefault: true });
    expect(await api.payouts.makeMethodDefault({ methodId: second.id })).toEqual(methodDefault);
    const reused = await failure(api.payouts.makeMethodDefault({ methodId: first.id }));
    expect(reused.code).toBe('idempotency/key-reused');
    for (const methodId of ['x', '\u0000'])
      expect(await failure(worker.api.payouts.makeMethodDefault({ methodId }))).toMatchObject({
        status: 400,
      });
  });
});

describe('payouts.removeMethod', () => {
  it('always leaves a default', async () => {
    const worker = await person();
    const first = await addBank(worker);
    const second = await addBank(worker, testIbans.late);
    const third = await addBank(worker, testIbans.notInstant);
    await worker.api.payouts.makeMethodDefault({ methodId: second.id });
    const order = async () => (await worker.api.payouts.balance({})).methods.map(({ id }) => id);
    expect(await order()).toEqual([second.id, first.id, third.id]);
    expect(await worker.api.payouts.removeMethod({ methodId: second.id })).toEqual({ removed: true });
    expect(await worker.api.payouts.removeMethod({ methodId: second.id })).toEqual({ removed: true });
    expect((await worker.api.payouts.balance({})).methods).toMatchObject([
      { id: first.id, isDefault: true },
      { id: third.id, isDefault: false },
    ]);
    const gone = await failure(worker.api.payouts.makeMethodDefault({ methodId: second.id }));
    expect(gone).toMatchObject({ status: 404, code: 'payout/method-not-found' });
  });

  it("returns 404 for another worker's", async () => {
    const worker = await person();
    const { id: methodId } = await addBank(worker);
    for (const call of [nadia.api.payouts.makeMethodDefault, nadia.api.payouts.removeMethod])
      expect(await failure(call({ methodId }))).toMatchObject({
        status: 404,
        code: 'payout/method-not-found',
      });
    expect((await worker.api.payouts.balance({})).methods).toHaveLength(1);
  });
});
