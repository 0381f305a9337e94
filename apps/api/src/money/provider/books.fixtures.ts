import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { ChargeState, PaymentProvider } from '../../platform/payment-provider.ts';
import type { Sign } from '../../platform/sign.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { auditLedger, balanceOf } from '../ledger/ledger.ts';
import { sandboxTotals } from '../sandbox/sandbox.ts';
import { readBookings } from './provider-books.ts';

export type BookFindings = string[];

type Scope = { provider: PaymentProvider; sign: Sign; clock: { now(): Date } };

/** Compares charges, payouts and the balance less payouts in transit with the provider's, and runs the auditor. */
export async function compareBooks(db: Db, scope: Scope): Promise<BookFindings> {
  return [
    ...(await compareCharges(db, scope.provider)),
    ...(await comparePayouts(db, scope.provider)),
    ...(await compareTotals(db, scope)),
    ...(await auditLedger(db, scope)).findings.map(
      ({ kind, id, detail }) => `ledger: ${kind} ${id} ${detail}`,
    ),
  ];
}

async function compareCharges(db: Db, provider: PaymentProvider): Promise<BookFindings> {
  const findings: BookFindings = [];
  for (const charge of await db.selectFrom('charges').selectAll().execute()) {
    const reported = await provider.findCharge(charge.id);
    const facts: [string, unknown, unknown][] = reported
      ? [
          ['status', charge.status, reported.status],
          ['failure', charge.failure, reported.failure],
          ['amount', charge.amountMinor, reported.amountMinor],
          ['refunded', charge.refundedMinor, reported.refundedMinor],
          ['chargebacks', await chargebacksOf(db, charge.id), inWords(reported.chargebacks)],
        ]
      : [['status', charge.status, charge.status === 'failed' ? 'failed' : 'cancelled']];
    for (const [what, here, there] of facts)
      if (here !== there) findings.push(`charge ${charge.id}: ${what} is ${here}, at the provider ${there}`);
  }
  return findings;
}

const inWords = (chargebacks: ChargeState['chargebacks']): string =>
  chargebacks.map(({ ref, status, amountMinor }) => `${ref} ${status} ${amountMinor}`).join(', ');

async function chargebacksOf(db: Db, chargeId: string): Promise<string> {
  const { rows } = await sql<ChargeState['chargebacks'][number]>`
    select ref, status, amount_minor as "amountMinor" from chargebacks
    where charge_id = ${chargeId} order by opened_at`.execute(db);
  return inWords(rows);
}

async function comparePayouts(db: Db, provider: PaymentProvider): Promise<BookFindings> {
  const findings: BookFindings = [];
  const rows = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('status', 'not in', ['requested', 'cancelled'])
    .execute();
  for (const withdrawal of rows) {
    const reported = await provider.syncPayoutByKey(withdrawal.id);
    const there = reported?.status ?? 'failed';
    // Stripe also reports `failed` for a payout that came back.
    const cameBack = withdrawal.status === 'returned' && there === 'failed';
    if (withdrawal.status !== there && !cameBack)
      findings.push(`withdrawal ${withdrawal.id}: is ${withdrawal.status}, at the provider ${there}`);
  }
  return findings;
}

/** The provider's actual and expected balances by currency. */
async function totalsOf(
  db: Db,
  scope: Scope,
): Promise<{ currency: Currency; balance: number; expected: number }[]> {
  const { books } = scope.provider;
  if (!books)
    return (await sandboxTotals(db)).map((totals) => ({ ...totals, currency: totals.currency as Currency }));
  // Its fees are in our ledger once its bookings are read.
  await readBookings({ ...scope, db } as unknown as TaskScope);
  return (await books.balances()).map(({ currency, amountMinor }) => ({
    currency,
    balance: amountMinor,
    expected: amountMinor,
  }));
}

async function compareTotals(db: Db, scope: Scope): Promise<BookFindings> {
  const findings: BookFindings = [];
  for (const { currency, balance, expected } of await totalsOf(db, scope)) {
    const underWay = await db
      .selectFrom('withdrawals')
      .select((eb) => eb.fn.sum<number | null>(eb('amountMinor', '-', eb.ref('feeMinor'))).as('minor'))
      .where('currency', '=', currency)
      .where('status', 'in', ['processing', 'in_transit'])
      .executeTakeFirst();
    const booked = -(await balanceOf(db, { kind: 'provider_clearing' }, currency));
    const expectedMinor = booked - Number(underWay?.minor ?? 0);
    if (balance !== expected) findings.push(`the provider's own ${currency} is ${balance}, not ${expected}`);
    if (expectedMinor !== balance)
      findings.push(`${currency} with the provider: booked ${expectedMinor}, there ${balance}`);
  }
  return findings;
}
