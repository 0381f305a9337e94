import type { Currency } from '@nearhand/contract/currencies';
import { hourMs, subtractMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { recordAudit } from '../../platform/audits.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { ProviderBooking } from '../../platform/payment-provider.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { balanceOf, type LedgerScope, postEntry } from '../ledger/ledger.ts';
import { findReturned } from '../payouts/payout-reconciliation.ts';
import { findCursor, updateCursor } from './webhooks.ts';

/**
 * Stores the provider's bookings since the last run, and posts its fees and the company's own money there,
 * which no other record has. Everything else is posted when it happens.
 * @returns the number of new bookings
 */
export async function readBookings(scope: TaskScope): Promise<number> {
  const { db, clock, provider } = scope;
  const { books } = provider;
  if (!books) return 0;
  const name = `${provider.name}/books`;
  let added = 0;
  for (;;) {
    const { bookings, cursor } = await books.list(await findCursor(db, name));
    if (cursor === null || cursor === (await findCursor(db, name))) return added;
    await inTransaction(db, async (tx) => {
      for (const booking of bookings) if (await storeBooking(tx, scope, booking)) added += 1;
      await updateCursor(tx, name, cursor, clock.now());
    });
  }
}

async function storeBooking(tx: Tx, scope: LedgerScope, booking: ProviderBooking): Promise<boolean> {
  const { ref, kind, amountMinor, feeMinor, currency } = booking;
  const inserted = await tx
    .insertInto('provider_bookings')
    .values({ ...booking, at: new Date(booking.at) })
    .onConflict((conflict) => conflict.column('ref').doNothing())
    .returning('ref')
    .executeTakeFirst();
  if (!inserted) return false;
  if (feeMinor !== 0)
    await postEntry(tx, scope, {
      key: `provider-fee/${ref}`,
      kind: 'provider_fee',
      currency,
      about: null,
      lines: [
        { account: { kind: 'provider_clearing' }, amountMinor: feeMinor },
        { account: { kind: 'provider_fees' }, amountMinor: -feeMinor },
      ],
    });
  if (kind === 'own' && amountMinor !== 0)
    await postEntry(tx, scope, {
      key: `provider-funds/${ref}`,
      kind: 'provider_funds',
      currency,
      about: null,
      lines: [
        { account: { kind: 'provider_clearing' }, amountMinor: -amountMinor },
        { account: { kind: 'provider_funds' }, amountMinor },
      ],
    });
  return true;
}

type Line = {
  kind: ProviderBooking['kind'];
  about: string | null;
  currency: Currency;
  ours: number;
  theirs: number;
  isRecent: boolean;
};

/** Later changes may not have reached both sides yet. */
const recentMs = hourMs;

/** Charges, refunds, chargebacks and payouts whose sum with us is not the provider's. Minor units, signed as for the platform. */
async function listDifferences(db: Db, now: Date): Promise<Line[]> {
  const since = subtractMs(now, recentMs);
  const { rows } = await sql<Line>`
    with theirs as (
      select kind, about, currency, sum(amount_minor)::bigint as amount, max(at) as at from provider_bookings
      where kind in ('charge', 'refund', 'chargeback', 'payout') group by kind, about, currency
    ), ours as (
      select 'charge' as kind, provider_ref as about, currency, amount_minor as amount, updated_at as at from charges
        where status = 'succeeded'
      union all
      select 'refund', provider_ref, currency, -refunded_minor, updated_at from charges where refunded_minor > 0
      union all
      select 'chargeback', charge.provider_ref, charge.currency, -sum(chargeback.amount_minor)::bigint, max(charge.updated_at)
        from chargebacks chargeback join charges charge on charge.id = chargeback.charge_id
        where chargeback.status in ('open', 'lost') group by charge.provider_ref, charge.currency
      union all
      select 'payout', id::text, currency, fee_minor - amount_minor, updated_at from withdrawals
        where status in ('processing', 'in_transit', 'paid') and provider_ref is not null
    )
    select coalesce(theirs.kind, ours.kind) as kind, coalesce(theirs.about, ours.about) as about,
      coalesce(theirs.currency, ours.currency) as currency,
      coalesce(ours.amount, 0)::bigint as ours, coalesce(theirs.amount, 0)::bigint as theirs,
      greatest(theirs.at, ours.at) > ${since} as is_recent
    from theirs full join ours
      on theirs.kind = ours.kind and theirs.currency = ours.currency and theirs.about is not distinct from ours.about
    where coalesce(ours.amount, 0) <> coalesce(theirs.amount, 0)
    order by 1, 2, 3`.execute(db);
  return rows;
}

async function sumBookings(db: Db, currency: Currency): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount_minor - fee_minor), 0)::bigint as sum from provider_bookings
    where currency = ${currency}`.execute(db);
  return rows[0]?.sum ?? 0;
}

/** The provider's balance by our ledger, less payouts on their way to workers. */
async function bookedWith(db: Db, currency: Currency): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(amount_minor - fee_minor), 0)::bigint as sum from withdrawals
    where currency = ${currency} and status in ('processing', 'in_transit') and provider_ref is not null`.execute(
    db,
  );
  return -(await balanceOf(db, { kind: 'provider_clearing' }, currency)) - (rows[0]?.sum ?? 0);
}

/**
 * Compares our books with the provider's, line by line and in sum. Nothing is fixed.
 * @returns a sentence for each difference, and how many bookings were compared
 */
export async function compareWithProvider(
  scope: TaskScope,
): Promise<{ checked: number; findings: string[] }> {
  const { db, clock, provider } = scope;
  if (!provider.books) return { checked: 0, findings: [] };
  let balances: { currency: Currency; amountMinor: number }[] = [];
  // While money moves, the balance and the bookings belong to different moments.
  for (let times = 0; times < 5; times += 1) {
    await readBookings(scope);
    balances = await provider.books.balances();
    if ((await readBookings(scope)) === 0) break;
  }
  const lines = await listDifferences(db, clock.now());
  const findings = lines
    .filter(({ isRecent }) => !isRecent)
    .map(
      ({ kind, about, currency, ours, theirs }) =>
        `${kind} ${about ?? 'of nothing of ours'}: ${currency} ${ours} in our books, ${theirs} at the provider`,
    );
  for (const { currency, amountMinor } of balances) {
    const providerTotals = await sumBookings(db, currency);
    const ledgerTotals = await bookedWith(db, currency);
    const bookedMinor = lines
      .filter((line) => line.currency === currency)
      .reduce((sum, line) => sum + line.ours - line.theirs, 0);
    if (providerTotals !== amountMinor)
      findings.push(`${currency}: the provider has ${amountMinor}, its bookings sum to ${providerTotals}`);
    if (ledgerTotals - providerTotals !== bookedMinor)
      findings.push(
        `${currency}: ${ledgerTotals} in our ledger, ${providerTotals} at the provider, ${bookedMinor} of it in lines`,
      );
  }
  const { count } = await db
    .selectFrom('provider_bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { checked: count, findings };
}

/** The daily check of the provider's books, for operators and as a metric. */
export async function auditProvider(scope: TaskScope): Promise<void> {
  if (!scope.provider.books) return;
  await findReturned(scope);
  const { checked, findings } = await compareWithProvider(scope);
  for (const finding of findings) scope.log.error(`books of the payment provider: ${finding}`);
  await recordAudit(scope.db, {
    name: 'provider',
    at: scope.clock.now(),
    checked,
    findings: findings.length,
    first: findings,
  });
}
