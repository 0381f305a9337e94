import type { Currency } from '@nearhand/contract/currencies';
import type Stripe from 'stripe';
import {
  type Failure,
  isPlain,
  PayeeNotReadyError,
  type PaymentProvider,
  type PayoutState,
  ProviderRefusedError,
  requireAmount,
} from '../../platform/payment-provider.ts';
import {
  beginCall,
  type Call,
  callStripe,
  endCall,
  findCall,
  freeKeyIfRefused,
  idOf,
  isStripeError,
  keyName,
  meaningOf,
  nextAttempt,
  orNull,
  requireCurrency,
  type StripeParts,
  stripeKey,
} from './stripe-calls.ts';

type Input = Parameters<PaymentProvider['payOut']>[0];

/**
 * A bank account is `{account}/{external account}`, a payout `{account}/{payout}`, or `{account}/{transfer}`
 * without one.
 */
const bankPattern = /^(acct_\w{1,100})\/((?:ba|card)_\w{1,100})$/;
const payoutPattern = /^(acct_\w{1,100})\/((?:po|tr)_\w{1,100})$/;

const transferName = 'nearhand_transfer';
const failureName = 'nearhand_failure';

/**
 * Pays a worker: a transfer to their account, then a payout from there to their bank. After a crash in
 * between a repeat continues. If Stripe refuses the payout, the transfer is reversed and the payout has
 * failed.
 */
export async function payOut(parts: StripeParts, request: Input): Promise<PayoutState> {
  requireAmount(request.amountMinor);
  requireCurrency(parts, request.currency);
  const [, account, bank] = bankPattern.exec(request.bankRef) ?? [];
  if (!account || !bank) throw new ProviderRefusedError('not_found', 'bankRef');
  const content = [request.bankRef, request.amountMinor, request.currency, request.speed];
  const call = await beginCall(parts, { key: request.key, operation: 'payout', content });
  const earlier = call.ref === null ? null : await syncStripePayout(parts, call.ref);
  if (earlier) return earlier;
  const transfer =
    (call.isRepeat ? await findTransfer(parts, request.key) : null) ??
    (await freeKeyIfRefused(parts, request.key, () => createTransfer(parts, call, request, account)));
  await endCall(parts, request.key, `${account}/${transfer.id}`);
  const before = call.isRepeat ? await syncTransfer(parts, account, transfer) : null;
  return before ?? payFromAccount(parts, call, request, { account, bank, transfer });
}

const inCurrency = (request: Input) => ({
  amount: request.amountMinor,
  currency: request.currency.toLowerCase(),
});

async function createTransfer(
  parts: StripeParts,
  call: Call,
  request: Input,
  account: string,
): Promise<Stripe.Transfer> {
  try {
    return await callStripe(
      parts,
      call,
      (idempotencyKey) =>
        parts.client.transfers.create(
          {
            ...inCurrency(request),
            destination: account,
            transfer_group: request.key,
            metadata: { [keyName]: request.key },
          },
          { idempotencyKey },
        ),
      'transfer',
    );
  } catch (error) {
    const wait = temporaryRefusal(error);
    if (!wait) throw error;
    // The problem is temporary: the queue retries, which needs another key.
    await nextAttempt(parts, call);
    // A worker who is not ready sees it; an empty balance is for operators.
    if (!(wait instanceof PayeeNotReadyError)) parts.log.error({ key: request.key, account }, wait.message);
    throw wait;
  }
}

/** Temporary refusals, which keep the withdrawal waiting instead of failing it. */
const platformBalanceShort = 'balance_insufficient';
const payeeNotReady = [
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'payouts_not_allowed',
  'account_restricted',
];

/** The reason for which a refused call waits; null if it fails. */
function temporaryRefusal(error: unknown): Error | null {
  const code = isStripeError(error) ? (error.code ?? '') : '';
  if (code === platformBalanceShort)
    return new Error("the withdrawal waits: the platform's balance at Stripe does not cover it", {
      cause: error,
    });
  if (!payeeNotReady.includes(code)) return null;
  return new PayeeNotReadyError('the withdrawal waits: Stripe needs more from the worker before it pays', {
    cause: error,
  });
}

/** Strongly consistent, unlike a search. */
async function findTransfer({ client }: StripeParts, key: string): Promise<Stripe.Transfer | null> {
  return (await client.transfers.list({ transfer_group: key, limit: 1 })).data[0] ?? null;
}

type PayoutRoute = { account: string; bank: string; transfer: Stripe.Transfer };

async function payFromAccount(
  parts: StripeParts,
  call: Call,
  request: Input,
  way: PayoutRoute,
): Promise<PayoutState> {
  const { account, bank, transfer } = way;
  try {
    const payout = await callStripe(
      parts,
      call,
      (idempotencyKey) =>
        parts.client.payouts.create(
          {
            ...inCurrency(request),
            destination: bank,
            method: request.speed,
            metadata: { [keyName]: request.key, [transferName]: transfer.id },
          },
          { idempotencyKey, stripeContext: account },
        ),
      'payout',
    );
    await endCall(parts, request.key, `${account}/${payout.id}`);
    return reportPayout(parts, account, payout);
  } catch (error) {
    const wait = temporaryRefusal(error);
    if (wait instanceof PayeeNotReadyError) {
      await nextAttempt(parts, call);
      throw wait;
    }
    if (!(meaningOf(error) instanceof ProviderRefusedError)) throw error;
    const failure = payoutFailure(isStripeError(error) ? error.code : null);
    return failedTransfer(account, await reverseTransfer(parts, transfer, failure));
  }
}

/** Takes the money back from the worker's account. Fails while the account lacks it, and is repeated. */
async function reverseTransfer(
  parts: StripeParts,
  transfer: Stripe.Transfer,
  failure: Failure,
): Promise<Stripe.Transfer> {
  const { client, log } = parts;
  if (!transfer.reversed)
    try {
      await client.transfers.createReversal(
        transfer.id,
        { metadata: { [failureName]: failure } },
        { idempotencyKey: stripeKey({ key: transfer.id, attempt: 1 }, 'reversal') },
      );
    } catch (error) {
      log.error({ err: error, transfer: transfer.id }, 'a failed payout is not reversed yet');
      throw error;
    }
  return client.transfers.retrieve(transfer.id);
}

/**
 * Returns the state of a payout at Stripe, after bringing it to its end: one that failed is reversed first.
 * @throws as Stripe while a failed payout can't be reversed yet
 */
export async function syncStripePayout(parts: StripeParts, ref: string): Promise<PayoutState | null> {
  const [, account, id] = payoutPattern.exec(ref) ?? [];
  if (!account || !id) return null;
  if (id.startsWith('tr_')) {
    const transfer = await orNull(() => parts.client.transfers.retrieve(id));
    return transfer && syncTransfer(parts, account, transfer);
  }
  const payout = await orNull(() => parts.client.payouts.retrieve(id, {}, { stripeContext: account }));
  return payout && reportPayout(parts, account, payout);
}

/** As `syncStripePayout`, by our key, also if we never received Stripe's response. */
export async function syncStripePayoutByKey(parts: StripeParts, key: string): Promise<PayoutState | null> {
  const row = await findCall(parts.db, key);
  if (row && row.operation !== 'payout') return null;
  if (row?.ref) return syncStripePayout(parts, row.ref);
  const transfer = isPlain(key) ? await findTransfer(parts, key) : null;
  const account = idOf(transfer?.destination);
  return transfer && account ? syncTransfer(parts, account, transfer) : null;
}

/** Finds the payout behind a transfer, records its reference and reports it; null if it has none yet. */
async function syncTransfer(
  parts: StripeParts,
  account: string,
  transfer: Stripe.Transfer,
): Promise<PayoutState | null> {
  if (transfer.reversed) return failedTransfer(account, transfer);
  const key = transfer.metadata[keyName] ?? '';
  const created = { gte: transfer.created };
  for await (const payout of parts.client.payouts.list({ created, limit: 100 }, { stripeContext: account }))
    if (payout.metadata?.[keyName] === key) {
      await endCall(parts, key, `${account}/${payout.id}`);
      return reportPayout(parts, account, payout);
    }
  return null;
}

const failedTransfer = (account: string, transfer: Stripe.Transfer): PayoutState => ({
  ref: `${account}/${transfer.id}`,
  status: 'failed',
  amountMinor: transfer.amount,
  currency: transfer.currency.toUpperCase() as Currency,
  failure: (transfer.reversals.data[0]?.metadata?.[failureName] as Failure | undefined) ?? 'bank_rejected',
  arrivesOn: null,
});

/** Reverses the transfer of a failed payout, so that it is reported once its money is the platform's again. */
async function reportPayout(
  parts: StripeParts,
  account: string,
  payout: Stripe.Payout,
): Promise<PayoutState> {
  const { status, failure } = payoutStatus(payout);
  const transferId = payout.metadata?.[transferName];
  if (status === 'failed' && transferId)
    await reverseTransfer(
      parts,
      await parts.client.transfers.retrieve(transferId),
      failure ?? 'bank_rejected',
    );
  return {
    ref: `${account}/${payout.id}`,
    status,
    amountMinor: payout.amount,
    currency: payout.currency.toUpperCase() as Currency,
    failure,
    arrivesOn: status === 'failed' ? null : new Date(payout.arrival_date * 1_000).toISOString().slice(0, 10),
  };
}

/** Stripe has no state for a payout that came back after it was paid: it becomes `failed`. */
function payoutStatus({ status, failure_code }: Stripe.Payout): Pick<PayoutState, 'status' | 'failure'> {
  switch (status) {
    case 'paid':
      return { status: 'paid', failure: null };
    case 'in_transit':
      return { status: 'in_transit', failure: null };
    case 'failed':
    case 'canceled':
      return { status: 'failed', failure: payoutFailure(failure_code) };
    default:
      return { status: 'processing', failure: null };
  }
}

const failures: Record<string, Failure> = {
  account_closed: 'account_closed',
  no_account: 'account_closed',
  bank_account_unverified: 'bank_rejected',
  balance_insufficient: 'insufficient_funds',
  insufficient_funds: 'insufficient_funds',
  instant_payouts_unsupported: 'instant_unavailable',
  instant_payouts_config_disabled: 'instant_unavailable',
  instant_payouts_currency_disabled: 'instant_unavailable',
  instant_payouts_limit_exceeded: 'limit_exceeded',
  unsupported_card: 'instant_unavailable',
};

const payoutFailure = (code: string | null | undefined): Failure => failures[code ?? ''] ?? 'bank_rejected';
