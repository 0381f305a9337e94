import { type Currency, currencies } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import zoneOf from '@photostructure/tz-lookup';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { dayEndsAt } from '../../platform/zoned-day.ts';
import { requireTreasurer } from '../cards/payers.service.ts';
import { findBusinessHolder, findWorkerHolder, type HolderFacts } from './statement-holders.sql.ts';
import { listCurrencies } from './statement-totals.sql.ts';
import type { Span } from './statements.rules.ts';
import type { Holder } from './touched.sql.ts';

/** Days `YYYY-MM-DD`, both inclusive. */
export type Days = { from?: string | undefined; to?: string | undefined };

/** Whose statement, its currency, and the zone of its days. */
export type Account = {
  holder: Holder;
  facts: HolderFacts;
  currency: Currency;
  currencies: Currency[];
  timeZone: string;
};

/**
 * A worker's statement account. Days are in the zone of their chosen home, else of their latest work, else UTC; the currency is that of
 * the latest work by default.
 * @throws Error for an unknown account
 */
export async function workerAccount(db: Db, accountId: string, asked?: Currency): Promise<Account> {
  const facts = await findWorkerHolder(db, accountId);
  if (!facts) throw new Error(`there is no account ${accountId}`);
  const home = facts.lat !== null && facts.lng !== null ? zoneOf(facts.lat, facts.lng) : null;
  return account(db, { side: 'worker', accountId }, facts, home ?? facts.time_zone ?? 'UTC', asked);
}

/**
 * A business's statement account, for its owners, managers and finance; days are in its zone.
 * @throws business/not-found, business/not-allowed
 */
export async function businessAccount(
  db: Db,
  businessId: string,
  accountId: string,
  asked?: Currency,
): Promise<Account> {
  await requireTreasurer(db, accountId, businessId);
  return openBusinessAccount(db, businessId, asked);
}

/** The same without an access check, for a signed link. @throws business/not-found */
export async function openBusinessAccount(db: Db, businessId: string, asked?: Currency): Promise<Account> {
  const facts = await findBusinessHolder(db, businessId);
  if (!facts) throw new AppError('business/not-found');
  return account(db, { side: 'business', businessId }, facts, facts.time_zone ?? 'UTC', asked);
}

async function account(
  db: Db,
  holder: Holder,
  facts: HolderFacts,
  timeZone: string,
  asked?: Currency,
): Promise<Account> {
  const used = (await listCurrencies(db, holder)).filter(isCurrency);
  const own = facts.currency !== null && isCurrency(facts.currency) ? facts.currency : null;
  // A worker may be paid in one currency and booked in another: prefer the one that has lines.
  const usual = own !== null && (holder.side === 'business' || used.length === 0 || used.includes(own));
  const currency = asked ?? (usual ? own : (used[0] ?? 'EUR'));
  return { holder, facts, currency, currencies: [...new Set([currency, ...used])], timeZone };
}

const isCurrency = (code: string): code is Currency => (currencies as readonly string[]).includes(code);

/**
 * The entries of a period in a zone as an id range: ids begin with the milliseconds of their time.
 * @throws request/invalid when it ends before it begins
 */
export function spanOf(timeZone: string, { from, to }: Days): Span {
  if (from !== undefined && to !== undefined && to < from)
    throw new AppError('request/invalid', { issues: [{ path: 'to', message: 'not before from' }] });
  return {
    from: from === undefined ? firstIdAt(0) : firstIdAt(dayBeginsAt(timeZone, from)),
    before: to === undefined ? lastId : firstIdAt(dayEnds(timeZone, to)),
  };
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lowest id at an instant. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

// Far from any entry, where calendar edges make no difference.
const isFar = (day: string) => day < '1971' || day > '9000';

/** A day begins when the previous one ends, even where the clock skips or repeats midnight. */
function dayBeginsAt(timeZone: string, day: string): number {
  if (isFar(day)) return Date.parse(`${day}T00:00:00Z`);
  return dayEnds(timeZone, new Date(Date.parse(`${day}T00:00:00Z`) - dayMs).toISOString().slice(0, 10));
}

const dayEnds = (timeZone: string, day: string): number =>
  isFar(day) ? Date.parse(`${day}T00:00:00Z`) : dayEndsAt(timeZone, day);
