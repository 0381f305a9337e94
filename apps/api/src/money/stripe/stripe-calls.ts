import { createHash } from 'node:crypto';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import Stripe from 'stripe';
import type { Clock } from '../../platform/clock.ts';
import type { StripeMethod } from '../../platform/config/config-payments.ts';
import type { Db } from '../../platform/db.ts';
import type { Log } from '../../platform/log.ts';
import { isPlain, ProviderRefusedError } from '../../platform/payment-provider.ts';

export type StripeParts = {
  /** Never the caller's transaction: what Stripe did stays recorded even if the caller rolls back. */
  db: Db;
  clock: Clock;
  log: Log;
  client: Stripe;
  /** One secret for each destination, and the old secrets while they are replaced. */
  webhookSecrets: readonly string[];
  /** True for a live key, which moves real money; events of the other mode are refused. */
  isLive: boolean;
  publicUrl: string;
  /** The currencies in which the platform's account settles, so that nothing is converted. */
  currencies: readonly Currency[];
  countries: readonly string[];
  /** The bank methods that businesses may pay with, next to cards. */
  methods: readonly StripeMethod[];
};

/** @throws ProviderRefusedError for a currency that Stripe would convert */
export function requireCurrency({ currencies }: StripeParts, currency: Currency): void {
  if (!currencies.includes(currency))
    throw new ProviderRefusedError('invalid', `${currency} is not among STRIPE_CURRENCIES`);
}

/** The name of our key in the metadata of objects that we create. */
export const keyName = 'nearhand_key';

export type Call = {
  key: string;
  attempt: number;
  /** The object created under the key; null while unknown. */
  ref: string | null;
  /** True if an earlier call may have created it, so it is looked up first. */
  isRepeat: boolean;
};

type NewCall = { key: string; operation: string; content: readonly unknown[]; place?: string | null };

/** Stripe forgets keys after a day; an hour less allows for clocks and slow calls. */
const rememberedMs = dayMs - hourMs;
const skewMs = hourMs;

/** The time in one of our ids (UUIDv7): when the request with this key was made. */
function bornAt(key: string): Date | null {
  const hex = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(key);
  return hex ? new Date(Number.parseInt(`${hex[1]}${hex[2]}`, 16)) : null;
}

/** The time before which nothing can have been made under a key; null if the key contains no time. */
export function notBeforeOf(key: string): Date | null {
  const born = bornAt(key);
  return born && subtractMs(born, skewMs);
}

const contentHash = (operation: string, content: readonly unknown[]): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([operation, ...content]))
    .digest();

/**
 * Records a key before the call, or returns what is known of it. Never in a transaction, so the row stays.
 * @throws ProviderRefusedError `key_reused` for other content
 */
export async function beginCall(
  { db, clock }: Pick<StripeParts, 'db' | 'clock'>,
  { key, operation, content, place = null }: NewCall,
): Promise<Call> {
  if (!isPlain(key)) throw new ProviderRefusedError('invalid', 'key: 1 to 255 characters');
  const born = bornAt(key);
  const now = clock.now();
  const hash = contentHash(operation, content);
  const inserted = await db
    .insertInto('stripe_calls')
    .values({ key, operation, content: hash, place, at: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  if (inserted) {
    // After a restored backup Stripe may know a key that we don't, and after a day Stripe forgets it too.
    const isRepeat = born === null || now.getTime() - born.getTime() > rememberedMs;
    return { key, attempt: 1, ref: null, isRepeat };
  }
  const row = await findCall(db, key);
  if (!row) throw new Error(`the call ${key} was refused at the same moment`);
  if (row.operation !== operation || !hash.equals(row.content))
    throw new ProviderRefusedError('key_reused', `the key was used for another ${row.operation}`);
  return { key, attempt: row.attempt, ref: row.ref, isRepeat: true };
}

export const findCall = async (db: Db, key: string) =>
  isPlain(key)
    ? db.selectFrom('stripe_calls').selectAll().where('key', '=', key).executeTakeFirst()
    : undefined;

/** The key of what was made, such as `account/{ownerId}`. */
export async function findKeyOf(db: Db, operation: string, ref: string): Promise<string | null> {
  if (!isPlain(ref)) return null;
  const row = await db
    .selectFrom('stripe_calls')
    .select('key')
    .where('ref', '=', ref)
    .where('operation', '=', operation)
    .executeTakeFirst();
  return row?.key ?? null;
}

export async function endCall({ db }: Pick<StripeParts, 'db'>, key: string, ref: string): Promise<void> {
  await db.updateTable('stripe_calls').set({ ref }).where('key', '=', key).execute();
}

/** Frees the key of a call that created nothing at Stripe. */
async function dropCall({ db }: Pick<StripeParts, 'db'>, key: string): Promise<void> {
  await db.deleteFrom('stripe_calls').where('key', '=', key).where('ref', 'is', null).execute();
}

/**
 * Moves on to a new key, since Stripe keeps its refusal under this one. Of two concurrent calls, only the
 * first moves on.
 */
export async function nextAttempt({ db }: Pick<StripeParts, 'db'>, call: Call): Promise<void> {
  await db
    .updateTable('stripe_calls')
    .set({ attempt: call.attempt + 1 })
    .where('key', '=', call.key)
    .where('attempt', '=', call.attempt)
    .execute();
}

/** The idempotency key at Stripe: the same for a retry, another for a new attempt after a refusal. */
export const stripeKey = ({ key, attempt }: Pick<Call, 'key' | 'attempt'>, part = ''): string =>
  `nearhand/${key}${part && `/${part}`}${attempt > 1 ? `/${attempt}` : ''}`;

export const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError;

/** Returns whether Stripe doesn't know the object. */
export const isNotFound = (error: unknown): boolean =>
  isStripeError(error) && error.code === 'resource_missing';

/**
 * Makes something at Stripe under a key. A stored answer of the server's own failure is not repeated for a
 * day: the next attempt takes another key, after checking whether the failed one made it anyway.
 */
export async function callStripe<Made>(
  parts: StripeParts,
  call: Call,
  work: (idempotencyKey: string) => Promise<Made>,
  part?: string,
): Promise<Made> {
  try {
    return await work(stripeKey(call, part));
  } catch (error) {
    if (isStripeError(error) && (error.statusCode ?? 0) >= 500 && isReplayed(error))
      await nextAttempt(parts, call);
    throw error;
  }
}

/** True if Stripe repeated an earlier response instead of acting. */
export const isReplayed = ({ headers }: { headers?: Record<string, string> }): boolean =>
  headers?.['idempotent-replayed'] === 'true';

/**
 * Maps a Stripe error: `ProviderRefusedError` if nothing was done, otherwise the error, which leaves the
 * outcome open.
 */
export function meaningOf(error: unknown): unknown {
  if (!isStripeError(error)) return error;
  if (error instanceof Stripe.errors.StripeIdempotencyError)
    return new ProviderRefusedError('key_reused', error.message);
  if (isNotFound(error) || error.code === 'account_invalid')
    return new ProviderRefusedError('not_found', error.message);
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400)
    return new ProviderRefusedError('invalid', error.message);
  return error;
}

/**
 * Runs a call; frees its key if nothing was done.
 * @throws ProviderRefusedError, or the error of an open outcome
 */
export async function freeKeyIfRefused<Made>(
  parts: StripeParts,
  key: string,
  work: () => Promise<Made>,
): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning instanceof ProviderRefusedError && meaning.problem !== 'key_reused')
      await dropCall(parts, key);
    throw meaning;
  }
}

/** Reads an object; null if there is none, or if it is another account's. */
export async function orNull<Thing>(work: () => Promise<Thing>): Promise<Thing | null> {
  try {
    return await work();
  } catch (error) {
    if (meaningOf(error) instanceof ProviderRefusedError) return null;
    throw error;
  }
}

export const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
