import { sumOf } from '@nearhand/contract/arithmetic';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { reversePayment } from '../corrections/corrections.ts';
import { refundHold } from '../holds/end-holds.ts';
import type { LedgerAccount } from '../ledger/ledger.rules.ts';
import { balanceOf, postEntry } from '../ledger/ledger.ts';
import { makeCard } from './wallet.fixtures.ts';

const app = useTestApp({ CLEARING_DAYS: '0' });
const cast = useHiring(app);
const creditMinor = 5_000;

const minorOn = (kind: 'business_balance' | 'business_promo' | 'hold' | 'hold_promo', ownerId: string) =>
  balanceOf(app.db, { kind, ownerId }, 'EUR');
const ofBusiness = async () => [
  await minorOn('business_balance', cast.business.id),
  await minorOn('business_promo', cast.business.id),
];
const ofHold = async (holdId: string) => [await minorOn('hold', holdId), await minorOn('hold_promo', holdId)];
const holdOf = (engagementId: string) =>
  app.db
    .selectFrom('holds')
    .select(['id', 'payMinor', 'feeMinor'])
    .where('engagementId', '=', engagementId)
    .executeTakeFirstOrThrow();

const giveCredit = async (key: string) => {
  const account: LedgerAccount = { kind: 'business_promo', ownerId: cast.business.id };
  await app.db.transaction().execute((tx) =>
    postEntry(tx, cast.hirer(), {
      key: `credit/${cast.business.id}/${key}`,
      kind: 'referral',
      currency: 'EUR',
      about: null,
      lines: [
        { account: { kind: 'platform_marketing' }, amountMinor: -creditMinor },
        { account, amountMinor: creditMinor },
      ],
    }),
  );
};

beforeEach(() => giveCredit('first'));

describe('promotional credit', () => {
  it('is spent before the balance and paid to the worker first', async () => {
    await cast.fund(20_000);
    const work = await cast.hire();
    const hold = await holdOf(work.id);
    const costMinor = hold.payMinor + hold.feeMinor;
    expect(await ofBusiness()).toEqual([20_000 - (costMinor - creditMinor), 0]);
    expect(await ofHold(hold.id)).toEqual([costMinor - creditMinor, creditMinor]);
    const { balances } = await cast.nadia.api.wallet.get({ businessId: cast.business.id });
    expect(balances).toMatchObject([{ promoMinor: 0, heldMinor: costMinor, holds: 1 }]);
    app.clock.set(work.terms.endsAt ?? '');
    const { version } = await cast.leila.api.timesheets.submitHours({
      engagementId: work.id,
      version: work.version,
      note: '',
      startsAt: new Date(Date.parse(work.terms.startsAt ?? '') + 3_600_000).toISOString(),
      endsAt: work.terms.endsAt ?? '',
      breakMinutes: work.terms.breakMinutes,
    });
    await cast.nadia.api.timesheets.approve({ engagementId: work.id, version });
    const paidMinor = 11_375;
    expect(await cast.available()).toBe(paidMinor);
    expect(await ofHold(hold.id)).toEqual([0, 0]);
    const leftMinor = 20_000 + creditMinor - Math.round(paidMinor * 1.1);
    expect(await ofBusiness()).toEqual([leftMinor, 0]);
    await giveCredit('second');
    const tip = (amountMinor: number) =>
      cast.nadia.api.pay.tip({ engagementId: work.id, amountMinor, note: '', funding: { from: 'balance' } });
    expect(await failure(tip(leftMinor + 1))).toMatchObject({
      code: 'payment/balance-short',
      data: { missingMinor: 1 },
    });
    await tip(leftMinor);
    expect(await ofBusiness()).toEqual([0, creditMinor]);
    await cast.expectSoundLedger();
  });

  it('returns as credit with its hold, never as money', async () => {
    await cast.fund(20_000);
    const work = await cast.hire();
    const { id: holdId } = await holdOf(work.id);
    await app.db.transaction().execute((tx) => refundHold(tx, cast.hirer(), { holdId }));
    expect(await ofBusiness()).toEqual([20_000, creditMinor]);
    const { totals } = await cast.nadia.api.statements.forBusiness({ businessId: cast.business.id });
    expect(totals.closingMinor).toBe(20_000 + creditMinor);
    await cast.expectSoundLedger();
  });

  it('becomes credit again when the pay is reversed', async () => {
    await cast.fund(20_000);
    const work = await cast.hire();
    const hold = await holdOf(work.id);
    app.clock.set(work.terms.endsAt ?? '');
    const { version } = await cast.leila.api.timesheets.submitHours({
      engagementId: work.id,
      version: work.version,
      note: '',
      startsAt: work.terms.startsAt ?? '',
      endsAt: work.terms.endsAt ?? '',
      breakMinutes: work.terms.breakMinutes,
    });
    await cast.nadia.api.timesheets.approve({ engagementId: work.id, version });
    const { entryId } = await app.db
      .selectFrom('releases')
      .select('entryId')
      .where('engagementId', '=', work.id)
      .executeTakeFirstOrThrow();
    const correction = { id: crypto.randomUUID(), entryId: entryId ?? '', reason: 'Paid twice.' };
    await app.db.transaction().execute((tx) => reversePayment(tx, cast.hirer(), correction));
    expect(await ofHold(hold.id)).toEqual([0, 0]);
    expect(await ofBusiness()).toEqual([20_000, creditMinor]);
    await cast.expectSoundLedger();
  });

  it('is never refunded to a card', async () => {
    const businessId = cast.business.id;
    const { id: cardId } = await makeCard(app.db, cast.hirer(), businessId);
    await cast.nadia.api.wallet.topUp({ businessId, amountMinor: 10_000, currency: 'EUR', cardId });
    await app.runDue();
    const work = await cast.hire();
    expect(await ofBusiness()).toEqual([562, 0]);
    const { id: holdId } = await holdOf(work.id);
    await app.db.transaction().execute((tx) => refundHold(tx, cast.hirer(), { holdId }));
    expect(await ofBusiness()).toEqual([10_000, creditMinor]);
    const refund = (amountMinor: number) =>
      cast.nadia.api.charges.refund({ businessId, amountMinor, currency: 'EUR' });
    expect(await failure(refund(10_001))).toMatchObject({
      status: 422,
      code: 'payment/balance-short',
      data: { balanceMinor: 10_000 },
    });
    await refund(9_000);
    expect(await ofBusiness()).toEqual([1_000, creditMinor]);
  });

  it('funds several concurrent holds without a false rejection', async () => {
    await cast.fund(60_000);
    const before = await ofBusiness();
    expect(before).toEqual([60_000, creditMinor]);
    const hires = await Promise.all(
      [1, 2, 3].map(async () => {
        const leila = await app.person();
        return makeEngagement(
          app.db,
          { worker: app.scopeOf(leila), recruiter: cast.hirer() },
          cast.business.id,
          {
            headCount: 1,
          },
        );
      }),
    );
    const holds = await Promise.all(hires.map(({ id }) => holdOf(id)));
    const costMinor = sumOf(holds, (hold) => hold.payMinor + hold.feeMinor);
    expect(await ofBusiness()).toEqual([60_000 + creditMinor - costMinor, 0]);
    await cast.expectSoundLedger();
  });
});
