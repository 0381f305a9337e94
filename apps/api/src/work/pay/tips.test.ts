import { dayMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { workThrough } from '../engagements/engagements.fixtures.ts';

const app = useTestApp({ CLEARING_DAYS: '0' });
const cast = useHiring(app);
const { hirer, worker, fund, hire, balance, available, expectSoundLedger } = cast;
let work: Engagement;
beforeEach(async () => {
  await fund(14_438 + 10_000);
  const booked = await hire();
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...(side === 'worker' ? worker() : hirer()),
    clock: { now: () => moment },
  });
  work = await workThrough(app.db, at, booked, 'completed');
  app.clock.set(new Date(Date.parse(booked.terms.endsAt ?? '') + dayMs));
});

describe('pay.tip', () => {
  it('goes from the balance to the worker in full, at once, in addition to the pay', async () => {
    const before = await available();
    const bonus = await cast.nadia.api.pay.tip({
      engagementId: work.id,
      kind: 'bonus',
      amountMinor: 2_001,
      note: 'Grazie 🌻',
    });
    expect(bonus).toMatchObject({ kind: 'bonus', amountMinor: 2_001, status: 'paid', charge: null });
    expect((await available()) - before).toBe(2_001);
    expect(await balance()).toBe(10_000 - 2_001);
    const view = await cast.leila.api.engagements.get({ engagementId: work.id });
    expect(view.releases).toMatchObject([
      { kind: 'rest', state: 'released' },
      { kind: 'bonus', amountMinor: 2_001, workerGetsMinor: 2_001, note: 'Grazie 🌻', state: 'released' },
    ]);
    expect(view.amountMinor).toBe(work.amountMinor);
    expect(
      (await cast.leila.api.notifications.list({ limit: 50 })).items.map(({ topic }) => topic),
    ).toContain('tip-received');
    await expectSoundLedger();
  });

  it('sends one tip on a double click and rejects another body under the key', async () => {
    const before = await available();
    const token = await signAccessToken(app.secret, app.clock, cast.nadia);
    const api = app.apiAs(token, { 'idempotency-key': crypto.randomUUID() });
    const request = { engagementId: work.id, amountMinor: 500 };
    const first = await api.pay.tip(request);
    expect(await api.pay.tip(request)).toEqual(first);
    expect(await failure(api.pay.tip({ ...request, amountMinor: 501 }))).toMatchObject({
      code: 'idempotency/key-reused',
    });
    expect((await available()) - before).toBe(500);
    await expectSoundLedger();
  });

  it('pays by card when the charge succeeds, and nothing when it is declined', async () => {
    const before = await available();
    for (const [number, status] of [
      [testCards.declined, 'failed'],
      [testCards.pays, 'paid'],
    ] as const) {
      const card = await makeCard(app.db, hirer(), cast.business.id, number);
      const bonus = await cast.nadia.api.pay.tip({
        engagementId: work.id,
        amountMinor: 700,
        funding: { from: 'card', cardId: card.id },
      });
      expect(bonus).toMatchObject({ status: 'paying', charge: { status: 'created', purpose: 'tip' } });
      await app.runDue();
      const { rows } = await app.pool.query('select status from tips where id = $1', [bonus.id]);
      expect(rows[0]).toEqual({ status });
    }
    expect((await available()) - before).toBe(700);
    expect(await balance()).toBe(10_000);
    expect((await cast.leila.api.engagements.get({ engagementId: work.id })).releases).toHaveLength(2);
    await expectSoundLedger();
  });

  it("requires the payment provider's minimum by card", async () => {
    const card = await makeCard(app.db, hirer(), cast.business.id, testCards.pays);
    const chargeMin = vi.spyOn(app.provider, 'chargeMin').mockReturnValue(50);
    const tip = (amountMinor: number) =>
      cast.nadia.api.pay.tip({
        engagementId: work.id,
        amountMinor,
        funding: { from: 'card', cardId: card.id },
      });
    expect(await failure(tip(30))).toMatchObject({
      code: 'payment/too-little',
      data: { minMinor: 50, currency: 'EUR' },
    });
    expect(chargeMin).toHaveBeenCalledWith('EUR');
    chargeMin.mockRestore();
  });

  it('rejects too much, too late, too early, and unknown engagements', async () => {
    const tip = (amountMinor: number, engagementId = work.id) =>
      failure(cast.nadia.api.pay.tip({ engagementId, amountMinor, funding: { from: 'balance' } }));
    expect(await tip(100_001)).toMatchObject({
      status: 422,
      code: 'payment/tip-too-much',
      data: { maxMinor: 100_000 },
    });
    expect(await tip(10_001)).toMatchObject({ code: 'payment/balance-short', data: { missingMinor: 1 } });
    for (const amount of [0, -500, 1.005, 1e12]) expect(await tip(amount)).toMatchObject({ status: 400 });
    const two = await Promise.allSettled(
      [1, 2].map(() =>
        cast.nadia.api.pay.tip({
          engagementId: work.id,
          amountMinor: 6_000,
          funding: { from: 'balance' },
        }),
      ),
    );
    expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    app.clock.forward({ days: 31 });
    expect(await tip(500)).toMatchObject({ status: 422, code: 'payment/tip-too-late' });
    await fund(20_000);
    const booked = await hire();
    expect(await tip(500, booked.id)).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
    await expectSoundLedger();
  });
});
