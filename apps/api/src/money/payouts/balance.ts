import { type Currency, currencies } from '@nearhand/contract/currencies';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { WorkerBalance } from '@nearhand/contract/money/payouts';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { zoneAt } from '../../people/places/time-zones.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { LedgerAccount } from '../ledger/ledger.rules.ts';
import { balancesOf } from '../ledger/ledger.ts';
import { findSellerRequest } from '../seller-reports/seller-details.ts';
import { nextClearings } from './clearing.ts';
import { eraseIdentity, findHome, findPayoutIdentity, toPayoutIdentity } from './identities.ts';
import { toPayoutMethod } from './methods.ts';
import { toPayoutAccount } from './payout-accounts.ts';
import { countryOfZone, freeFrom, payoutCurrency, withdrawalTerms } from './payouts.rules.ts';
import {
  countUnderWay,
  eraseMethods,
  eraseRefusals,
  type IdentityRow,
  listMethods,
  type MethodRow,
  recentRequests,
  sumPaidSince,
} from './payouts.sql.ts';

const kinds = ['worker_available', 'worker_pending', 'worker_reserved'] as const;

/** Returns the caller's money by currency and their ways to withdraw it. Minor units. */
export async function myBalance(db: Db, scope: Scope) {
  const { config, provider, clock } = scope;
  const ownerId = scope.actor.accountId;
  const accounts: LedgerAccount[] = kinds.map((kind) => ({ kind, ownerId }));
  const [sums, clearings, methods, identity, home, recent, sellerRequest] = await Promise.all([
    balancesOf(db, accounts),
    nextClearings(db, ownerId),
    listMethods(db, ownerId),
    findPayoutIdentity(db, ownerId),
    findHome(db, ownerId),
    recentRequests(db, ownerId, subtractMs(clock.now(), dayMs)),
    findSellerRequest(db, scope, ownerId),
  ]);
  const balanceOn = (kind: (typeof kinds)[number], currency: Currency) =>
    sums.find((sum) => sum.account.kind === kind && sum.currency === currency)?.amountMinor ?? 0;
  const currencies = new Set(sums.map((sum) => sum.currency));
  const balances = inHomeOrder(currencies, homeCurrency(identity, methods)).map((currency): WorkerBalance => {
    return {
      currency,
      availableMinor: balanceOn('worker_available', currency),
      pendingMinor: balanceOn('worker_pending', currency),
      reservedMinor: balanceOn('worker_reserved', currency),
      nextClearings: clearings
        .filter((clearing) => clearing.currency === currency)
        .map(({ amountMinor, clearsAt }) => ({ amountMinor, at: clearsAt.toISOString() })),
      ...withdrawalTerms(currency, config),
    };
  });
  return {
    balances,
    identity: toPayoutIdentity(identity),
    account: toPayoutAccount(scope, identity),
    homeCountry: home ? (home.country ?? countryOfZone(zoneAt(home, null))) : null,
    sellerRequest,
    methods: methods.map(toPayoutMethod),
    rules: {
      perDay: config.WITHDRAWALS_PER_DAY,
      leftToday: Math.max(0, config.WITHDRAWALS_PER_DAY - recent.length),
      freeFrom: freeFrom(recent, config.WITHDRAWALS_PER_DAY)?.toISOString() ?? null,
      methodHoldDays: config.PAYOUT_METHOD_HOLD_DAYS,
      clearingDays: config.CLEARING_DAYS,
    },
    tokenUrl: provider.tokenUrl,
    test: provider.name === 'sandbox',
  };
}

/** The currency of the person's country, otherwise that of their first payout account; null if neither is known. */
export async function payoutCurrencyOf(db: Db, accountId: string): Promise<Currency | null> {
  const [identity, methods] = await Promise.all([
    findPayoutIdentity(db, accountId),
    listMethods(db, accountId),
  ]);
  return (identity && payoutCurrency(identity.countryCode)) ?? methods[0]?.currency ?? null;
}

const homeCurrency = (identity: IdentityRow | undefined, methods: readonly MethodRow[]): Currency =>
  (identity && payoutCurrency(identity.countryCode)) ?? methods[0]?.currency ?? 'EUR';

const inHomeOrder = (present: ReadonlySet<Currency>, home: Currency): Currency[] =>
  present.size === 0
    ? [home]
    : [home, ...currencies.filter((currency) => currency !== home)].filter((currency) =>
        present.has(currency),
      );

/** A worker's money by currency and the number of pending withdrawals. Minor units. */
export async function moneyOf(
  db: Db,
  ownerId: string,
): Promise<{ balances: { amountMinor: number; currency: Currency }[]; withdrawals: number }> {
  const sums = await balancesOf(db, [
    { kind: 'worker_available', ownerId },
    { kind: 'worker_pending', ownerId },
  ]);
  const byCurrency = new Map<Currency, number>();
  for (const { currency, amountMinor } of sums)
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + amountMinor);
  return {
    balances: [...byCurrency].flatMap(([currency, amountMinor]) =>
      amountMinor > 0 ? [{ currency, amountMinor }] : [],
    ),
    withdrawals: await countUnderWay(db, ownerId),
  };
}

const returnDays = 30;
/** Payouts that a bank may still return, by currency in minor units. */
export const moneyThatMayReturn = (db: Db, accountId: string, now: Date) =>
  sumPaidSince(db, accountId, subtractMs(now, returnDays * dayMs));

/** Removes bank accounts, payee name and refusal reasons of a removed account. */
export async function erasePayee(tx: Tx, accountId: string, at: Date): Promise<void> {
  await eraseIdentity(tx, accountId, formerMemberName);
  await eraseMethods(tx, accountId, formerMemberName, at);
  await eraseRefusals(tx, accountId);
}
