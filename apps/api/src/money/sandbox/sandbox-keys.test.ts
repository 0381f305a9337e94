import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { bankToken, cardToken, testIbans } from './sandbox.fixtures.ts';
import { isSandbox, purgeOldTokens, sandboxTotals } from './sandbox.ts';

describe('idempotency keys at the sandbox', () => {
  const app = useTestApp();
  const saveCard = async (key: string) => {
    const token = await cardToken(app.provider);
    return { token, card: await app.provider.saveCard({ key, token, ownerId: 'owner' }) };
  };
  const cardRef = async (key: string) => {
    const { card } = await saveCard(key);
    return 'ref' in card ? card.ref : '';
  };
  const request = (key: string, card: string) => ({
    key,
    cardRef: card,
    amountMinor: 5_000,
    currency: 'EUR' as const,
    description: 'work',
    returnUrl: 'nearhand://wallet',
  });
  const charged = async () =>
    (await sandboxTotals(app.db)).find(({ currency }) => currency === 'EUR')?.charged ?? 0;

  it('200 concurrent calls under one key make one charge', async () => {
    const card = await cardRef('k1/card');
    const before = await charged();
    const all = await Promise.all(
      Array.from({ length: 200 }, () => app.provider.charge(request('k1', card))),
    );
    expect(new Set(all.map(({ ref }) => ref)).size).toBe(1);
    expect(await charged()).toBe(before + 5_000);
    const { events } = await app.provider.listEvents(null);
    expect(events.filter(({ ref }) => ref === all[0]?.ref)).toHaveLength(1);
    const own = await Promise.all(
      Array.from({ length: 200 }, (_, index) => app.provider.charge(request(`k1/${index}`, card))),
    );
    expect(new Set(own.map(({ ref }) => ref)).size).toBe(200);
    expect(await charged()).toBe(before + 201 * 5_000);
  });

  it('rejects the same key with other content or for another operation', async () => {
    const card = await cardRef('k2/card');
    const first = await app.provider.charge(request('k2', card));
    const before = await charged();
    const problem = 'key_reused';
    for (const other of [{ amountMinor: 5_001 }, { currency: 'USD' as const }, { description: 'other' }])
      await expect(app.provider.charge({ ...request('k2', card), ...other })).rejects.toMatchObject({
        problem,
      });
    await expect(
      app.provider.refund({ key: 'k2', chargeRef: first.ref, amountMinor: 5_000 }),
    ).rejects.toMatchObject({ problem });
    await expect(app.provider.cancelCharge({ key: 'k2', ref: first.ref })).rejects.toMatchObject({ problem });
    expect(await charged()).toBe(before);
  });

  it('a repeated refund refunds once', async () => {
    const { ref } = await app.provider.charge(request('k3', await cardRef('k3/card')));
    const refund = () => app.provider.refund({ key: 'k3/refund', chargeRef: ref, amountMinor: 2_000 });
    for (const state of await Promise.all(Array.from({ length: 20 }, refund)))
      expect(state.refundedMinor).toBe(2_000);
  });

  it('finds an object by our key after a crash between call and record', async () => {
    const charge = await app.provider.charge(request('k5', await cardRef('k5/card')));
    expect(await app.provider.findCharge('k5')).toEqual(charge);
    expect(await app.provider.findCharge('k5/none')).toBeNull();
    expect(await app.provider.findCharge('k5/card')).toBeNull();
    expect(await app.provider.syncPayoutByKey('k5')).toBeNull();
  });

  it('a call whose connection breaks runs fully or not at all, and is safe to repeat', async () => {
    const card = await cardRef('k6/card');
    const outcomes = { done: 0, notDone: 0 };
    const removed = new Set<number>();
    app.pool.on('remove', (client) => removed.add((client as unknown as { processID: number }).processID));
    for (let round = 0; round < 30 || (outcomes.notDone === 0 && round < 300); round += 1) {
      const call = app.provider.charge(request(`k6/${round}`, card)).then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, round % 10));
      // The condition is in the list of columns: a where clause would run for the sessions of other databases
      // too.
      const { rows } = await sql<{ pid: number; signalled: boolean }>`
        select pid, pg_terminate_backend(pid) as signalled from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ilike '%sandbox\\_%' and state <> 'idle'
      `.execute(app.db);
      const cut = rows.filter(({ signalled }) => signalled);
      const answered = await call;
      // The signal may come after the response.
      await vi.waitFor(() => expect(cut.filter(({ pid }) => !removed.has(pid))).toEqual([]), 30_000);
      const charge = await app.provider.findCharge(`k6/${round}`);
      if (answered) expect(charge).not.toBeNull();
      outcomes[charge ? 'done' : 'notDone'] += 1;
      const again = await app.provider.charge(request(`k6/${round}`, card));
      if (charge) expect(again).toEqual(charge);
    }
    expect(outcomes.notDone).toBeGreaterThan(0);
    const [euro] = await sandboxTotals(app.db);
    expect(euro?.balance).toBe(euro?.expected);
    const { events } = await app.provider.listEvents(null);
    expect(events.length).toBeGreaterThan(0);
  });

  it('a token works once, before it expires, for its purpose', async () => {
    const { token, card } = await saveCard('t1');
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expiresMonth: 12, expiresYear: 2030 });
    expect(await app.provider.saveCard({ key: 't1', token, ownerId: 'owner' })).toEqual(card);
    const failure = { failure: 'processing_error' };
    expect(await app.provider.saveCard({ key: 't1/again', token, ownerId: 'owner' })).toEqual(failure);
    expect(await app.provider.saveCard({ key: 't1/again', token, ownerId: 'owner' })).toEqual(failure);

    const late = await cardToken(app.provider);
    app.clock.forward({ minutes: 30 });
    expect(await app.provider.saveCard({ key: 't2', token: late, ownerId: 'owner' })).toEqual(failure);
    const bank = await bankToken(app.provider);
    expect(await app.provider.saveCard({ key: 't3', token: bank, ownerId: 'owner' })).toEqual(failure);
    expect(await app.provider.saveBank({ key: 't4', token: bank, ownerId: 'owner' })).toMatchObject({
      last4: testIbans.pays.slice(-4),
      country: 'NL',
      currency: 'EUR',
      instant: true,
      holderName: 'Nadia Haddad',
      bankName: 'Sandbox Bank NL',
    });
    for (const [index, none] of ['', 'tok_none', 'a\u0000', '\ud800', '😀', 'x'.repeat(10_000)].entries())
      expect(await app.provider.saveBank({ key: `t5/${index}`, token: none, ownerId: 'owner' })).toEqual(
        failure,
      );
  });

  it('20 concurrent uses of a token succeed once', async () => {
    const token = await cardToken(app.provider);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        app.provider.saveCard({ key: `t6/${index}`, token, ownerId: 'owner' }),
      ),
    );
    expect(all.filter((answer) => 'ref' in answer)).toHaveLength(1);
  });

  it('deletes tokens a day after they expire', async () => {
    if (!isSandbox(app.provider)) throw new Error('the tests run on the sandbox');
    await cardToken(app.provider);
    app.clock.forward({ days: 1, minutes: 31 });
    const fresh = await cardToken(app.provider);
    await purgeOldTokens(app.provider.sandbox);
    const rows = await app.db.selectFrom('sandbox_tokens').select('token').execute();
    expect(rows).toEqual([{ token: fresh }]);
  });

  it('stores no card number anywhere', async () => {
    await saveCard('n1');
    const { rows } = await sql<{ text: string }>`
      select concat((select string_agg(t::text, ' ') from sandbox_tokens t), (select string_agg(c::text, ' ') from sandbox_cards c),
        (select string_agg(b::text, ' ') from sandbox_banks b)) as text`.execute(app.db);
    expect(rows[0]?.text).toContain('4242');
    expect(rows[0]?.text).not.toMatch(/42424242|NRHD/);
  });
});
