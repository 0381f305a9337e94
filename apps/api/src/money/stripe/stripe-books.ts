import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import type Stripe from 'stripe';
import type { ProviderBooking } from '../../platform/payment-provider.ts';
import { idOf, isNotFound, keyName, orNull, type StripeParts } from './stripe-calls.ts';

const pageSize = 100;

type Transaction = Stripe.BalanceTransaction;

/** The platform's balance transactions, oldest first. The cursor is the newest one read. */
export async function listBookings(
  parts: StripeParts,
  after: string | null,
): Promise<{ bookings: ProviderBooking[]; cursor: string | null }> {
  if (after !== null && !/^txn_\w{1,100}$/.test(after)) throw new Error('not a cursor of Stripe');
  const newer = after === null ? await oldestPage(parts) : await pageAfter(parts, after);
  const bookings: ProviderBooking[] = [];
  for (const transaction of newer) {
    const currency = transaction.currency.toUpperCase() as Currency;
    if (parts.currencies.includes(currency)) bookings.push(await bookingOf(parts, transaction, currency));
  }
  return { bookings, cursor: newer.at(-1)?.id ?? after };
}

const expand = ['data.source'];

async function pageAfter(parts: StripeParts, after: string): Promise<Transaction[]> {
  try {
    const page = await parts.client.balanceTransactions.list({
      ending_before: after,
      limit: pageSize,
      expand,
    });
    return page.data.toReversed();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return oldestPage(parts);
  }
}

/** Stripe lists the newest first, so finding the oldest means paging through all. */
async function oldestPage({ client }: StripeParts): Promise<Transaction[]> {
  let page: Transaction[] = [];
  for await (const transaction of client.balanceTransactions.list({ limit: pageSize, expand }))
    page = [transaction, ...page].slice(0, pageSize);
  return page;
}

async function bookingOf(
  parts: StripeParts,
  { id, type, amount, fee, net, created, source }: Transaction,
  currency: Currency,
): Promise<ProviderBooking> {
  const sourceObject = typeof source === 'string' ? null : source;
  const kind = bookingKind(type, sourceObject?.object);
  // A separate fee is an amount without a fee at Stripe.
  const amounts =
    kind === 'fee' ? { amountMinor: 0, feeMinor: -net } : { amountMinor: amount, feeMinor: fee };
  const subject = kind === 'payout' ? await payoutKeyOf(parts, sourceObject) : chargeOf(sourceObject);
  return { ref: id, kind, about: subject, ...amounts, currency, at: new Date(created * 1_000).toISOString() };
}

const kinds: Record<string, ProviderBooking['kind']> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  transfer: 'payout',
  transfer_refund: 'payout',
  transfer_cancel: 'payout',
  transfer_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
};

/** Bookings that are not about our charges, payouts or fees are the company's own money. */
function bookingKind(type: string, source: string | undefined): ProviderBooking['kind'] {
  return type === 'adjustment' && source === 'dispute' ? 'chargeback' : (kinds[type] ?? 'own');
}

type Source = Exclude<Transaction['source'], string>;

const chargeOf = (source: Source): string | null =>
  source !== null && 'payment_intent' in source ? idOf(source.payment_intent) : null;

async function payoutKeyOf(parts: StripeParts, source: Source): Promise<string | null> {
  if (source?.object === 'transfer') return source.metadata[keyName] ?? null;
  if (source?.object !== 'transfer_reversal') return null;
  const id = idOf(source.transfer);
  const transfer = id === null ? null : await orNull(() => parts.client.transfers.retrieve(id));
  return transfer?.metadata[keyName] ?? null;
}

/** The platform's balance at Stripe, available and pending. */
export async function balancesAtStripe(
  parts: StripeParts,
): Promise<{ currency: Currency; amountMinor: number }[]> {
  const { available, pending } = await parts.client.balance.retrieve();
  return parts.currencies.map((currency) => ({
    currency,
    amountMinor: sumOf(
      [...available, ...pending].filter((part) => part.currency.toUpperCase() === currency),
      (part) => part.amount,
    ),
  }));
}
