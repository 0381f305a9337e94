import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import Stripe from 'stripe';
import {
  type ChargeState,
  type Failure,
  type PaymentProvider,
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
  isReplayed,
  isStripeError,
  keyName,
  meaningOf,
  notBeforeOf,
  orNull,
  requireCurrency,
  type StripeParts,
  stripeKey,
} from './stripe-calls.ts';

type Input<Name extends 'charge' | 'cancelCharge' | 'refund'> = Parameters<PaymentProvider[Name]>[0];
type Intent = Stripe.PaymentIntent;

/**
 * The minimum that Stripe charges, in minor units (docs.stripe.com/currencies). Our digits are Stripe's: two
 * everywhere, none for JPY. A currency with three digits, or one of Stripe's special cases, needs its own
 * conversion here.
 */
export const chargeMin: Record<Currency, number> = {
  EUR: 50,
  USD: 50,
  GBP: 30,
  CHF: 50,
  DKK: 250,
  SEK: 300,
  NOK: 300,
  PLN: 200,
  CZK: 1_500,
  CAD: 50,
  AUD: 50,
  NZD: 50,
  SGD: 50,
  JPY: 50,
};

/** Stripe takes at most eight digits. */
const chargeMax = 99_999_999;

/** An amount as `EUR 0.30`, for a log. */
const amountText = (amountMinor: number, currency: Currency): string => {
  const digits = currencyDigits[currency];
  const text = String(amountMinor).padStart(digits + 1, '0');
  return `${currency} ${digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`}`;
};

/** @throws ProviderRefusedError with a sentence for an amount that Stripe would not charge */
function requireChargeable(amountMinor: number, currency: Currency): void {
  requireAmount(amountMinor);
  if (amountMinor < chargeMin[currency])
    throw new ProviderRefusedError(
      'invalid',
      `${amountText(amountMinor, currency)} is less than Stripe charges, ${amountText(chargeMin[currency], currency)}`,
    );
  if (amountMinor > chargeMax)
    throw new ProviderRefusedError(
      'invalid',
      `${amountText(amountMinor, currency)} is more than Stripe charges at once`,
    );
}

type CardParts = { customer: string; method: string };

/** A saved card is `{customer}/{payment method}`, a bank method `{customer}/{its name}`. */
function partsOfCard(cardRef: string): CardParts {
  const [, customer, method] = /^(cus_\w{1,100})\/(pm_\w{1,100}|ideal|bancontact)$/.exec(cardRef) ?? [];
  if (!customer || !method) throw new ProviderRefusedError('not_found', 'cardRef');
  return { customer, method };
}

const returnName = 'nearhand_return';
/** Stripe's limit for the length of a value in metadata. */
const metadataMax = 500;
const descriptionMax = 500;

/** Charges a saved card, off session; if its bank requires confirmation, the owner is sent to a page. */
export async function charge(parts: StripeParts, request: Input<'charge'>): Promise<ChargeState> {
  requireChargeable(request.amountMinor, request.currency);
  requireCurrency(parts, request.currency);
  const card = partsOfCard(request.cardRef);
  const content = [
    request.cardRef,
    request.amountMinor,
    request.currency,
    request.description,
    request.returnUrl,
  ];
  const call = await beginCall(parts, {
    key: request.key,
    operation: 'charge',
    content,
    place: card.customer,
  });
  if (call.ref !== null) return requireCharge(parts, call.ref);
  const before = call.isRepeat ? await findIntent(parts, request.key, card.customer) : null;
  if (before) {
    await endCall(parts, request.key, before.id);
    return requireCharge(parts, before.id);
  }
  const createdCharge = await freeKeyIfRefused(parts, request.key, () =>
    createIntent(parts, call, request, card),
  );
  await endCall(parts, request.key, createdCharge.intent.id);
  return createdCharge.isOld
    ? requireCharge(parts, createdCharge.intent.id)
    : toChargeState(parts, createdCharge.intent, []);
}

type Made = { intent: Intent; isOld: boolean };

async function createIntent(
  parts: StripeParts,
  call: Call,
  request: Input<'charge'>,
  card: CardParts,
): Promise<Made> {
  const returnUrl = request.returnUrl.length > metadataMax ? parts.publicUrl : request.returnUrl;
  const method = await methodToCharge(parts, card, returnUrl);
  return withIntent(() =>
    callStripe(parts, call, (idempotencyKey) =>
      parts.client.paymentIntents.create(
        {
          amount: request.amountMinor,
          currency: request.currency.toLowerCase(),
          customer: card.customer,
          ...method,
          confirm: true,
          description: request.description
            .replaceAll('\u0000', '')
            .toWellFormed()
            .slice(0, descriptionMax)
            .toWellFormed(),
          metadata: { [keyName]: request.key, [returnName]: returnUrl },
        },
        { idempotencyKey },
      ),
    ),
  );
}

/** A bank method leads its owner to their bank at once; everything else is charged off session. */
async function methodToCharge(
  { client }: StripeParts,
  { customer, method }: CardParts,
  returnUrl: string,
): Promise<Partial<Stripe.PaymentIntentCreateParams>> {
  if (method !== 'ideal' && method !== 'bancontact') return { payment_method: method, off_session: true };
  const owner = await client.customers.retrieve(customer);
  if (owner.deleted) throw new ProviderRefusedError('not_found', 'cardRef');
  return {
    allowed_payment_method_types: [method],
    payment_method_data: { type: method, billing_details: { name: owner.name ?? '' } },
    return_url: returnUrl,
  };
}

/** Stripe reports a declined card as an error that contains the intent. */
async function withIntent(work: () => Promise<Stripe.Response<Intent>>): Promise<Made> {
  try {
    const intent = await work();
    return { intent, isOld: isReplayed(intent.lastResponse) };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError) || !error.payment_intent) throw error;
    return { intent: error.payment_intent, isOld: isReplayed(error) };
  }
}

/** Looks through the customer's charges: unlike a search, a list shows at once what was made. */
async function findIntent(parts: StripeParts, key: string, customer: string): Promise<Intent | null> {
  const since = notBeforeOf(key);
  const created = since ? { created: { gte: Math.floor(since.getTime() / 1_000) } } : {};
  return orNull(async () => {
    for await (const intent of parts.client.paymentIntents.list({ customer, limit: 100, ...created }))
      if (intent.metadata[keyName] === key) return intent;
    return null;
  });
}

/** Returns the state of a payment at Stripe; null if the reference is not one. */
export async function getCharge(parts: StripeParts, ref: string): Promise<ChargeState | null> {
  if (!/^pi_\w{1,100}$/.test(ref)) return null;
  const intent = await orNull(() =>
    parts.client.paymentIntents.retrieve(ref, { expand: ['latest_charge.refunds'] }),
  );
  if (!intent) return null;
  const disputes =
    intent.status === 'succeeded'
      ? (await parts.client.disputes.list({ payment_intent: ref, limit: 100 })).data.toReversed()
      : [];
  return toChargeState(parts, intent, disputes);
}

/** Returns the state of a payment by our key, also if we never received Stripe's response. */
export async function findStripeCharge(parts: StripeParts, key: string): Promise<ChargeState | null> {
  const row = await findCall(parts.db, key);
  if (row && row.operation !== 'charge') return null;
  const ref = row?.ref ?? (await lookFor(parts, key, row?.place ?? null));
  return ref === null ? null : getCharge(parts, ref);
}

/** Finds a charge at Stripe whose response was lost, or whose row is missing from a restored backup. */
async function lookFor(parts: StripeParts, key: string, customer: string | null): Promise<string | null> {
  if (customer !== null) return (await findIntent(parts, key, customer))?.id ?? null;
  if (!/^[\w/-]{1,255}$/.test(key)) return null;
  const query = `metadata['${keyName}']:'${key}'`;
  const { data } = await parts.client.paymentIntents.search({ query, limit: 1 });
  return data[0]?.id ?? null;
}

async function requireCharge(parts: StripeParts, ref: string): Promise<ChargeState> {
  const state = await getCharge(parts, ref);
  if (!state) throw new ProviderRefusedError('not_found', 'no such charge');
  return state;
}

/** Cancels a charge that has not succeeded; for a finished one it returns the actual state. */
export async function cancelCharge(parts: StripeParts, request: Input<'cancelCharge'>): Promise<ChargeState> {
  const before = await requireCharge(parts, request.ref);
  if (before.status !== 'processing' && before.status !== 'requires_action') return before;
  try {
    await parts.client.paymentIntents.cancel(
      request.ref,
      {},
      { idempotencyKey: stripeKey({ key: request.key, attempt: 1 }) },
    );
  } catch (error) {
    // It ended in the meantime, or it can't be cancelled, such as a bank debit under way.
    if (!isStripeError(error) || error.code !== 'payment_intent_unexpected_state') throw error;
  }
  return requireCharge(parts, request.ref);
}

export async function refund(parts: StripeParts, request: Input<'refund'>): Promise<ChargeState> {
  requireAmount(request.amountMinor);
  const content = [request.chargeRef, request.amountMinor];
  const call = await beginCall(parts, { key: request.key, operation: 'refund', content });
  if (call.ref !== null) return requireCharge(parts, request.chargeRef);
  await freeKeyIfRefused(parts, request.key, async () => {
    const before = call.isRepeat ? await findRefund(parts, call.key, request.chargeRef) : null;
    if (!before) requireRefundable(await requireCharge(parts, request.chargeRef), request.amountMinor);
    const stripeRefund = before ?? (await createRefund(parts, call, request));
    await endCall(parts, request.key, stripeRefund.id);
  });
  return requireCharge(parts, request.chargeRef);
}

function requireRefundable(state: ChargeState, amountMinor: number): void {
  if (state.status !== 'succeeded')
    throw new ProviderRefusedError('refund_refused', `the charge is ${state.status}`);
  if (state.chargebacks.some(({ status }) => status !== 'won'))
    throw new ProviderRefusedError('refund_refused', 'the charge is charged back');
  if (amountMinor > state.amountMinor - state.refundedMinor)
    throw new ProviderRefusedError('refund_refused', 'more than is left of the charge');
}

async function createRefund(
  parts: StripeParts,
  call: Call,
  request: Input<'refund'>,
): Promise<Stripe.Refund> {
  try {
    return await callStripe(parts, call, (idempotencyKey) =>
      parts.client.refunds.create(
        {
          payment_intent: request.chargeRef,
          amount: request.amountMinor,
          metadata: { [keyName]: request.key },
        },
        { idempotencyKey },
      ),
    );
  } catch (error) {
    // Someone refunded it in the dashboard, or it was disputed, since we looked.
    if (isStripeError(error) && error.statusCode === 400 && error.rawType === 'invalid_request_error')
      throw new ProviderRefusedError('refund_refused', error.message);
    throw error;
  }
}

async function findRefund(parts: StripeParts, key: string, chargeRef: string): Promise<Stripe.Refund | null> {
  return orNull(async () => {
    for await (const refund of parts.client.refunds.list({ payment_intent: chargeRef, limit: 100 }))
      if (refund.metadata?.[keyName] === key) return refund;
    return null;
  });
}

const currencyOf = (code: string): Currency => code.toUpperCase() as Currency;

async function toChargeState(
  parts: StripeParts,
  intent: Intent,
  disputes: readonly Stripe.Dispute[],
): Promise<ChargeState> {
  const current = waitsForOwner(intent) ? await askOwner(parts, intent) : intent;
  const { status, failure } = chargeStatus(current);
  const latest = typeof current.latest_charge === 'object' ? current.latest_charge : null;
  return {
    ref: intent.id,
    status,
    amountMinor: intent.amount,
    currency: currencyOf(intent.currency),
    failure,
    actionUrl: status === 'requires_action' ? (current.next_action?.redirect_to_url?.url ?? null) : null,
    refundedMinor: latest?.amount_refunded ?? 0,
    failedRefunds: failedAmong(await refundsOf(parts, latest)),
    chargebacks: disputes.flatMap(chargebackOf),
  };
}

/** The newest refunds come with the charge; the list has them all. */
async function refundsOf(parts: StripeParts, latest: Stripe.Charge | null): Promise<Stripe.Refund[]> {
  if (!latest?.refunds?.has_more) return latest?.refunds?.data ?? [];
  return parts.client.refunds.list({ charge: latest.id, limit: 100 }).autoPagingToArray({ limit: 1_000 });
}

/** A refund may fail days later at the card's bank; Stripe then returns it to the platform's balance. */
const failedAmong = (refunds: readonly Stripe.Refund[]): string[] =>
  refunds
    .filter(({ status }) => status === 'failed' || status === 'canceled')
    .flatMap(({ metadata }) => metadata?.[keyName] ?? []);

/**
 * True if the bank requires the owner's confirmation and the owner has not been asked yet, perhaps because the
 * process died just then.
 */
const waitsForOwner = ({ status, last_payment_error }: Intent): boolean =>
  status === 'requires_payment_method' && last_payment_error?.code === 'authentication_required';

/** Confirms once more, as if the owner were here; Stripe then answers with its page. */
async function askOwner(parts: StripeParts, intent: Intent): Promise<Intent> {
  const method = idOf(intent.last_payment_error?.payment_method);
  const { intent: confirmedIntent } = await withIntent(() =>
    parts.client.paymentIntents.confirm(
      intent.id,
      {
        return_url: intent.metadata[returnName] ?? parts.publicUrl,
        payment_method: method ?? undefined,
      },
      { idempotencyKey: `nearhand/${intent.id}/confirm` },
    ),
  );
  return confirmedIntent;
}

function chargeStatus(intent: Intent): Pick<ChargeState, 'status' | 'failure'> {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', failure: null };
    case 'requires_action':
      return { status: 'requires_action', failure: null };
    case 'canceled':
      return { status: 'cancelled', failure: null };
    case 'requires_payment_method':
      return intent.last_payment_error
        ? { status: 'failed', failure: chargeFailure(intent.last_payment_error) }
        : { status: 'processing', failure: null };
    default:
      return { status: 'processing', failure: null };
  }
}

const failures: Record<string, Failure> = {
  expired_card: 'card_expired',
  insufficient_funds: 'insufficient_funds',
  authentication_required: 'authentication_failed',
  authentication_not_handled: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  processing_error: 'processing_error',
  issuer_not_available: 'processing_error',
  try_again_later: 'processing_error',
  card_velocity_exceeded: 'limit_exceeded',
  withdrawal_count_limit_exceeded: 'limit_exceeded',
  amount_too_large: 'limit_exceeded',
  charge_exceeds_source_limit: 'limit_exceeded',
  charge_exceeds_transaction_limit: 'limit_exceeded',
  charge_exceeds_weekly_limit: 'limit_exceeded',
  debit_not_authorized: 'bank_rejected',
  bank_account_restricted: 'bank_rejected',
  account_closed: 'account_closed',
  bank_account_unusable: 'bank_rejected',
};

/** The issuer's reason if Stripe passes it on, otherwise Stripe's own code. */
const chargeFailure = (error: Stripe.PaymentIntent.LastPaymentError): Failure =>
  failures[error.decline_code ?? ''] ?? failures[error.code ?? ''] ?? 'card_declined';

/** An inquiry (`warning_…`) or a prevented dispute takes no money. An appeal follows a loss. */
function chargebackOf({ id, amount, status }: Stripe.Dispute): ChargeState['chargebacks'][number][] {
  const chargeback = { ref: id, amountMinor: amount };
  switch (status) {
    case 'needs_response':
    case 'under_review':
      return [{ ...chargeback, status: 'open' }];
    case 'won':
      return [{ ...chargeback, status: 'won' }];
    case 'lost':
    case 'appeal_needs_response':
    case 'appeal_under_review':
      return [{ ...chargeback, status: 'lost' }];
    default:
      return [];
  }
}

const findDispute = async (parts: StripeParts, ref: string): Promise<Stripe.Dispute | null> =>
  /^d[pu]_\w{1,100}$/.test(ref) ? orNull(() => parts.client.disputes.retrieve(ref)) : null;

const takesAnswer = ({ status }: Stripe.Dispute): boolean =>
  status === 'needs_response' || status === 'warning_needs_response';

/** Returns the deadline for evidence and whether evidence was sent; null if Stripe knows no such dispute. */
export async function getDispute(
  parts: StripeParts,
  ref: string,
): Promise<{ answerBy: string | null; isAnswered: boolean } | null> {
  const dispute = await findDispute(parts, ref);
  if (!dispute) return null;
  const { due_by: dueBy, submission_count: submissions } = dispute.evidence_details;
  // Zero if the bank accepts no answer.
  const answerBy = takesAnswer(dispute) && dueBy ? new Date(dueBy * 1_000).toISOString() : null;
  return { answerBy, isAnswered: submissions > 0 };
}

/** Submits text and PDF in one call, which is final. A repeat after a crash does nothing. */
export async function submitEvidence(
  parts: StripeParts,
  request: { ref: string; text: string; pdf: Uint8Array },
): Promise<void> {
  const dispute = await findDispute(parts, request.ref);
  if (!dispute) throw new ProviderRefusedError('not_found', 'no such dispute');
  if (dispute.evidence_details.submission_count > 0) return;
  if (!takesAnswer(dispute)) throw new ProviderRefusedError('invalid', `the dispute is ${dispute.status}`);
  const file = await parts.client.files.create({
    purpose: 'dispute_evidence',
    file: { data: request.pdf, name: 'record.pdf', type: 'application/pdf' },
  });
  try {
    await parts.client.disputes.update(request.ref, {
      evidence: { uncategorized_text: request.text, service_documentation: file.id },
      submit: true,
    });
  } catch (error) {
    throw meaningOf(error);
  }
}
