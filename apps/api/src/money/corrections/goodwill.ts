import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { GoodwillPayment, GoodwillQuote, GoodwillRecipient } from '@nearhand/contract/money/corrections';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { fromReferenceMinor, referenceMinor } from '@nearhand/contract/money/reference-rates';
import { sql } from 'kysely';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { membersWho } from '../../people/businesses/businesses.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { postEntry } from '../ledger/ledger.ts';
import { payoutCurrencyOf } from '../payouts/balance.ts';

type QuoteScope = ClockScope & { config: Pick<Config, 'GOODWILL_ALONE_MINOR'> };

/**
 * Returns the amount that one operator may still give a recipient alone, and the most in one payment. Payments in all
 * currencies count.
 * The caller checks access.
 * @throws search/not-found for a disabled account or one that is removed or about to be, and a closed or
 * suspended business
 */
export async function quoteGoodwill(
  db: Db,
  { clock, config }: QuoteScope,
  to: GoodwillRecipient,
): Promise<GoodwillQuote> {
  const currency = await currencyOf(db, to);
  const since = subtractMs(clock.now(), moneyLimits.goodwillDays * dayMs);
  const { rows } = await sql<{ amountMinor: number; currency: Currency }>`
    select sum(amount_minor)::int8 as amount_minor, currency from goodwill_payments
    where ${ofRecipient(to)} and approved_by is null and at > ${since} group by currency`.execute(db);
  const paidEuroMinor = sumOf(rows, (paid) => referenceMinor(Number(paid.amountMinor), paid.currency));
  const leftEuroMinor = Math.max(0, config.GOODWILL_ALONE_MINOR - paidEuroMinor);
  const maxMinor = fromReferenceMinor(moneyLimits.goodwillMaxMinor, currency);
  return { currency, aloneMinor: Math.min(fromReferenceMinor(leftEuroMinor, currency), maxMinor), maxMinor };
}

/** Returns the last payments of goodwill to someone, newest first. The caller checks access. */
export async function goodwillPaid(db: Db, to: GoodwillRecipient): Promise<GoodwillPayment[]> {
  const { rows } = await sql<Omit<GoodwillPayment, 'at'> & { at: Date }>`
    select payment.id, payment.amount_minor, payment.currency, payment.reason, payment.at, payer.name as paid_by,
      approver.name as approved_by
    from goodwill_payments payment join accounts payer on payer.id = payment.paid_by
    left join accounts approver on approver.id = payment.approved_by
    where ${ofRecipient(to)} order by payment.at desc, payment.id desc limit ${moneyLimits.goodwillShown}`.execute(
    db,
  );
  return rows.map((payment) => ({ ...payment, at: payment.at.toISOString() }));
}

const ofRecipient = ({ kind, id }: GoodwillRecipient) =>
  kind === 'person' ? sql`account_id = ${id}` : sql`business_id = ${id}`;

async function currencyOf(db: Db, { kind, id }: GoodwillRecipient): Promise<Currency> {
  const { rows } =
    kind === 'person'
      ? await sql<{ currency: Currency | null }>`select null as currency from accounts
          where id = ${id} and disabled_at is null and email_verified and not ${isLeavingOrGone(sql`accounts.id`)}`.execute(
          db,
        )
      : await sql<{ currency: Currency | null }>`select currency from businesses
          where id = ${id} and status not in ('closed', 'suspended')`.execute(db);
  if (!rows[0]) throw new AppError('search/not-found');
  return rows[0].currency ?? (await payoutCurrencyOf(db, id)) ?? 'EUR';
}

/** Locks a recipient, so that two operators can't both use the same remainder of the limit. */
export async function lockRecipient(tx: Tx, { kind, id }: GoodwillRecipient): Promise<void> {
  const table = kind === 'person' ? sql`accounts` : sql`businesses`;
  await sql`select from ${table} where id = ${id} for no key update`.execute(tx);
}

type Goodwill = {
  id: string;
  to: GoodwillRecipient;
  amountMinor: number;
  currency: Currency;
  reason: string;
  paidBy: string;
  approvedBy: string | null;
};

/**
 * Pays goodwill at the platform's cost: to a person's balance, or as a business's credit for hires. The
 * caller checks the limit.
 * @param goodwill.id one per payment
 * @throws search/not-found
 */
export async function payGoodwill(tx: Tx, scope: Scope, goodwill: Goodwill): Promise<void> {
  const { id, to, amountMinor, reason } = goodwill;
  const currency = await currencyOf(tx, to);
  if (currency !== goodwill.currency)
    throw new AppError('request/invalid', {
      issues: [{ path: 'currency', message: "not the recipient's currency" }],
    });
  const isBusiness = to.kind === 'business';
  const { entryId } = await postEntry(tx, scope, {
    key: `goodwill/${id}`,
    kind: 'goodwill',
    currency,
    about: id,
    lines: [
      { account: { kind: 'platform_losses' }, amountMinor: -amountMinor },
      { account: { kind: isBusiness ? 'business_promo' : 'worker_available', ownerId: to.id }, amountMinor },
    ],
  });
  await tx
    .insertInto('goodwill_payments')
    .values({
      id,
      accountId: isBusiness ? null : to.id,
      businessId: isBusiness ? to.id : null,
      amountMinor,
      currency,
      reason,
      paidBy: goodwill.paidBy,
      approvedBy: goodwill.approvedBy,
      entryId,
      at: scope.clock.now(),
    })
    .execute();
  const readers = isBusiness ? await membersWho(tx, to.id, 'money') : [to.id];
  await notifyAll(
    tx,
    scope,
    readers.map((accountId) => ({
      accountId,
      topic: 'goodwill-paid' as const,
      data: {
        amountMinor,
        currency,
        reason,
        variant: isBusiness ? ('credit' as const) : ('balance' as const),
      },
      path: isBusiness ? '/merchant-transaction' : '/withdraw',
      dedupeKey: `goodwill-paid/${id}`,
    })),
  );
}

/** Removes a former member's name from the reasons of goodwill. */
export async function eraseGoodwill(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update goodwill_payments set reason = ${withoutWords('reason', member)}
    where account_id = ${member.accountId} or business_id in
      (select business_id from business_members where account_id = ${member.accountId})`.execute(tx);
}
