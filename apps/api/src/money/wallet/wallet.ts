import type { Currency } from '@nearhand/contract/currencies';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { BusinessClosing } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { defaultCardOf, requireCard } from '../cards/cards.ts';
import { creditDebtOf } from '../credit-limits/credit-limits.ts';
import type { MoneyScope } from '../hooks.ts';
import { accountBalance, balanceOf, balancesOf, type LedgerScope, postEntry } from '../ledger/ledger.ts';

/**
 * Picks the given choice, the balance if it covers the amount, or the default card. Members who don't see the cards
 * pay from the balance only (ADR 408). The caller checks access. Minor units.
 * @throws payment/balance-short (data: currency, and for those who see them balanceMinor, missingMinor),
 * payment/card-not-found, payment/method-missing (data: balanceMinor, missingMinor, currency)
 */
export async function chooseFunding(
  tx: Tx,
  scope: MoneyScope,
  request: {
    businessId: string;
    amountMinor: number;
    currency: Currency;
    funding?: FundingSource;
    forTip?: boolean;
  },
): Promise<FundingSource> {
  const { businessId, amountMinor, currency, funding, forTip = false } = request;
  if (funding?.from === 'card') {
    if (!(await seesMoney(tx, scope, businessId))) throw new AppError('payment/card-not-found');
    const card = await requireCard(tx, businessId, funding.cardId);
    return { from: 'card', cardId: card.id, inApp: funding.inApp };
  }
  const balanceMinor = await (forTip ? paidBalance : spendableMinor)(tx, businessId, currency);
  if (balanceMinor >= amountMinor) return { from: 'balance' };
  if (!(await seesMoney(tx, scope, businessId))) throw new AppError('payment/balance-short', { currency });
  const lack = { balanceMinor, missingMinor: amountMinor - balanceMinor, currency };
  if (funding?.from === 'balance') throw new AppError('payment/balance-short', lack);
  const card = await defaultCardOf(tx, businessId);
  if (!card) throw new AppError('payment/method-missing', lack);
  return { from: 'card', cardId: card.id };
}

/**
 * Returns whether the caller may see the balance and the saved cards of a business, and be told what is missing
 * (ADR 408). True for timers.
 */
export async function seesMoney(
  db: Db,
  { actor }: Pick<MoneyScope, 'actor'>,
  businessId: string,
): Promise<boolean> {
  return !actor || roleMay(await findRole(db, businessId, actor.accountId), 'view-money');
}

/** The balance without promotional credit. Minor units. */
export const paidBalance = (db: Db, businessId: string, currency: Currency): Promise<number> =>
  balanceOf(db, { kind: 'business_balance', ownerId: businessId }, currency);

/**
 * The money that a business can set aside for work, in minor units: promotional credit, which is spent first, on work
 * only, and never refunded (ADR 155); its balance; and the unused part of its credit limit, which only a verified
 * business may draw (ADR 397).
 */
export type Spendable = { promoMinor: number; balanceMinor: number; creditMinor: number };

/**
 * Returns a business's balance, promotional credit and, for a verified business, its credit limit. Minor
 * units.
 */
export async function spendableOf(db: Db, businessId: string, currency: Currency): Promise<Spendable> {
  const balance = (kind: string) => accountBalance(sql`${`${kind}:${businessId}:${currency}`}`);
  const { rows } = await sql<Spendable>`
    select ${balance('business_promo')} as promo_minor, ${balance('business_balance')} as balance_minor,
      case when exists (
        select from credit_limits credit join businesses business on business.id = credit.business_id
        where credit.business_id = ${businessId} and credit.ended_at is null and business.status = 'verified'
      ) then ${balance('business_credit')} else 0 end as credit_minor`.execute(db);
  return rows[0] as Spendable;
}

/** The sum of `spendableOf`. */
export async function spendableMinor(db: Db, businessId: string, currency: Currency): Promise<number> {
  const { promoMinor, balanceMinor, creditMinor } = await spendableOf(db, businessId, currency);
  return promoMinor + balanceMinor + creditMinor;
}

/** Ends the promotional credit of a closing business, which `moneyOfClosing` shows. */
export async function endPromo(
  tx: Tx,
  scope: LedgerScope,
  { id: businessId }: { id: string },
): Promise<void> {
  const balances = await balancesOf(tx, [{ kind: 'business_promo', ownerId: businessId }]);
  const credits = balances.filter(({ amountMinor }) => amountMinor > 0);
  for (const { account, currency, amountMinor } of credits)
    await postEntry(tx, scope, {
      key: `promo-ended/${businessId}/${currency}`,
      kind: 'promo_ended',
      currency,
      about: businessId,
      lines: [
        { account, amountMinor: -amountMinor },
        { account: { kind: 'platform_marketing' }, amountMinor },
      ],
    });
}

/** The money that keeps a business from closing, and the promotional credit that ends when it closes. */
export async function moneyOfClosing(
  db: Db,
  businessId: string,
): Promise<Pick<BusinessClosing, 'money' | 'credit'>> {
  const balances = await balancesOf(db, [
    { kind: 'business_balance', ownerId: businessId },
    { kind: 'business_promo', ownerId: businessId },
  ]);
  const bound = await findBoundMoney(db, businessId);
  const rowsOfKind = (kind: string) =>
    balances.filter(({ account, amountMinor }) => account.kind === kind && amountMinor !== 0);
  const available = rowsOfKind('business_balance');
  const owed = await creditDebtOf(db, businessId);
  const currencies = new Set([...available, ...bound, ...owed].map((row) => row.currency));
  return {
    // A row without an amount stands for a hold that is still being paid.
    money: [...currencies].sort().map((currency) => {
      const parts = bound.find((row) => row.currency === currency);
      return {
        currency,
        balanceMinor: available.find((row) => row.currency === currency)?.amountMinor ?? 0,
        heldMinor: parts?.held ?? 0,
        onItsWayMinor: parts?.moving ?? 0,
        owedMinor: owed.find((row) => row.currency === currency)?.amountMinor ?? 0,
      };
    }),
    credit: rowsOfKind('business_promo').map(({ amountMinor, currency }) => ({ amountMinor, currency })),
  };
}

export type WalletRow = {
  currency: Currency;
  available: number;
  promo: number;
  held: number;
  holds: number;
  planned: number;
  plans: number;
  plannedFrom: Date | null;
  waiting: number;
  paid: number;
  owed: number;
};

export const findMoneyPlace = (db: Db, businessId: string) =>
  db
    .selectFrom('businesses')
    .select(['currency', 'timeZone'])
    .where('id', '=', businessId)
    .executeTakeFirst();

/** Locks a business, so that it can't be closed during the transaction and its top-ups run in turn. */
export async function lockOpen(tx: Tx, businessId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('businesses')
    .select('status')
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status;
}

/** Top-ups since a time, without failed and cancelled ones. Minor units. */
export async function recentTopUps(
  db: Db,
  businessId: string,
  since: Date,
): Promise<{ amountMinor: number; currency: Currency; createdAt: Date }[]> {
  return db
    .selectFrom('charges')
    .select(['amountMinor', 'currency', 'createdAt'])
    .where('businessId', '=', businessId)
    .where('createdAt', '>', since)
    .where('purpose', '=', 'top_up')
    .where('status', 'not in', ['failed', 'cancelled'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

async function findBoundMoney(
  db: Db,
  businessId: string,
): Promise<{ currency: Currency; held: number; moving: number }[]> {
  const { rows } = await sql<{ currency: Currency; held: number; moving: number }>`
    with parts (currency, held, moving) as (
      select hold.currency, coalesce(paid.balance, 0) + coalesce(promo.balance, 0), 0
        from holds hold
        left join ledger_accounts paid on paid.id = 'hold:' || hold.id || ':' || hold.currency
        left join ledger_accounts promo on promo.id = 'hold_promo:' || hold.id || ':' || hold.currency
        where hold.business_id = ${businessId} and hold.status in ('authorising', 'held', 'partly_released', 'disputed')
      union all
      select currency, 0, amount_minor from charges where business_id = ${businessId}
        and (status in ('created', 'processing', 'requires_action') or chargeback = 'open')
      union all
      select currency, 0, amount_minor from card_refunds where business_id = ${businessId} and status = 'created'
    )
    select currency, sum(held)::bigint as held, sum(moving)::bigint as moving from parts group by currency`.execute(
    db,
  );
  return rows;
}

/** One statement; pay since `paidFrom` includes tips and excludes fees. Minor units. */
export async function walletRows(db: Db, businessId: string, paidFrom: Date): Promise<WalletRow[]> {
  const { rows } = await sql<WalletRow>`
    with parts (currency, available, promo, held, holds, waiting, paid, owed, planned, planned_from) as (
      select right(part.id, 3), part.amount, case when account.kind = 'business_promo' then part.amount else 0 end, 0, 0, 0, 0, 0, 0, null::timestamptz
        from (values ('business_balance'), ('business_promo')) account (kind)
        cross join lateral (
          select id, balance as amount from ledger_accounts
            where id > account.kind || ':' || ${businessId}::text || ':' and id < account.kind || ':' || ${businessId}::text || ';'
          union all
          select account_id, amount from ledger_deferred
            where account_id > account.kind || ':' || ${businessId}::text || ':'
              and account_id < account.kind || ':' || ${businessId}::text || ';'
        ) part
      union all
      select hold.currency, 0, 0, coalesce(paid.balance, 0) + coalesce(promo.balance, 0), case when plan.is_open then 0 else 1 end,
          0, 0, 0, case when plan.is_open then hold.pay_minor + hold.fee_minor else 0 end,
          case when plan.is_open then hold.fund_at end
        from holds hold
        left join ledger_accounts paid on paid.id = 'hold:' || hold.id || ':' || hold.currency
        left join ledger_accounts promo on promo.id = 'hold_promo:' || hold.id || ':' || hold.currency
        cross join lateral (select hold.status in ('created', 'authorising') and hold.fund_at is not null as is_open) plan
        where hold.business_id = ${businessId}
          and hold.status in ('created', 'authorising', 'held', 'partly_released', 'disputed')
          and (plan.is_open or coalesce(paid.balance, 0) + coalesce(promo.balance, 0) > 0)
      union all
      select engagement.terms ->> 'currency', 0, 0, 0, 0, engagement.amount_minor, 0, 0, 0, null
        from engagements engagement
        where engagement.business_id = ${businessId} and engagement.status in ('submitted', 'delivered')
      union all
      select release.currency, 0, 0, 0, 0, 0, release.amount_minor, 0, 0, null
        from releases release join engagements engagement on engagement.id = release.engagement_id
        where engagement.business_id = ${businessId} and release.state = 'released' and release.released_at >= ${paidFrom}
      union all
      select tip.currency, 0, 0, 0, 0, 0, tip.amount_minor, 0, 0, null
        from tips tip where tip.business_id = ${businessId} and tip.status = 'paid' and tip.at >= ${paidFrom}
      union all
      select release.currency, 0, 0, 0, 0, 0, 0, release.amount_minor, 0, null
        from releases release join engagements engagement on engagement.id = release.engagement_id
        where engagement.business_id = ${businessId} and release.state = 'not_funded'
    )
    select currency, sum(available)::bigint as available, sum(promo)::bigint as promo, sum(held)::bigint as held,
      sum(holds)::bigint as holds, sum(planned)::bigint as planned, count(planned_from)::int as plans, min(planned_from) as planned_from,
      sum(waiting)::bigint as waiting, sum(paid)::bigint as paid, sum(owed)::bigint as owed
    from parts where currency is not null group by currency order by currency`.execute(db);
  return rows;
}
