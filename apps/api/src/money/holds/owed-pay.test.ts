import { hourMs, minuteMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp({ CLEARING_DAYS: '0' });
const cast = useHiring(app);
const { hirer, fund, hire, balance, available, expectSoundLedger } = cast;

/** A card pays an extra hour and is disputed when all 8.5 hours at 17.50 are approved. */
async function owed() {
  await fund(14_438);
  const { id, version, terms } = await hire();
  const end = Date.parse(terms.endsAt ?? '');
  app.clock.set(new Date(end + 70 * minuteMs));
  const { breakMinutes } = terms;
  const hours = { startsAt: terms.startsAt ?? '', endsAt: new Date(end + hourMs).toISOString() };
  const work = await cast.leila.api.timesheets.submitHours({
    engagementId: id,
    version,
    breakMinutes,
    note: '',
    ...hours,
  });
  const { id: cardId } = await makeCard(app.db, hirer(), cast.business.id, testCards.chargebackLost);
  await cast.nadia.api.pay.cover({ engagementId: id, funding: { from: 'card', cardId } });
  await app.runDue();
  app.clock.forward({ days: 2, hours: 1 });
  await app.runDue();
  const engagement = await cast.nadia.api.engagements.get({ engagementId: id });
  expect(engagement.funding).toBe('frozen');
  await cast.nadia.api.timesheets.approve({ engagementId: id, version: work.version });
  expect([await available(), await balance()]).toEqual([0, 0]);
  return id;
}

describe('owed pay', () => {
  it('is paid from the hold as far as possible; the rest stays owed and nothing is returned', async () => {
    const engagementId = await owed();
    app.clock.forward({ days: 6 });
    await app.runDue();
    const api = cast.nadia.api;
    expect(await api.engagements.get({ engagementId })).toMatchObject({
      releases: [
        { state: 'released', amountMinor: 13_125 },
        { state: 'not_funded', amountMinor: 1_750 },
      ],
    });
    expect([await available(), await balance()]).toEqual([13_125, 0]);
    await expectSoundLedger();
    await fund(5_000);
    const { engagement } = await api.pay.cover({ engagementId, funding: { from: 'balance' } });
    expect(engagement.releases.map(({ state }) => state)).toEqual(['released', 'released']);
    const { rows } = await app.pool.query<{ fee: number; pay: number }>(
      'select sum(fee_minor)::int as fee, sum(amount_minor)::int as pay from releases where engagement_id = $1',
      [engagementId],
    );
    expect(rows).toEqual([{ fee: 1_488, pay: 14_875 }]);
    expect([await available(), await balance()]).toEqual([14_875, 5_000 - 1_925]);
    await expectSoundLedger();
  });
});
