import { addMs, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { balanceOf, foldBalances } from '../ledger/ledger.ts';

const app = useTestApp({ CLEARING_DAYS: '0' });
const start = () => app.clock.set('2026-11-21T09:00:00Z');
beforeEach(start);
const cast = useHiring(app);
const { fund, hire, balance, available, recast, anotherBusiness } = cast;
const expectSoundLedger = async () => {
  await cast.expectSoundLedger();
  expect(
    (await app.pool.query('select deadlocks::int from pg_stat_database where datname = current_database()'))
      .rows,
  ).toEqual([{ deadlocks: 0 }]);
};
const balanceSource = { funding: { from: 'balance' as const } };

/** Submits 8.5 hours on a hold of 7.5 hours at 17.50 (144.38 with the fee); one hour, 19.25, is uncovered. */
async function submitted(daysAhead = 0) {
  await fund(14_438);
  const booked = await hire(
    daysAhead > 0
      ? {
          startsAt: addMs(app.clock.now(), daysAhead * dayMs).toISOString(),
          endsAt: addMs(app.clock.now(), daysAhead * dayMs + 8 * hourMs).toISOString(),
        }
      : {},
  );
  const end = Date.parse(booked.terms.endsAt ?? '');
  app.clock.set(new Date(end + 70 * minuteMs));
  const { id, version } = await cast.leila.api.timesheets.submitHours({
    engagementId: booked.id,
    version: booked.version,
    note: '',
    breakMinutes: booked.terms.breakMinutes,
    startsAt: booked.terms.startsAt ?? '',
    endsAt: new Date(end + hourMs).toISOString(),
  });
  const { api } = cast.nadia;
  return {
    engagementId: id,
    cover: () => api.pay.cover({ engagementId: id, ...balanceSource }),
    approve: () => api.timesheets.approve({ engagementId: id, version }),
    tip: (amountMinor: number) => api.pay.tip({ engagementId: id, amountMinor, ...balanceSource }),
    disputed,
    agree: async () => {
      const { dispute } = await api.engagements.get({ engagementId: id });
      await api.disputes.answer({
        disputeId: dispute?.id ?? '',
        version: dispute?.version ?? 0,
        note: 'They stayed an hour longer.',
        amountMinor: 14_875,
      });
    },
  };
}
async function disputed() {
  app.clock.forward({ hours: 73 });
  await app.runDue();
}

async function allOf(acts: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  const outcome = async (act: () => Promise<unknown>) => {
    let refused = 'done';
    const call = act().catch((error: unknown) => {
      refused = 'refused';
      throw error;
    });
    await call.catch(() => {});
    return refused === 'done' ? refused : (await failure(call)).code;
  };
  return Promise.all(acts.map(outcome));
}
const holdOf = async (engagementId: string) =>
  (await app.pool.query<{ id: string }>('select id from holds where engagement_id = $1', [engagementId]))
    .rows[0]?.id ?? '';

describe('at once', () => {
  it('two ways to add missing money and two approvals add and pay once', async () => {
    for (let run = 0; run < 4; run += 1) {
      const { cover, approve, engagementId } = await submitted();
      await fund(10_000);
      const before = [await available(), await balance()] as const;
      const acts = [cover, approve, cover, approve];
      const ends = await allOf([...acts.slice(run), ...acts.slice(0, run)]);
      for (const end of ends)
        expect(['done', 'payment/nothing-missing', 'payment/hold-short']).toContain(end);
      expect(ends).toContain('done');
      await approve();
      expect((await available()) - before[0]).toBe(14_875);
      expect(before[1] - (await balance())).toBe(1_925);
      expect(await balanceOf(app.db, { kind: 'hold', ownerId: await holdOf(engagementId) }, 'EUR')).toBe(0);
      start();
      await recast();
    }
    await expectSoundLedger();
  });

  it('two ways to add missing money and an agreement debit the balance once', async () => {
    for (let run = 0; run < 3; run += 1) {
      const { cover, agree, engagementId } = await submitted();
      await disputed();
      await fund(10_000);
      const before = [await available(), await balance()] as const;
      const acts = [cover, agree, cover];
      const ends = await allOf([...acts.slice(run), ...acts.slice(0, run)]);
      // Money is missing only once the extra hour is agreed.
      for (const end of ends)
        expect(['done', 'payment/nothing-missing', 'engagement/wrong-state']).toContain(end);
      expect(ends).toContain('done');
      expect((await available()) - before[0]).toBe(1_750);
      expect(before[1] - (await balance())).toBe(1_925);
      expect(await balanceOf(app.db, { kind: 'hold', ownerId: await holdOf(engagementId) }, 'EUR')).toBe(0);
      start();
      await recast();
    }
    await expectSoundLedger();
  });

  it('two covers of owed pay add it once, and a concurrent tip is sent once', async () => {
    const { cover, agree, tip } = await submitted();
    await disputed();
    await agree();
    expect([await available(), await balance()]).toEqual([13_125, 0]);
    await fund(10_000);
    const ends = await allOf([cover, () => tip(700), cover]);
    expect(ends.toSorted()).toEqual(['done', 'done', 'payment/nothing-missing']);
    expect([await available(), await balance()]).toEqual([14_875 + 700, 10_000 - 1_925 - 700]);
    await expectSoundLedger();
  });

  it('a tip and owed pay share a balance that covers one of them', async () => {
    const outcomes = new Set<string>();
    for (let run = 0; run < 4; run += 1) {
      const { cover, agree, tip } = await submitted();
      await disputed();
      await agree();
      await fund(3_000);
      const before = await available();
      const acts = [cover, () => tip(2_000)];
      const ends = await allOf(run % 2 === 0 ? acts : acts.toReversed());
      expect(ends.toSorted()).toEqual(['done', 'payment/balance-short']);
      const covered = (await available()) - before === 1_750;
      outcomes.add(covered ? 'cover' : 'tip');
      expect([(await available()) - before, await balance()]).toEqual(
        covered ? [1_750, 1_075] : [2_000, 1_000],
      );
      start();
      await recast();
    }
    await expectSoundLedger();
  });

  it('two tips from a balance that covers one send one', async () => {
    const { agree, tip } = await submitted();
    await fund(1_925);
    await disputed();
    await agree();
    await fund(1_000);
    const before = await available();
    const ends = await allOf([() => tip(800), () => tip(800), () => tip(800)]);
    expect(ends.toSorted()).toEqual(['done', 'payment/balance-short', 'payment/balance-short']);
    expect([(await available()) - before, await balance()]).toEqual([800, 200]);
    await expectSoundLedger();
  });
});

describe("a worker's accounts are locked before the balance that pays them", () => {
  /** Checks that the call waits for the worker's accounts before it locks the balance. */
  async function waitsWithoutTheBalance(act: () => Promise<unknown>): Promise<void> {
    await foldBalances(app.db);
    const tip = await app.pool.connect();
    try {
      await tip.query('begin');
      await tip.query(
        `select from ledger_accounts where id like 'worker_%:${cast.leila.accountId}:EUR' for update`,
      );
      let over = false;
      const acting = act().finally(() => {
        over = true;
      });
      acting.catch(() => {});
      for (let waits = false; !waits; ) {
        if (over) await acting.then(() => expect.fail('it did not wait for the accounts of the worker'));
        const { rows } = await app.pool.query<{ waits: boolean }>(
          `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
        );
        waits = rows[0]?.waits ?? false;
      }
      for (const [table, key] of [
        ['ledger_accounts', 'id'],
        ['ledger_deferred', 'account_id'],
      ])
        await tip.query(
          `select from ${table} where ${key} = 'business_balance:${cast.business.id}:EUR' for update nowait`,
        );
      await tip.query('rollback');
      await acting;
    } finally {
      tip.release();
    }
  }

  it('when an agreed hour fills the hold, when owed pay is covered, and by a tip', async () => {
    const first = await submitted();
    await fund(1_925);
    await disputed();
    await first.agree();
    start();
    const second = await submitted(3);
    await fund(5_000);
    await disputed();
    const before = [await available(), await balance()] as const;
    await waitsWithoutTheBalance(second.agree);
    expect([(await available()) - before[0], before[1] - (await balance())]).toEqual([1_750, 1_925]);
    await waitsWithoutTheBalance(() => second.tip(300));
    start();
    await anotherBusiness();
    const third = await submitted(6);
    await disputed();
    await third.agree();
    await fund(5_000);
    await waitsWithoutTheBalance(third.cover);
    await expectSoundLedger();
  });
});
