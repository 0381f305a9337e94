import type { Currency } from '@nearhand/contract/currencies';
import type { PayoutMethod } from '@nearhand/contract/money/payouts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { auditLedger, balanceOf, postEntry } from '../ledger/ledger.ts';
import { bankToken, cardToken } from '../sandbox/sandbox.fixtures.ts';
import { sandboxTotals } from '../sandbox/sandbox.ts';
import { creditOf, scheduleClearing } from './clearing.ts';
import { addMethod, saveBank } from './methods.ts';

/** Pays a worker from a charged card, so that the provider's books match ours. Minor units. */
export async function payWorker(
  db: Db,
  scope: Scope,
  workerId: string,
  amountMinor: number,
  options: { currency?: Currency; atOnce?: true } = {},
): Promise<string> {
  const currency = options.currency ?? 'EUR';
  const id = newId(scope.clock.now());
  const token = await cardToken(scope.provider);
  const card = await scope.provider.saveCard({ key: `card/${id}`, token, ownerId: workerId });
  if ('failure' in card) throw new Error(card.failure);
  const charge = await scope.provider.charge({
    key: `charge/${id}`,
    cardRef: card.ref,
    amountMinor,
    currency,
    description: 'Work',
    returnUrl: `${scope.config.PUBLIC_URL}/`,
  });
  if (charge.status !== 'succeeded') throw new Error(`the charge is ${charge.status}`);
  await db.transaction().execute(async (tx) => {
    const credit = options.atOnce
      ? ({ account: 'worker_available', clearsAt: null } as const)
      : await creditOf(tx, scope, workerId);
    await postEntry(tx, scope, {
      key: `release/${id}`,
      kind: 'release',
      currency,
      about: id,
      lines: [
        { account: { kind: 'provider_clearing' }, amountMinor: -amountMinor },
        { account: { kind: credit.account, ownerId: workerId }, amountMinor },
      ],
    });
    await scheduleClearing(tx, scope, { id, workerId, amountMinor, currency, clearsAt: credit.clearsAt });
  });
  return id;
}

export async function makeBank(db: Db, scope: Scope, iban?: string): Promise<PayoutMethod> {
  const input = { token: await bankToken(scope.provider, iban) };
  const bank = await saveBank(scope, input, db);
  return db.transaction().execute((tx) => addMethod(tx, scope, input, bank));
}

/** The ledger is consistent, and its provider balance is the provider's less payouts in transit. */
export async function bookFaults(db: Db, scope: Pick<Scope, 'clock' | 'sign'>): Promise<string[]> {
  const { findings } = await auditLedger(db, scope);
  const faults = findings.map(({ kind, id, detail }) => `${kind} ${id} ${detail}`);
  for (const { currency, balance, expected } of await sandboxTotals(db)) {
    const code = currency as Currency;
    const booked = -(await balanceOf(db, { kind: 'provider_clearing' }, code));
    const sent = await db
      .selectFrom('withdrawals')
      .select((eb) => eb.fn.sum<number>(eb('amountMinor', '-', eb.ref('feeMinor'))).as('minor'))
      .where('currency', '=', code)
      .where('status', 'in', ['processing', 'in_transit'])
      .where('providerRef', 'is not', null)
      .executeTakeFirst();
    if (balance !== expected) faults.push(`the provider has ${balance} ${code} and should have ${expected}`);
    if (booked - Number(sent?.minor ?? 0) !== balance)
      faults.push(`we book ${booked} ${code}, ${sent?.minor ?? 0} of it sent; the provider has ${balance}`);
  }
  return faults;
}
