import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { type PaymentProvider, ProviderRefusedError } from '../../platform/payment-provider.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { testIbans } from '../sandbox/sandbox.fixtures.ts';
import { reconcilePayouts } from './payout-reconciliation.ts';
import { bookFaults, makeBank, payWorker } from './payouts.fixtures.ts';
import { applyPayout, sendWithdrawal } from './withdrawal-lifecycle.ts';

// No webhook arrives automatically: each test sends hints in its own number and order.
const app = useTestApp({ SANDBOX_WEBHOOKS: 'copies=1,lost=100%,spread=0s', PAYOUT_METHOD_HOLD_DAYS: '0' });
const taskScope = (of: Person, provider: PaymentProvider = app.provider) => ({
  ...app.scopeOf(of),
  provider,
  db: app.db,
  mailer: { send: async () => {} },
});

async function asked(
  options: { iban?: string; speed?: 'standard' | 'instant'; amountMinor?: number } = {},
): Promise<{ worker: Person; id: string }> {
  const worker = await app.person({ name: 'Nadia Haddad' });
  const { id: methodId } = await makeBank(app.db, app.scopeOf(worker), options.iban);
  await payWorker(app.db, app.scopeOf(worker), worker.accountId, 10_000, { atOnce: true });
  const { amountMinor = 3_000, speed = 'standard' } = options;
  const { id } = await worker.api.payouts.withdraw({ methodId, amountMinor, speed });
  return { worker, id };
}
const view = (worker: Person, id: string) => worker.api.payouts.withdrawal({ withdrawalId: id });
const walked = async (worker: Person, id: string) =>
  (await view(worker, id)).steps.map(({ status }) => status);
const funds = async (worker: Person) => {
  const [balance] = (await worker.api.payouts.balance({})).balances;
  return [balance?.availableMinor, balance?.reservedMinor];
};
const noticesOf = async (worker: Person) =>
  (await worker.api.notifications.list({})).items
    .filter(({ topic }) => topic.startsWith('withdrawal-') && topic !== 'withdrawal-requested')
    .map(({ topic, data }) => [topic, data.amountMinor, data.variant ?? null])
    .reverse();
const refOf = async (id: string) => (await app.provider.syncPayoutByKey(id))?.ref ?? '';
const hint = async (worker: Person, id: string) => applyPayout(taskScope(worker), await refOf(id));
const wait = async (duration: Parameters<typeof app.clock.forward>[0]) => {
  app.clock.forward(duration);
  await app.runDue();
};
const reconcile = async (worker: Person) => {
  app.clock.forward({ minutes: 3 });
  await reconcilePayouts(taskScope(worker));
};
const booksAreRight = async (worker: Person) =>
  expect(await bookFaults(app.db, app.scopeOf(worker))).toEqual([]);

beforeEach(() => app.clock.set('2026-11-24T09:00:00Z'));

describe('a bank account that accepts payouts', () => {
  it('pays the next day and notifies its worker', async () => {
    const { worker, id } = await asked();
    await wait({ minutes: 9 });
    expect((await view(worker, id)).status).toBe('requested');
    await wait({ minutes: 1 });
    const sent = await view(worker, id);
    expect(sent).toMatchObject({
      status: 'in_transit',
      arrivesOn: '2026-11-25',
      cancelBy: null,
      actions: [],
    });
    await booksAreRight(worker);
    await wait({ days: 1 });
    await hint(worker, id);
    const paid = await view(worker, id);
    expect(paid).toMatchObject({ status: 'paid', arrivesOn: '2026-11-25', failure: null });
    expect(paid.steps.map(({ status }) => status)).toEqual(['requested', 'processing', 'in_transit', 'paid']);
    expect(await funds(worker)).toEqual([7_000, 0]);
    expect(await noticesOf(worker)).toEqual([
      ['withdrawal-sent', 3_000, null],
      ['withdrawal-paid', 3_000, null],
    ]);
    await booksAreRight(worker);
  });

  it('pays within a minute for an instant one, with the fee going to the platform', async () => {
    const fees = () => balanceOf(app.db, { kind: 'platform_fees' }, 'EUR');
    const before = await fees();
    const { worker, id } = await asked({ speed: 'instant' });
    await app.runDue();
    expect(await view(worker, id)).toMatchObject({ status: 'processing', arrivesOn: '2026-11-24' });
    await wait({ minutes: 1 });
    await hint(worker, id);
    expect(await walked(worker, id)).toEqual(['requested', 'processing', 'paid']);
    expect(await app.provider.syncPayoutByKey(id)).toMatchObject({ amountMinor: 2_850 });
    expect(await funds(worker)).toEqual([7_000, 0]);
    expect((await fees()) - before).toBe(150);
    expect(await noticesOf(worker)).toEqual([['withdrawal-paid', 2_850, null]]);
    await booksAreRight(worker);
  });

  it('pays the whole balance', async () => {
    const { worker, id } = await asked({ amountMinor: 10_000 });
    await wait({ days: 1 });
    await hint(worker, id);
    await wait({ days: 1 });
    await hint(worker, id);
    expect(await funds(worker)).toEqual([0, 0]);
    expect((await view(worker, id)).status).toBe('paid');
  });
});

describe('a bank account that does not', () => {
  it('fails at once when closed, and returns everything with the reason', async () => {
    const { worker, id } = await asked({ iban: testIbans.closed, speed: 'instant' });
    await app.runDue();
    const failed = await view(worker, id);
    expect(failed).toMatchObject({ status: 'failed', failure: 'account_closed', arrivesOn: null });
    expect(failed.steps.at(-1)).toMatchObject({ status: 'failed', failure: 'account_closed' });
    expect(await funds(worker)).toEqual([10_000, 0]);
    expect(await noticesOf(worker)).toEqual([['withdrawal-failed', 3_000, 'account_closed']]);
    expect((await worker.api.payouts.balance({})).rules.leftToday).toBe(5);
    await booksAreRight(worker);
  });

  it('fails a day later', async () => {
    const { worker, id } = await asked({ iban: testIbans.failsLater });
    await wait({ minutes: 10 });
    expect((await view(worker, id)).status).toBe('in_transit');
    await wait({ days: 1 });
    await hint(worker, id);
    expect(await view(worker, id)).toMatchObject({ status: 'failed', failure: 'bank_rejected' });
    expect(await walked(worker, id)).toEqual(['requested', 'processing', 'in_transit', 'failed']);
    expect(await funds(worker)).toEqual([10_000, 0]);
    await booksAreRight(worker);
  });

  it.each(['standard', 'instant'] as const)(
    'returns it two days after the payout, with the fee (%s)',
    async (speed) => {
      const { worker, id } = await asked({ iban: testIbans.returned, speed });
      await wait({ minutes: 10 });
      await wait({ days: 1 });
      await hint(worker, id);
      expect(await funds(worker)).toEqual([7_000, 0]);
      await wait({ days: 3 });
      await hint(worker, id);
      const returned = await view(worker, id);
      expect(returned).toMatchObject({ status: 'returned', failure: 'bank_rejected' });
      expect(returned.steps.slice(-2).map(({ status }) => status)).toEqual(['paid', 'returned']);
      expect(await funds(worker)).toEqual([10_000, 0]);
      expect((await noticesOf(worker)).at(-1)).toEqual(['withdrawal-returned', 3_000, 'bank_rejected']);
      await booksAreRight(worker);
    },
  );

  it('takes two extra days', async () => {
    const { worker, id } = await asked({ iban: testIbans.late });
    await wait({ days: 1 });
    await hint(worker, id);
    await wait({ days: 1 });
    await hint(worker, id);
    expect((await view(worker, id)).status).toBe('in_transit');
    await wait({ days: 3 });
    await hint(worker, id);
    expect((await view(worker, id)).status).toBe('paid');
    await booksAreRight(worker);
  });

  it('rejects instant payments', async () => {
    const { worker, id } = await asked({ iban: testIbans.notInstant });
    await wait({ minutes: 10 });
    await wait({ days: 1 });
    await hint(worker, id);
    expect((await view(worker, id)).status).toBe('paid');
    const { methods } = await worker.api.payouts.balance({});
    const request = { methodId: methods[0]?.id ?? '', amountMinor: 3_000, speed: 'instant' } as const;
    expect((await failure(worker.api.payouts.withdraw(request))).code).toBe('payout/instant-unavailable');
  });
});

describe('provider hints', () => {
  it('can arrive five times and late: each move happens once', async () => {
    const { worker, id } = await asked({ iban: testIbans.returned });
    await wait({ minutes: 10 });
    for (const days of [0, 1, 3]) {
      await wait({ days });
      await Promise.all(Array.from({ length: 5 }, () => hint(worker, id)));
    }
    expect(await walked(worker, id)).toEqual(['requested', 'processing', 'in_transit', 'paid', 'returned']);
    expect(await noticesOf(worker)).toHaveLength(3);
    expect(await funds(worker)).toEqual([10_000, 0]);
    await booksAreRight(worker);
  });

  it('can be lost except the last: the missed moves are made up', async () => {
    const { worker, id } = await asked({ iban: testIbans.returned });
    await wait({ minutes: 10 });
    await wait({ days: 1 });
    await wait({ days: 3 });
    await hint(worker, id);
    expect(await walked(worker, id)).toEqual(['requested', 'processing', 'in_transit', 'paid', 'returned']);
    expect(await funds(worker)).toEqual([10_000, 0]);
    await booksAreRight(worker);
  });

  it('change nothing when outdated or foreign', async () => {
    const { worker, id } = await asked();
    await wait({ minutes: 10 });
    const ref = await refOf(id);
    const early = await app.provider.syncPayout(ref);
    await wait({ days: 1 });
    await hint(worker, id);
    const stale: PaymentProvider = { ...app.provider, syncPayout: async () => early };
    await applyPayout(taskScope(worker, stale), ref);
    const other: PaymentProvider = {
      ...app.provider,
      syncPayout: async () => early && { ...early, status: 'returned', amountMinor: 1 },
    };
    await applyPayout(taskScope(worker, other), ref);
    for (const strange of ['', 'po_unknown', '\u0000', 'x'.repeat(1_000)])
      await applyPayout(taskScope(worker), strange);
    expect((await view(worker, id)).status).toBe('paid');
    expect(await funds(worker)).toEqual([7_000, 0]);
    await booksAreRight(worker);
  });

  it('can all be lost: reconciliation polls', async () => {
    const { worker, id } = await asked();
    const failing = await asked({ iban: testIbans.failsLater });
    await wait({ minutes: 10 });
    await wait({ days: 1 });
    await reconcile(worker);
    expect((await view(worker, id)).status).toBe('paid');
    expect((await view(failing.worker, failing.id)).status).toBe('failed');
    await reconcile(worker);
    expect(await noticesOf(worker)).toHaveLength(2);
    await booksAreRight(worker);
  });
});

describe('a crash', () => {
  const broken = (at: 'before' | 'after'): PaymentProvider => ({
    ...app.provider,
    payOut: async (request) => {
      if (at === 'after') await app.provider.payOut(request);
      throw new Error('the connection broke');
    },
  });

  it.each(['before', 'after'] as const)(
    'reconciliation pays once when the call is lost %s it was done',
    async (at) => {
      const { worker, id } = await asked();
      app.clock.forward({ minutes: 10 });
      await expect(sendWithdrawal(taskScope(worker, broken(at)), id)).rejects.toThrow('broke');
      expect((await view(worker, id)).status).toBe('processing');
      expect((await app.provider.syncPayoutByKey(id)) === null).toBe(at === 'before');
      await app.pool.query('delete from graphile_worker._private_jobs where key = $1', [
        `payouts.send/${id}`,
      ]);
      await reconcile(worker);
      await app.runDue();
      expect((await view(worker, id)).status).toBe('in_transit');
      await wait({ days: 1 });
      await reconcile(worker);
      expect(await walked(worker, id)).toEqual(['requested', 'processing', 'in_transit', 'paid']);
      expect(await funds(worker)).toEqual([7_000, 0]);
      await booksAreRight(worker);
    },
  );

  it('reconciliation repairs a lost task', async () => {
    const { worker, id } = await asked();
    await app.pool.query('delete from graphile_worker._private_jobs where key = $1', [`payouts.send/${id}`]);
    await wait({ minutes: 5 });
    await reconcile(worker);
    await app.runDue();
    expect((await view(worker, id)).status).toBe('requested');
    await wait({ minutes: 5 });
    await reconcile(worker);
    await app.runDue();
    expect((await view(worker, id)).status).toBe('in_transit');
  });

  it('two servers that send the same withdrawal concurrently pay it once', async () => {
    const { worker, id } = await asked();
    app.clock.forward({ minutes: 10 });
    await Promise.all(Array.from({ length: 4 }, () => sendWithdrawal(taskScope(worker), id)));
    expect(await walked(worker, id)).toEqual(['requested', 'processing', 'in_transit']);
    await booksAreRight(worker);
  });
});

describe('a provider that rejects it', () => {
  it('fails the withdrawal when it is certain that nothing happened', async () => {
    const { worker, id } = await asked();
    app.clock.forward({ minutes: 10 });
    const refusing: PaymentProvider = {
      ...app.provider,
      payOut: async () => {
        throw new ProviderRefusedError('not_found', 'bankRef');
      },
    };
    await sendWithdrawal(taskScope(worker, refusing), id);
    expect(await view(worker, id)).toMatchObject({ status: 'failed', failure: 'bank_rejected' });
    expect(await funds(worker)).toEqual([10_000, 0]);
    await booksAreRight(worker);
  });

  it('leaves it in progress otherwise', async () => {
    const { worker, id } = await asked();
    app.clock.forward({ minutes: 10 });
    const confused: PaymentProvider = {
      ...app.provider,
      payOut: async () => {
        throw new ProviderRefusedError('key_reused', id);
      },
    };
    await expect(sendWithdrawal(taskScope(worker, confused), id)).rejects.toThrow(ProviderRefusedError);
    expect(await funds(worker)).toEqual([7_000, 3_000]);
  });
});
