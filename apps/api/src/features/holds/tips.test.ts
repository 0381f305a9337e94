import type { Business } from '@nearhand/contract/businesses';
import { dayMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/engagements';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { createSign } from '../../platform/sign.ts';
import { signAccessToken } from '../accounts/accounts.session.ts';
import { makeBusiness } from '../businesses/businesses.fixtures.ts';
import { makeEngagement, workThrough } from '../engagements/engagements.fixtures.ts';
import { auditLedger, balanceOf } from '../ledger/ledger.service.ts';
import { fundBusiness, makeCard } from '../payments/payments.fixtures.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';

const app = useTestApp({ CLEARING_DAYS: '0' });
let nadia: Person;
let leila: Person;
let business: Business;
let work: Engagement;
const scopeOf = (person: Person) => app.scopeOf(person.accountId);
const balance = () => balanceOf(app.db, { kind: 'business_balance', ownerId: business.id }, 'EUR');
const got = () => balanceOf(app.db, { kind: 'worker_available', ownerId: leila.accountId }, 'EUR');
const clean = async () => {
  const { findings } = await auditLedger(app.db, { clock: app.clock, sign: createSign(app.secret) });
  expect(findings).toEqual([]);
};
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
});
/** A shift that was worked and paid; 100.00 are left on the balance. */
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  business = await makeBusiness(app.db, scopeOf(nadia), { funded: false });
  await fundBusiness(app.db, scopeOf(nadia), business.id, { amountMinor: 14_438 + 10_000 });
  const booked = await makeEngagement(
    app.db,
    { worker: scopeOf(leila), recruiter: scopeOf(nadia) },
    business.id,
    { headCount: 1 },
  );
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...scopeOf(side === 'worker' ? leila : nadia),
    clock: { now: () => moment },
  });
  work = await workThrough(app.db, at, booked, 'completed');
  app.clock.set(new Date(Date.parse(booked.terms.endsAt ?? '') + dayMs));
});

describe('holds.tip', () => {
  it('from the balance is all for the worker, at once, and beside the pay', async () => {
    const before = await got();
    const given = await nadia.api.holds.tip({
      engagementId: work.id,
      kind: 'bonus',
      amountMinor: 2_001,
      note: 'Grazie 🌻',
    });
    expect(given).toMatchObject({ kind: 'bonus', amountMinor: 2_001, status: 'paid', charge: null });
    expect((await got()) - before).toBe(2_001);
    expect(await balance()).toBe(10_000 - 2_001);
    const shown = await leila.api.engagements.get({ engagementId: work.id });
    expect(shown.releases).toMatchObject([
      { kind: 'rest', state: 'released' },
      { kind: 'bonus', amountMinor: 2_001, workerGetsMinor: 2_001, note: 'Grazie 🌻', state: 'released' },
    ]);
    // Pay that is agreed is pay for the work alone.
    expect(shown.amountMinor).toBe(work.amountMinor);
    expect((await leila.api.notifications.list({ limit: 50 })).items.map(({ topic }) => topic)).toContain(
      'tip-received',
    );
    await clean();
  });

  it('on a double click is one tip, and another body under the key is refused', async () => {
    const before = await got();
    const token = await signAccessToken(app.secret, app.clock, nadia);
    const api = app.apiAs(token, { 'idempotency-key': crypto.randomUUID() });
    const wish = { engagementId: work.id, amountMinor: 500 };
    const first = await api.holds.tip(wish);
    expect(await api.holds.tip(wish)).toEqual(first);
    expect(await failure(api.holds.tip({ ...wish, amountMinor: 501 }))).toMatchObject({
      code: 'idempotency/key-reused',
    });
    expect((await got()) - before).toBe(500);
    await clean();
  });

  it('by card is paid when the card has paid, and not when it is refused', async () => {
    const before = await got();
    for (const [number, status] of [
      [testCards.declined, 'failed'],
      [testCards.pays, 'paid'],
    ] as const) {
      const card = await makeCard(app.db, scopeOf(nadia), business.id, number);
      const given = await nadia.api.holds.tip({
        engagementId: work.id,
        amountMinor: 700,
        funding: { from: 'card', cardId: card.id },
      });
      expect(given).toMatchObject({ status: 'paying', charge: { status: 'created', purpose: 'tip' } });
      await app.runDue();
      const { rows } = await app.pool.query('select status from tips where id = $1', [given.id]);
      expect(rows[0]).toEqual({ status });
    }
    expect((await got()) - before).toBe(700);
    expect(await balance()).toBe(10_000);
    expect((await leila.api.engagements.get({ engagementId: work.id })).releases).toHaveLength(2);
    await clean();
  });

  it('refuses what is too much, too late, too early or not there', async () => {
    const tip = (amountMinor: number, engagementId = work.id) =>
      failure(nadia.api.holds.tip({ engagementId, amountMinor, funding: { from: 'balance' } }));
    expect(await tip(100_001)).toMatchObject({
      status: 422,
      code: 'payment/tip-too-much',
      data: { mostMinor: 100_000 },
    });
    expect(await tip(10_001)).toMatchObject({ code: 'payment/balance-short', data: { missingMinor: 1 } });
    for (const amount of [0, -500, 1.005, 1e12]) expect(await tip(amount)).toMatchObject({ status: 400 });
    const two = await Promise.allSettled(
      [1, 2].map(() =>
        nadia.api.holds.tip({
          engagementId: work.id,
          amountMinor: 6_000,
          funding: { from: 'balance' },
        }),
      ),
    );
    expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    app.clock.forward({ days: 31 });
    expect(await tip(500)).toMatchObject({ status: 422, code: 'payment/tip-too-late' });
    await fundBusiness(app.db, scopeOf(nadia), business.id, { amountMinor: 20_000 });
    const booked = await makeEngagement(
      app.db,
      { worker: scopeOf(leila), recruiter: scopeOf(nadia) },
      business.id,
      { headCount: 1 },
    );
    expect(await tip(500, booked.id)).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
    await clean();
  });
});
