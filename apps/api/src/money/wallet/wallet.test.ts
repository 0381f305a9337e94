import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement, workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { approveWork } from '../../work/timesheets/approval.ts';
import { compareBooks } from '../provider/books.fixtures.ts';

const app = useTestApp();

async function cast() {
  const owner = await app.person();
  const worker = await app.person();
  const ownerScope = app.scopeOf(owner);
  const theirs = app.scopeOf(worker);
  const place = { countryCode: 'US', lat: 40.71, lng: -74.0 };
  const { id: businessId } = await makeBusiness(app.db, ownerScope, place);
  const figures = async () => {
    const { balances } = await owner.api.wallet.get({ businessId });
    expect(balances).toHaveLength(1);
    const { availableMinor, heldMinor, holds, waitingMinor, paidThisMonthMinor, owedMinor } =
      balances[0] as (typeof balances)[number];
    return [availableMinor, heldMinor, holds, waitingMinor, paidThisMonthMinor, owedMinor];
  };
  const had = (await figures())[0] as number;
  const engagement = await makeEngagement(app.db, { worker: theirs, recruiter: ownerScope }, businessId);
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...(side === 'worker' ? theirs : ownerScope),
    clock: { now: () => moment },
  });
  const submit = () => workThrough(app.db, at, engagement, 'submitted');
  return { owner, own: ownerScope, engagement, figures, had, submit };
}

describe('the figures of wallet.get', () => {
  it('follow the money from the balance through the hold to the worker', async () => {
    const { owner, own, engagement, figures, had, submit } = await cast();
    const { payTotalMinor: pay, holdMinor: hold } = engagement.terms;
    expect(await figures()).toEqual([had - hold, hold, 1, 0, 0, 0]);
    const { version } = await submit();
    expect(await figures()).toEqual([had - hold, hold, 1, pay, 0, 0]);
    app.clock.set('2026-12-01T04:55:00Z');
    await app.db
      .transaction()
      .execute((tx) => approveWork(tx, own, { engagementId: engagement.id, version }));
    expect(await figures()).toEqual([had - hold, 0, 0, 0, pay, 0]);
    await owner.api.pay.tip({
      engagementId: engagement.id,
      amountMinor: 700,
      funding: { from: 'balance' },
    });
    expect(await figures()).toEqual([had - hold - 700, 0, 0, 0, pay + 700, 0]);
    app.clock.set('2026-12-01T05:00:00Z');
    expect(await figures()).toEqual([had - hold - 700, 0, 0, 0, 0, 0]);
    expect(await compareBooks(app.db, own)).toEqual([]);
  });
});
