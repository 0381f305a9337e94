import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { drawCredit, repaySoon } from '../credit-limits/credit-limits.ts';
import type { MoneyScope } from '../hooks.ts';
import type { EntryLine, LedgerAccount } from '../ledger/ledger.rules.ts';
import {
  balancesOf,
  LedgerShortError,
  type NewEntry,
  type PostedEntry,
  postEntry,
} from '../ledger/ledger.ts';
import { paidBalance, seesMoney, spendableMinor, spendableOf } from '../wallet/wallet.ts';
import type { HoldRow } from './holds.sql.ts';

export const holdAccount = (holdId: string) => ({ kind: 'hold' as const, ownerId: holdId });
export const balanceAccount = (businessId: string) => ({
  kind: 'business_balance' as const,
  ownerId: businessId,
});

/** Promotional credit has its own account, to return to where it came from (ADR 155). */
const holdPromo = (holdId: string) => ({ kind: 'hold_promo' as const, ownerId: holdId });
const businessPromo = (businessId: string) => ({ kind: 'business_promo' as const, ownerId: businessId });

async function holdContent(
  db: Db,
  row: Pick<HoldRow, 'id' | 'currency'>,
): Promise<{ realMinor: number; promoMinor: number }> {
  const balances = await balancesOf(db, [holdAccount(row.id), holdPromo(row.id)]);
  const sum = (kind: LedgerAccount['kind']) =>
    balances.find(({ account, currency }) => account.kind === kind && currency === row.currency)
      ?.amountMinor ?? 0;
  return { realMinor: sum('hold'), promoMinor: sum('hold_promo') };
}

/** Real and promotional money left in a hold. Minor units. */
export async function remainingOf(db: Db, row: Pick<HoldRow, 'id' | 'currency'>): Promise<number> {
  const { realMinor, promoMinor } = await holdContent(db, row);
  return realMinor + promoMinor;
}

const isMoved = ({ amountMinor }: EntryLine): boolean => amountMinor !== 0;

/** The lines that take an amount out of a hold, promotional credit first. Minor units. */
export async function linesFromHold(
  tx: Tx,
  row: Pick<HoldRow, 'id' | 'currency'>,
  amountMinor: number,
): Promise<EntryLine[]> {
  const promoMinor = Math.min(amountMinor, (await holdContent(tx, row)).promoMinor);
  return [
    { account: holdAccount(row.id), amountMinor: promoMinor - amountMinor },
    { account: holdPromo(row.id), amountMinor: -promoMinor },
  ].filter(isMoved);
}

/** The lines that return holds of one business: credit to its credit, money to its balance. */
export async function linesToReturn(tx: Tx, rows: readonly HoldRow[]): Promise<EntryLine[]> {
  const [first] = rows;
  if (!first) return [];
  const contents = [];
  for (const row of rows) contents.push({ row, ...(await holdContent(tx, row)) });
  const realMinor = sumOf(contents, (content) => content.realMinor);
  const promoMinor = sumOf(contents, (content) => content.promoMinor);
  return [
    ...contents.map((content) => ({ account: holdAccount(content.row.id), amountMinor: -content.realMinor })),
    ...contents.map((content) => ({ account: holdPromo(content.row.id), amountMinor: -content.promoMinor })),
    { account: balanceAccount(first.businessId), amountMinor: realMinor },
    { account: businessPromo(first.businessId), amountMinor: promoMinor },
  ].filter(isMoved);
}

/** Posts an entry. Returns null, with the transaction intact, if the balance does not cover it. */
export const tryEntry = (tx: Tx, scope: MoneyScope, entry: NewEntry): Promise<PostedEntry | null> =>
  inSavepoint(tx, isShort, () => postEntry(tx, scope, entry));

const isShort = (error: unknown): boolean => error instanceof LedgerShortError;

/** Runs work in a savepoint; returns null, with nothing written, on a payment error. Rethrows other errors. */
export const tryHold = <Result>(tx: Tx, work: () => Promise<Result>): Promise<Result | null> =>
  inSavepoint(tx, (error) => error instanceof AppError && error.code.startsWith('payment/'), work);

/** Releases the savepoint after a rollback too, since nested attempts share its name. */
async function inSavepoint<Result>(
  tx: Tx,
  isExpected: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result | null> {
  await sql`savepoint attempt`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint attempt`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(tx);
    await sql`release savepoint attempt`.execute(tx);
    if (!isExpected(error)) throw error;
    return null;
  }
}

/** @throws payment/balance-short (data: missingMinor for those who see the balance, currency) */
export async function refuseShort(
  tx: Tx,
  scope: MoneyScope,
  request: { businessId: string; amountMinor: number; currency: Currency; forTip?: boolean },
): Promise<never> {
  const { businessId, currency } = request;
  const balanceMinor = await (request.forTip ? paidBalance : spendableMinor)(tx, businessId, currency);
  // A concurrent transaction may have spent the money and be about to return it.
  const missingMinor = Math.max(1, request.amountMinor - balanceMinor);
  throw new AppError(
    'payment/balance-short',
    (await seesMoney(tx, scope, businessId)) ? { missingMinor, currency } : { currency },
  );
}

/** Posts a charge to a hold, keyed by the charge so that it posts once. */
export async function fundFromCharge(
  tx: Tx,
  scope: MoneyScope,
  row: HoldRow,
  charge: { id: string; amountMinor: number },
): Promise<void> {
  await postEntry(tx, scope, {
    key: `fund/${charge.id}`,
    kind: 'fund',
    currency: row.currency,
    about: row.id,
    lines: [
      { account: { kind: 'provider_clearing' }, amountMinor: -charge.amountMinor },
      { account: holdAccount(row.id), amountMinor: charge.amountMinor },
    ],
  });
}

/** Adds balance to a hold; returns false if the balance does not cover it. The caller updates `added_minor`. */
export async function addFromBalance(
  tx: Tx,
  scope: MoneyScope,
  row: HoldRow,
  amountMinor: number,
): Promise<boolean> {
  return fundFromBalance(tx, scope, {
    key: `fund/${row.id}/${row.version}`,
    businessId: row.businessId,
    currency: row.currency,
    about: row.id,
    holds: [{ id: row.id, amountMinor }],
  });
}

/**
 * Moves money into holds in one entry: promotional credit first, then the balance. A balance that is too low draws on
 * the credit limit. Returns false if they do not cover it.
 */
export async function fundFromBalance(
  tx: Tx,
  scope: MoneyScope,
  funding: {
    key: string;
    businessId: string;
    currency: Currency;
    about: string;
    holds: readonly { id: string; amountMinor: number }[];
  },
): Promise<boolean> {
  const { key, businessId, currency, about, holds } = funding;
  const amountMinor = sumOf(holds, (hold) => hold.amountMinor);
  let refusedMinor = { promo: -1, drawn: -1 };
  while (true) {
    const spendable = await spendableOf(tx, businessId, currency);
    const promoMinor = Math.min(amountMinor, spendable.promoMinor);
    const missingMinor = Math.max(0, amountMinor - promoMinor - spendable.balanceMinor);
    const drawnMinor = missingMinor <= spendable.creditMinor ? missingMinor : 0;
    // Retries only if a concurrent transaction spent or returned money in between.
    if (refusedMinor.promo === promoMinor && refusedMinor.drawn === drawnMinor) return false;
    refusedMinor = { promo: promoMinor, drawn: drawnMinor };
    let leftMinor = promoMinor;
    const lines: EntryLine[] = [
      { account: balanceAccount(businessId), amountMinor: promoMinor - amountMinor },
      { account: businessPromo(businessId), amountMinor: -promoMinor },
    ];
    for (const hold of holds) {
      const fromPromo = Math.min(leftMinor, hold.amountMinor);
      leftMinor -= fromPromo;
      lines.push({ account: holdAccount(hold.id), amountMinor: hold.amountMinor - fromPromo });
      lines.push({ account: holdPromo(hold.id), amountMinor: fromPromo });
    }
    const entry = { key, kind: 'fund' as const, currency, about, lines: lines.filter(isMoved) };
    const isPosted = await inSavepoint(tx, isShort, async () => {
      if (drawnMinor > 0) {
        await drawCredit(tx, scope, { key, businessId, currency, about, amountMinor: drawnMinor });
        crashPoint('fund/drawn');
      }
      return postEntry(tx, scope, entry);
    });
    if (isPosted) return true;
  }
}

/**
 * Returns the rest of a hold to the business balance; the caller moves the hold.
 * @returns minor units
 */
export async function returnRest(tx: Tx, scope: MoneyScope, row: HoldRow): Promise<number> {
  const restMinor = await remainingOf(tx, row);
  if (restMinor === 0) return 0;
  await postEntry(tx, scope, {
    // The version makes the key unique, so a refilled hold can be emptied again.
    key: `return/${row.id}/${row.version}`,
    kind: 'hold_returned',
    currency: row.currency,
    about: row.id,
    lines: await linesToReturn(tx, [row]),
  });
  await repaySoon(tx, row.businessId);
  return restMinor;
}

/** Returns a part of a hold to the business, money before credit. The caller updates the hold. Minor units. */
export async function returnPart(
  tx: Tx,
  scope: Pick<MoneyScope, 'clock' | 'sign'>,
  row: HoldRow,
  amountMinor: number,
): Promise<void> {
  const { realMinor, promoMinor } = await holdContent(tx, row);
  const fromReal = Math.min(amountMinor, realMinor);
  const fromPromo = Math.min(amountMinor - fromReal, promoMinor);
  if (fromReal + fromPromo === 0) return;
  await postEntry(tx, scope, {
    key: `return/${row.id}/${row.version}`,
    kind: 'hold_returned',
    currency: row.currency,
    about: row.id,
    lines: [
      { account: holdAccount(row.id), amountMinor: -fromReal },
      { account: holdPromo(row.id), amountMinor: -fromPromo },
      { account: balanceAccount(row.businessId), amountMinor: fromReal },
      { account: businessPromo(row.businessId), amountMinor: fromPromo },
    ].filter(isMoved),
  });
  await repaySoon(tx, row.businessId);
}
