import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import type { PayoutState } from '../../platform/payment-provider.ts';
import { bankToken, cardToken, testIbans, testRouting, tokenFor } from './sandbox.fixtures.ts';
import { sandboxTotals } from './sandbox.ts';

describe('sandbox payouts', () => {
  const app = useTestApp();
  let step = 0;
  const key = (name: string) => {
    step += 1;
    return `${name}/${step}`;
  };
  const bankOf = async (iban: string) => {
    const token = await bankToken(app.provider, iban);
    const saved = await app.provider.saveBank({ key: key('bank'), token, ownerId: 'a worker' });
    if ('failure' in saved) throw new Error(saved.failure);
    return saved.ref;
  };
  const fill = async (amountMinor: number) => {
    const token = await cardToken(app.provider);
    const card = await app.provider.saveCard({ key: key('card'), token, ownerId: 'a business' });
    await app.provider.charge({
      key: key('fill'),
      cardRef: 'ref' in card ? card.ref : '',
      amountMinor,
      currency: 'EUR',
      description: 'work',
      returnUrl: 'nearhand://wallet',
    });
  };
  const payOut = (bankRef: string, options: Partial<Parameters<typeof app.provider.payOut>[0]> = {}) =>
    app.provider.payOut({
      key: key('payout'),
      bankRef,
      amountMinor: 3_000,
      currency: 'EUR' as const,
      speed: 'standard' as const,
      ...options,
    });
  const now = async (payout: PayoutState) => (await app.provider.syncPayout(payout.ref)) as PayoutState;
  const at = async (instant: string) => {
    app.clock.set(instant);
    await app.runDue();
  };
  const balance = async () => {
    const euro = (await sandboxTotals(app.db)).find(({ currency }) => currency === 'EUR');
    expect(euro?.balance).toBe(euro?.expected);
    return euro?.balance ?? 0;
  };
  beforeEach(() => app.clock.set('2026-11-21T09:00:00Z'));

  it('a standard one arrives at nine on the next business day', async () => {
    await fill(3_000);
    const before = await balance();
    const payout = await payOut(await bankOf(testIbans.pays));
    expect(payout).toMatchObject({ status: 'in_transit', failure: null, arrivesOn: '2026-11-23' });
    expect(await balance()).toBe(before - 3_000);
    await at('2026-11-23T08:59:59Z');
    expect((await now(payout)).status).toBe('in_transit');
    await at('2026-11-23T09:00:00Z');
    expect(await now(payout)).toMatchObject({ status: 'paid', arrivesOn: '2026-11-23' });
    await at('2026-12-23T09:00:00Z');
    expect((await now(payout)).status).toBe('paid');
    expect(await balance()).toBe(before - 3_000);
  });

  it('an instant one arrives within a minute if the bank supports it', async () => {
    await fill(3_000);
    const payout = await payOut(await bankOf(testIbans.pays), { speed: 'instant' });
    expect(payout).toMatchObject({ status: 'processing', arrivesOn: '2026-11-21' });
    await at('2026-11-21T09:00:59Z');
    expect((await now(payout)).status).toBe('paid');
    const before = await balance();
    expect(await payOut(await bankOf(testIbans.notInstant), { speed: 'instant' })).toMatchObject({
      status: 'failed',
      failure: 'instant_unavailable',
      arrivesOn: null,
    });
    expect(await balance()).toBe(before);
    await fill(3_000);
    expect((await payOut(await bankOf(testIbans.notInstant))).status).toBe('in_transit');
  });

  it('fails at once when the account is closed', async () => {
    await fill(3_000);
    const before = await balance();
    expect(await payOut(await bankOf(testIbans.closed))).toMatchObject({
      status: 'failed',
      failure: 'account_closed',
    });
    expect(await balance()).toBe(before);
  });

  it('fails after a day and returns the money', async () => {
    await fill(3_000);
    const before = await balance();
    const payout = await payOut(await bankOf(testIbans.failsLater));
    expect(payout.status).toBe('in_transit');
    await at('2026-11-22T08:59:59Z');
    expect((await now(payout)).status).toBe('in_transit');
    await at('2026-11-22T09:00:00Z');
    expect(await now(payout)).toMatchObject({ status: 'failed', failure: 'bank_rejected' });
    expect(await balance()).toBe(before);
  });

  it('is returned two days after it was paid', async () => {
    await fill(3_000);
    const before = await balance();
    const payout = await payOut(await bankOf(testIbans.returned));
    await at('2026-11-23T09:00:00Z');
    expect((await now(payout)).status).toBe('paid');
    await at('2026-11-25T08:59:59Z');
    expect((await now(payout)).status).toBe('paid');
    await at('2026-11-25T09:00:00Z');
    expect(await now(payout)).toMatchObject({ status: 'returned', failure: 'bank_rejected' });
    expect(await balance()).toBe(before);
  });

  it('arrives two days late', async () => {
    await fill(3_000);
    const payout = await payOut(await bankOf(testIbans.late));
    await at('2026-11-25T08:59:59Z');
    expect((await now(payout)).status).toBe('in_transit');
    await at('2026-11-25T09:00:00Z');
    expect(await now(payout)).toMatchObject({ status: 'paid', arrivesOn: '2026-11-23' });
  });

  it('never pays more than the platform has: 5 of 20 concurrent payouts of a fifth each', async () => {
    const bank = await bankOf(testIbans.pays);
    const rest = await balance();
    if (rest > 0) await payOut(bank, { amountMinor: rest });
    expect(await payOut(bank, { amountMinor: 1 })).toMatchObject({
      status: 'failed',
      failure: 'insufficient_funds',
    });
    await fill(5_000);
    const all = await Promise.all(Array.from({ length: 20 }, () => payOut(bank, { amountMinor: 1_000 })));
    expect(all.filter(({ status }) => status === 'in_transit')).toHaveLength(5);
    expect(all.filter(({ failure }) => failure === 'insufficient_funds')).toHaveLength(15);
    expect(await balance()).toBe(0);
  });

  it("accepts only the account's currency", async () => {
    await fill(3_000);
    const token = await tokenFor(app.provider, {
      kind: 'bank',
      holderName: 'Sam',
      country: 'US',
      routing: testRouting,
      account: '000123456789',
    });
    const us = await app.provider.saveBank({ key: key('bank'), token, ownerId: 'a worker' });
    const failure = 'bank_rejected';
    expect(await payOut('ref' in us ? us.ref : '')).toMatchObject({ status: 'failed', failure });
    expect(await payOut(await bankOf(testIbans.pays), { currency: 'USD' })).toMatchObject({
      status: 'failed',
      failure,
    });
  });

  it('one key is one payout, also for 50 concurrent calls', async () => {
    await fill(3_000);
    const bank = await bankOf(testIbans.pays);
    const before = await balance();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => payOut(bank, { key: 'p1', amountMinor: 1_000 })),
    );
    expect(new Set(all.map(({ ref }) => ref)).size).toBe(1);
    expect(await balance()).toBe(before - 1_000);
    expect(await app.provider.syncPayoutByKey('p1')).toEqual(all[0]);
    await expect(payOut(bank, { key: 'p1', amountMinor: 1_001 })).rejects.toMatchObject({
      problem: 'key_reused',
    });
    await expect(payOut(bank, { key: 'p1', amountMinor: 1_000, speed: 'instant' })).rejects.toMatchObject({
      problem: 'key_reused',
    });
  });
});

describe('sandbox identities', () => {
  const app = useTestApp();
  const check = (key: string, ownerId: string, bornOn: string) =>
    app.provider.checkIdentity({
      key,
      ownerId,
      legalName: 'Nadia Haddad',
      bornOn,
      country: 'NL',
      address: 'Lindengracht 1',
    });

  it('verifies or rejects the documented birthdays at once, and everyone else after a minute', async () => {
    expect(await check('i1', 'one', '1901-01-01')).toEqual({
      ownerId: 'one',
      status: 'verified',
      reason: null,
      account: null,
    });
    expect(await check('i2', 'two', '1902-01-01')).toMatchObject({
      status: 'refused',
      reason: expect.any(String),
    });
    expect(await check('i3', 'three', '1990-05-05')).toMatchObject({ status: 'pending' });
    app.clock.forward({ seconds: 59 });
    await app.runDue();
    expect((await app.provider.getIdentity('three'))?.status).toBe('pending');
    app.clock.forward({ seconds: 1 });
    await app.runDue();
    expect((await app.provider.getIdentity('three'))?.status).toBe('verified');
  });

  it('lets a rejected person try again and keeps a verified one verified', async () => {
    expect(await check('i4', 'two', '1990-05-05')).toMatchObject({ status: 'pending', reason: null });
    expect(await check('i5', 'one', '1902-01-01')).toMatchObject({ status: 'verified' });
  });

  it('runs one check per key', async () => {
    await expect(check('i1', 'one', '1990-01-01')).rejects.toMatchObject({ problem: 'key_reused' });
    const all = await Promise.all(Array.from({ length: 20 }, () => check('i6', 'six', '1990-01-01')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['pending']));
    const { events } = await app.provider.listEvents(null);
    expect(events.filter(({ ref, type }) => ref === 'six' && type === 'identity')).toHaveLength(1);
  });

  it.each(['', 'a\u0000', '\ud800', 'x'.repeat(256)])('accepts the owner %j', async (ownerId) => {
    expect(await app.provider.getIdentity(ownerId)).toBeNull();
    await expect(check(`i7/${ownerId.length}`, ownerId, '1990-01-01')).rejects.toMatchObject({
      problem: 'invalid',
    });
  });

  it('accepts any text as input', async () => {
    for (const [index, bornOn] of ['\u0000', '\ud800', '9'.repeat(5_000), 'محمد'].entries())
      expect((await check(`i8/${index}`, `o${index}`, bornOn)).status).toBe('pending');
  });
});
