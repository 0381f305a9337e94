import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs } from '@nearhand/contract/durations';
import Stripe from 'stripe';
import fixtures from './fixtures.json' with { type: 'json' };
import { type Misuse, misuseOf, readForm, readUpload } from './params.ts';

/*
 * A stand-in for Stripe in tests, called through the real SDK. It keeps state, refuses what Stripe's own
 * parameter types refuse (params.ts), keeps idempotency keys for 24 hours, and signs webhooks as the SDK
 * checks them. It supports only what the adapter uses.
 */

// biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, of which each route reads its own fields.
type Row = Record<string, any>;
type Answer = { status: number; body: Row };

class StripeDoubleError extends Error {
  readonly status: number;
  readonly body: Row;
  constructor(
    status: number,
    error: { type?: string; code?: string; message: string; [more: string]: unknown },
  ) {
    super(error.message);
    this.status = status;
    this.body = { error: { type: 'invalid_request_error', ...error } };
  }
}

const missing = (what: string, id: unknown) =>
  new StripeDoubleError(404, {
    code: 'resource_missing',
    message: `No such ${what}: '${String(id)}'`,
    param: 'id',
  });

/** A fault that replaces the response to the next call of a route. */
export type Fault =
  /** The connection is cut before or after the request was done. */
  | 'cut'
  | 'cut-done'
  /** An error of the server, stored under the key, without or with the request done. */
  | '500'
  | '500-done'
  | '429'
  /** The restricted key lacks the permission. */
  | '403'
  /** No answer, for as long as the client waits. */
  | 'silent';

/** Card numbers from Stripe's published list (docs.stripe.com/testing). */
export const stripeCards = {
  pays: '4242424242424242',
  paysAtOnce: '4000000000000077',
  declined: '4000000000000341',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  confirm: '4000002760003184',
  chargedBack: '4000000000000259',
  inquiry: '4000000000001976',
} as const;

/** A test IBAN from Stripe's list, as entered on the page that saves a card. */
export const stripeIban = 'AT611904300234573201';

const dayS = 86_400;

type Call = { method: string; path: string; params: Row; account: string; key: string | null };
type Handler = (call: Call, ids: string[]) => Row;
type Route = { pattern: RegExp; file: string; type: string; run: Handler };

type Options = {
  now: () => Date;
  key?: string;
  /** The number of its first object, where a database knows objects of an earlier one. */
  firstId?: number;
  /** The id of the platform's account. */
  account?: string;
  webhookSecret?: string;
  send?: (headers: Record<string, string>, body: string) => Promise<unknown>;
};

export type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>;

/** Settings of a server that uses the stand-in. */
export const stripeSettings = (double: StripeDouble): Record<string, string> => ({
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: double.key,
  STRIPE_WEBHOOK_SECRETS: double.webhookSecret,
  STRIPE_CURRENCIES: 'EUR,USD,JPY',
  STRIPE_COUNTRIES: 'NL',
  STRIPE_METHODS: 'sepa_debit,ideal',
  STRIPE_API_URL: double.url,
});

/** Starts the stand-in on a free port of this machine. */
export async function startStripeDouble(options: Options) {
  const key = options.key ?? 'sk_test_double0000000000';
  const platform = 'platform';
  let { now, send: deliver } = options;
  const seconds = () => Math.floor(now().getTime() / 1_000);
  const objects = new Map<string, Row>();
  const behaviours = new Map<string, string>();
  const transactions: Row[] = [];
  const events: Row[] = [];
  const answers = new Map<string, { at: number; hash: string; answer: Answer }>();
  const running = new Set<string>();
  const sendings = new Set<Promise<unknown>>();
  const faults: { route: string; fault: Fault }[] = [];
  let outage: Fault | null = null;
  const calls: { route: string; params: Row; account: string; key: string | null }[] = [];
  let webhookSecret = options.webhookSecret ?? 'whsec_double00000000';
  let step = options.firstId ?? 0;

  const newId = (prefix: string) => {
    step += 1;
    return `${prefix}_${String(step).padStart(14, '0')}`;
  };
  const make = (kind: keyof typeof fixtures, prefix: string, fields: Row): Row => {
    const row = {
      ...structuredClone(fixtures[kind]),
      id: newId(prefix),
      created: seconds(),
      metadata: {},
      ...fields,
    };
    objects.set(row.id, row);
    return row;
  };
  const get = (what: string, id: unknown): Row => {
    const row = objects.get(String(id));
    if (!row) throw missing(what, id);
    return row;
  };

  const send = async (body: Row): Promise<void> => {
    const payload = JSON.stringify(body);
    const sending = Promise.resolve(
      deliver?.({ 'content-type': 'application/json', 'stripe-signature': sign(payload) }, payload),
    );
    sendings.add(sending);
    await sending.finally(() => sendings.delete(sending));
  };
  const sign = (payload: string, at = seconds(), secret = webhookSecret) =>
    new Stripe(key).webhooks.generateTestHeaderString({ payload, secret, timestamp: at });
  const emit = (type: string, object: Row, account = platform): void => {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: '2026-10-28.endive',
      created: seconds(),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: structuredClone(object) },
      ...(account === platform ? {} : { account }),
    };
    events.push(event);
    void send(event).then(() => {
      event.pending_webhooks = 0;
    });
  };

  /**
   * Moves a balance.
   * @param availableIn days until it can be used
   */
  const book = (
    account: string,
    type: string,
    source: Row,
    net: number,
    o: { fee?: number; availableIn?: number } = {},
  ) => {
    const fee = o.fee ?? 0;
    const row = make('balance_transaction', 'txn', {
      type,
      account,
      amount: net + fee,
      fee,
      net,
      currency: source.currency,
      source: source.id,
      available_on: seconds() + (o.availableIn ?? 0) * dayS,
      reporting_category: type,
    });
    transactions.push(row);
    return row.id;
  };
  const sum = (account: string, currency: string, isAvailable: (row: Row) => boolean) =>
    sumOf(
      transactions.filter((row) => row.account === account && row.currency === currency && isAvailable(row)),
      (row) => row.net,
    );
  const available = (account: string, currency: string) =>
    sum(account, currency, (row) => row.net < 0 || row.available_on <= seconds());

  const list = (rows: Row[], { limit = '10', starting_after, ending_before }: Row, url: string): Row => {
    const newest = rows.toReversed();
    const at = (id: string) => {
      const index = newest.findIndex((row) => row.id === id);
      if (index < 0)
        throw new StripeDoubleError(400, { code: 'resource_missing', message: `No such object: '${id}'` });
      return index;
    };
    const size = Number(limit);
    let from = starting_after ? at(starting_after) + 1 : 0;
    if (!starting_after && ending_before) from = Math.max(0, at(ending_before) - size);
    const to = ending_before ? at(ending_before) : from + size;
    const data = newest.slice(from, to);
    return { object: 'list', url, has_more: ending_before ? from > 0 : to < newest.length, data };
  };
  const since = (row: Row, { created }: Row) =>
    created?.gte === undefined || row.created >= Number(created.gte);
  const all = (object: string) => [...objects.values()].filter((row) => row.object === object);

  const expanded = (intent: Row, { expand = [] }: Row): Row => {
    if (!expand.includes('latest_charge.refunds') || !intent.latest_charge) return intent;
    const charge = get('charge', intent.latest_charge);
    const data = all('refund').filter((row) => row.charge === charge.id);
    const refunds = { object: 'list', data: data.toReversed().slice(0, 10), has_more: data.length > 10 };
    return { ...intent, latest_charge: { ...charge, refunds } };
  };

  const decline = (intent: Row, method: Row, code: string, declineCode?: string): never => {
    const error = {
      type: 'card_error',
      code,
      ...(declineCode ? { decline_code: declineCode } : {}),
      message: 'Your card was declined.',
      payment_method: method,
    };
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: error,
      next_action: null,
    });
    emit('payment_intent.payment_failed', intent);
    throw new StripeDoubleError(402, { ...error, payment_intent: structuredClone(intent) });
  };

  const succeed = (intent: Row, method: Row): Row => {
    const number = behaviours.get(method.id);
    const charge = make('charge', 'ch', {
      amount: intent.amount,
      amount_captured: intent.amount,
      currency: intent.currency,
      customer: intent.customer,
      payment_intent: intent.id,
      payment_method: method.id,
      paid: true,
      captured: true,
    });
    // Integer arithmetic: 1.5 % and 25.
    const fee = Math.floor((intent.amount * 150) / 10_000) + 25;
    const availableIn = number === stripeCards.paysAtOnce ? 0 : 2;
    charge.balance_transaction = book(platform, 'charge', charge, intent.amount - fee, { fee, availableIn });
    Object.assign(intent, {
      status: 'succeeded',
      latest_charge: charge.id,
      amount_received: intent.amount,
      last_payment_error: null,
      next_action: null,
    });
    emit('payment_intent.succeeded', intent);
    if (number === stripeCards.chargedBack) dispute(intent.id);
    if (number === stripeCards.inquiry) dispute(intent.id, { status: 'warning_needs_response' });
    return intent;
  };

  const askAtBank = (intent: Row, method: Row, returnUrl: string | null): Row => {
    Object.assign(intent, {
      status: 'requires_action',
      last_payment_error: null,
      payment_method: method.id,
      next_action: {
        type: 'redirect_to_url',
        redirect_to_url: { return_url: returnUrl, url: `${url}/pages/confirm/${intent.id}` },
      },
    });
    emit('payment_intent.requires_action', intent);
    return intent;
  };

  const confirm = (intent: Row, o: { offSession: boolean; returnUrl: string | null }): Row => {
    const method = get(
      'PaymentMethod',
      intent.payment_method ?? intent.last_payment_error?.payment_method?.id,
    );
    const number = behaviours.get(method.id);
    if (method.type === 'sepa_debit') {
      Object.assign(intent, { status: 'processing', last_payment_error: null });
      emit('payment_intent.processing', intent);
      return intent;
    }
    if (method.type !== 'card') return askAtBank(intent, method, o.returnUrl);
    const { exp_month: month, exp_year: year } = method.card;
    if (new Date(Date.UTC(year, month, 1)) <= now()) decline(intent, method, 'expired_card');
    switch (number) {
      case stripeCards.declined:
        return decline(intent, method, 'card_declined', 'generic_decline');
      case stripeCards.insufficientFunds:
        return decline(intent, method, 'card_declined', 'insufficient_funds');
      case stripeCards.expired:
        return decline(intent, method, 'expired_card');
      case stripeCards.confirm: {
        if (o.offSession)
          return decline(intent, method, 'authentication_required', 'authentication_required');
        return askAtBank(intent, method, o.returnUrl);
      }
      default:
        return succeed(intent, method);
    }
  };

  function dispute(intentId: string, o: { status?: string; amount?: number } = {}): Row {
    const intent = get('payment_intent', intentId);
    const charge = get('charge', intent.latest_charge);
    const row = make('dispute', 'dp', {
      amount: o.amount ?? charge.amount - charge.amount_refunded,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: intent.id,
      status: o.status ?? 'needs_response',
      reason: 'fraudulent',
      evidence_details: { ...fixtures.dispute.evidence_details, due_by: seconds() + 14 * dayS },
    });
    charge.disputed = true;
    if (!row.status.startsWith('warning')) {
      const fee = 2_000;
      row.balance_transactions = [get('txn', book(platform, 'adjustment', row, -row.amount - fee, { fee }))];
    }
    emit('charge.dispute.created', row);
    return row;
  }

  /** Stripe's own methods for tests, which need no page. */
  const testMethod = (name: string): Row | null => {
    const number = {
      pm_card_visa: stripeCards.pays,
      pm_card_bypassPending: stripeCards.paysAtOnce,
      pm_card_threeDSecure2Required: stripeCards.confirm,
      pm_card_createDispute: stripeCards.chargedBack,
    }[name];
    if (!number) return null;
    const card = { ...structuredClone(fixtures.payment_method.card), exp_month: 12, exp_year: 2040 };
    const method = make('payment_method', 'pm', { customer: undefined, card });
    behaviours.set(method.id, number);
    return method;
  };

  /** A method of which Stripe receives only the kind. */
  const bankMethod = ({ payment_method_data: data, customer, currency, return_url }: Row): Row | null => {
    if (!data) return null;
    if (currency !== 'eur' || !return_url || !data.billing_details?.name)
      throw new StripeDoubleError(400, {
        message: `A ${data.type} payment needs euros, a name and a return_url.`,
      });
    return make('payment_method', 'pm', { customer, type: data.type, card: undefined });
  };

  const payIn = (row: Row) => {
    const intent = get('payment_intent', row.payment_intent);
    return { intent, charge: get('charge', intent.latest_charge) };
  };

  const routes: Record<string, Route> = {};
  const route = (name: string, file: string, type: string, run: Handler): void => {
    const [method, shape = ''] = name.split(' ');
    const pattern = new RegExp(`^${shape.replace(/:\w+/g, '([^/]+)')}$`);
    routes[`${method} ${shape}`] = { pattern, file, type, run };
  };

  route('POST /v1/customers', 'Customers', 'CustomerCreateParams', ({ params }) => {
    const row = make('customer', 'cus', { ...params, metadata: params.metadata ?? {} });
    return row;
  });
  route('GET /v1/customers/:id', 'Customers', 'CustomerRetrieveParams', (_call, [id]) => get('customer', id));
  route('DELETE /v1/customers/:id', 'Customers', 'CustomerDeleteParams', (_call, [id]) => {
    get('customer', id).deleted = true;
    return { id, object: 'customer', deleted: true };
  });
  route('POST /v2/core/accounts/:id/close', 'V2/Core/Accounts', 'V2.Core.AccountCloseParams', (_call, [id]) =>
    Object.assign(get('account', id), { closed: true }),
  );
  route('POST /v1/checkout/sessions', 'Checkout/Sessions', 'Checkout.SessionCreateParams', ({ params }) => {
    const row = make('checkout.session', 'cs_test', {
      ...params,
      metadata: params.metadata ?? {},
      status: 'open',
    });
    row.url = `${url}/pages/checkout/${row.id}`;
    return row;
  });
  route(
    'GET /v1/checkout/sessions/:id',
    'Checkout/Sessions',
    'Checkout.SessionRetrieveParams',
    ({ params }, [id]) => {
      const row = get('checkout.session', id);
      const setup = row.setup_intent && get('setup_intent', row.setup_intent);
      if (!params.expand?.includes('setup_intent.payment_method') || !setup) return row;
      return {
        ...row,
        setup_intent: { ...setup, payment_method: setup.payment_method && get('pm', setup.payment_method) },
      };
    },
  );
  route('POST /v1/payment_intents', 'PaymentIntents', 'PaymentIntentCreateParams', ({ params }) => {
    const amount = Number(params.amount);
    if (amount < 50)
      throw new StripeDoubleError(400, {
        code: 'amount_too_small',
        message: 'Amount must be at least €0.50 eur',
        param: 'amount',
      });
    const method =
      bankMethod(params) ?? testMethod(params.payment_method) ?? get('PaymentMethod', params.payment_method);
    if (method.customer !== params.customer)
      throw new StripeDoubleError(400, {
        message: 'The payment method you provided is attached to another customer.',
      });
    const intent = make('payment_intent', 'pi', {
      amount,
      currency: params.currency,
      customer: params.customer,
      payment_method: method.id,
      description: params.description ?? null,
      metadata: params.metadata ?? {},
      status: 'requires_confirmation',
      last_payment_error: null,
      next_action: null,
      canceled_at: null,
    });
    if (params.confirm !== 'true') return intent;
    return confirm(intent, {
      offSession: params.off_session === 'true',
      returnUrl: params.return_url ?? null,
    });
  });
  route('GET /v1/payment_intents', 'PaymentIntents', 'PaymentIntentListParams', ({ params, path }) =>
    list(
      all('payment_intent').filter(
        (row) => (!params.customer || row.customer === params.customer) && since(row, params),
      ),
      params,
      path,
    ),
  );
  route(
    'GET /v1/payment_intents/search',
    'PaymentIntents',
    'PaymentIntentSearchParams',
    ({ params, path }) => {
      const [, name = '', value] = /^metadata\['(\w+)'\]:'([^']+)'$/.exec(params.query) ?? [];
      // A search shows an object about a minute later.
      const hits = all('payment_intent').filter(
        (row) => row.metadata[name] === value && row.created + 60 <= seconds(),
      );
      return {
        object: 'search_result',
        url: path,
        has_more: false,
        next_page: null,
        data: hits.slice(0, Number(params.limit ?? 10)),
      };
    },
  );
  route('GET /v1/payment_intents/:id', 'PaymentIntents', 'PaymentIntentRetrieveParams', ({ params }, [id]) =>
    expanded(get('payment_intent', id), params),
  );
  route(
    'POST /v1/payment_intents/:id/confirm',
    'PaymentIntents',
    'PaymentIntentConfirmParams',
    ({ params }, [id]) => {
      const intent = get('payment_intent', id);
      if (!['requires_confirmation', 'requires_payment_method'].includes(intent.status))
        throw new StripeDoubleError(400, {
          code: 'payment_intent_unexpected_state',
          message: `status ${intent.status}`,
        });
      if (params.payment_method) intent.payment_method = params.payment_method;
      return confirm(intent, {
        offSession: params.off_session === 'true',
        returnUrl: params.return_url ?? null,
      });
    },
  );
  route(
    'POST /v1/payment_intents/:id/cancel',
    'PaymentIntents',
    'PaymentIntentCancelParams',
    (_call, [id]) => {
      const intent = get('payment_intent', id);
      if (['succeeded', 'canceled', 'processing'].includes(intent.status))
        throw new StripeDoubleError(400, {
          code: 'payment_intent_unexpected_state',
          message: `status ${intent.status}`,
        });
      Object.assign(intent, { status: 'canceled', canceled_at: seconds(), next_action: null });
      emit('payment_intent.canceled', intent);
      return intent;
    },
  );
  route('POST /v1/refunds', 'Refunds', 'RefundCreateParams', ({ params }) => {
    const { charge } = payIn(params);
    const left = charge.amount - charge.amount_refunded;
    const amount = Number(params.amount ?? left);
    if (
      all('dispute').some(
        (row) => row.charge === charge.id && ['needs_response', 'under_review', 'lost'].includes(row.status),
      )
    )
      throw new StripeDoubleError(400, {
        code: 'charge_disputed',
        message: 'Charge has been charged back; cannot issue a refund.',
      });
    if (left === 0)
      throw new StripeDoubleError(400, {
        code: 'charge_already_refunded',
        message: 'Charge has already been refunded.',
      });
    if (amount > left)
      throw new StripeDoubleError(400, {
        message: `Refund amount is greater than unrefunded amount on charge`,
        param: 'amount',
      });
    const row = make('refund', 're', {
      amount,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: params.payment_intent,
      metadata: params.metadata ?? {},
      status: 'succeeded',
    });
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    row.balance_transaction = book(platform, 'refund', row, -amount);
    emit('charge.refunded', charge);
    return row;
  });
  route('GET /v1/refunds', 'Refunds', 'RefundListParams', ({ params, path }) =>
    list(
      all('refund').filter(
        (row) =>
          (!params.payment_intent || row.payment_intent === params.payment_intent) &&
          (!params.charge || row.charge === params.charge),
      ),
      params,
      path,
    ),
  );
  route('GET /v1/account', 'Accounts', 'AccountRetrieveCurrentParams', () => ({
    id: options.account ?? 'acct_platform',
    object: 'account',
  }));
  route('GET /v1/charges/:id', 'Charges', 'ChargeRetrieveParams', (_call, [id]) => get('charge', id));
  route('GET /v1/disputes', 'Disputes', 'DisputeListParams', ({ params, path }) =>
    list(
      all('dispute').filter((row) => !params.payment_intent || row.payment_intent === params.payment_intent),
      params,
      path,
    ),
  );
  route('GET /v1/disputes/:id', 'Disputes', 'DisputeRetrieveParams', (_call, [id]) => get('dispute', id));
  route('POST /v1/disputes/:id', 'Disputes', 'DisputeUpdateParams', ({ params }, [id]) => {
    const row = get('dispute', id);
    if (!['needs_response', 'warning_needs_response'].includes(row.status))
      throw new StripeDoubleError(400, { message: `This dispute is already closed: ${row.status}` });
    if (params.evidence?.service_documentation) get('file', params.evidence.service_documentation);
    Object.assign(row.evidence, params.evidence);
    if (params.submit !== 'true') return row;
    row.evidence_details.submission_count += 1;
    row.status = row.status === 'needs_response' ? 'under_review' : 'warning_under_review';
    emit('charge.dispute.updated', row);
    return row;
  });
  route('POST /v1/files', 'Files', 'FileCreateParams', ({ params }) => {
    const id = newId('file');
    objects.set(id, { id, object: 'file', purpose: params.purpose, created: seconds(), data: params.file });
    const { data: _data, ...file } = get('file', id);
    return file;
  });
  route('POST /v1/transfers', 'Transfers', 'TransferCreateParams', ({ params }) => {
    const amount = Number(params.amount);
    const account = get('destination', params.destination);
    if (account.closed)
      throw new StripeDoubleError(403, {
        code: 'account_invalid',
        message: 'The account is not connected to your platform.',
      });
    if (capability(account).status !== 'active')
      throw new StripeDoubleError(400, {
        code: 'insufficient_capabilities_for_transfer',
        message: 'Your destination account needs to have the transfers capability enabled.',
      });
    if (available(platform, params.currency) < amount)
      throw new StripeDoubleError(400, {
        code: 'balance_insufficient',
        message: 'You have insufficient available funds in your Stripe account.',
      });
    const row = make('transfer', 'tr', {
      ...params,
      amount,
      metadata: params.metadata ?? {},
      reversals: { object: 'list', data: [], has_more: false, url: '' },
    });
    row.balance_transaction = book(platform, 'transfer', row, -amount);
    book(account.id, 'payment', row, amount);
    emit('transfer.created', row);
    return row;
  });
  route('GET /v1/transfers', 'Transfers', 'TransferListParams', ({ params, path }) =>
    list(
      all('transfer').filter((row) => !params.transfer_group || row.transfer_group === params.transfer_group),
      params,
      path,
    ),
  );
  route('GET /v1/transfers/:id', 'Transfers', 'TransferRetrieveParams', (_call, [id]) => get('transfer', id));
  route(
    'POST /v1/transfers/:id/reversals',
    'Transfers',
    'TransferCreateReversalParams',
    ({ params }, [id]) => {
      const transfer = get('transfer', id);
      const amount = Number(params.amount ?? transfer.amount - transfer.amount_reversed);
      if (transfer.reversed || amount > transfer.amount - transfer.amount_reversed)
        throw new StripeDoubleError(400, { message: 'This transfer is already reversed.' });
      if (available(transfer.destination, transfer.currency) < amount)
        throw new StripeDoubleError(400, {
          code: 'balance_insufficient',
          message: 'The account lacks the balance for the reversal.',
        });
      const row = make('transfer_reversal', 'trr', {
        amount,
        currency: transfer.currency,
        transfer: transfer.id,
        metadata: params.metadata ?? {},
      });
      transfer.amount_reversed += amount;
      transfer.reversed = transfer.amount_reversed === transfer.amount;
      transfer.reversals.data.unshift(row);
      book(platform, 'transfer_refund', row, amount);
      book(transfer.destination, 'payment_refund', row, -amount);
      emit('transfer.reversed', transfer);
      return row;
    },
  );
  route('POST /v1/payouts', 'Payouts', 'PayoutCreateParams', ({ params, account }) => {
    const amount = Number(params.amount);
    const first = all('bank_account').find((row) => row.account === account && !row.deleted);
    const bank = params.destination || !first ? get('external account', params.destination) : first;
    const behaviour = behaviours.get(bank.id);
    if (bank.account !== account) throw missing('external account', params.destination);
    if (bank.currency !== params.currency)
      throw new StripeDoubleError(400, {
        message: `Sorry, you don't have any external accounts in that currency (${params.currency}).`,
      });
    if (params.method === 'instant' && !bank.available_payout_methods.includes('instant'))
      throw new StripeDoubleError(400, {
        code: 'instant_payouts_unsupported',
        message: 'This bank account does not support instant payouts.',
      });
    if (behaviour === 'closed')
      throw new StripeDoubleError(400, {
        code: 'account_closed',
        message: 'The bank account has been closed.',
      });
    if (available(account, params.currency) < amount)
      throw new StripeDoubleError(400, {
        code: 'balance_insufficient',
        message: 'You have insufficient funds in your Stripe account.',
      });
    const row = make('payout', 'po', {
      ...params,
      amount,
      account,
      automatic: false,
      arrival_date: seconds() + (params.method === 'instant' ? 0 : 2 * dayS),
      metadata: params.metadata ?? {},
      status: params.method === 'instant' ? 'pending' : 'in_transit',
    });
    row.balance_transaction = book(account, 'payout', row, -amount);
    emit('payout.created', row, account);
    return row;
  });
  route('GET /v1/payouts', 'Payouts', 'PayoutListParams', ({ params, path, account }) =>
    list(
      all('payout').filter((row) => row.account === account && since(row, params)),
      params,
      path,
    ),
  );
  route('GET /v1/payouts/:id', 'Payouts', 'PayoutRetrieveParams', ({ account }, [id]) => {
    const row = get('payout', id);
    if (row.account !== account) throw missing('payout', id);
    return row;
  });
  route(
    'GET /v1/accounts/:id/external_accounts/:bank',
    'Accounts',
    'AccountRetrieveExternalAccountParams',
    (_call, [id, bank]) => {
      const row = get('external account', bank);
      if (row.account !== id) throw missing('external account', bank);
      return row;
    },
  );
  route(
    'GET /v1/accounts/:id/external_accounts',
    'Accounts',
    'AccountListExternalAccountsParams',
    ({ params, path }, [id]) =>
      list(
        all('bank_account').filter((row) => row.account === id && !row.deleted),
        params,
        path,
      ),
  );
  route(
    'POST /v1/balance_settings',
    'BalanceSettings',
    'BalanceSettingsUpdateParams',
    ({ params, account }) => {
      const settings = { ...structuredClone(fixtures.balance_settings), ...params, account };
      objects.set(`balance_settings/${account}`, { ...settings, object: 'balance_settings' });
      return settings;
    },
  );
  route(
    'GET /v1/balance_settings',
    'BalanceSettings',
    'BalanceSettingsRetrieveParams',
    ({ account }) => objects.get(`balance_settings/${account}`) ?? structuredClone(fixtures.balance_settings),
  );
  route('GET /v1/balance', 'Balance', 'BalanceRetrieveParams', ({ account }) => {
    const currencies = [
      ...new Set(transactions.filter((row) => row.account === account).map((row) => row.currency)),
    ];
    const amounts = (isAvailable: (row: Row) => boolean) =>
      currencies.map((currency) => ({
        currency,
        amount: sum(account, currency, isAvailable),
        source_types: {},
      }));
    return {
      ...structuredClone(fixtures.balance),
      available: amounts((row) => row.net < 0 || row.available_on <= seconds()),
      pending: amounts((row) => row.net >= 0 && row.available_on > seconds()),
    };
  });
  route(
    'GET /v1/balance_transactions',
    'BalanceTransactions',
    'BalanceTransactionListParams',
    ({ params, path, account }) => {
      const page = list(
        transactions.filter((row) => row.account === account && since(row, params)),
        params,
        path,
      );
      if (!params.expand?.includes('data.source')) return page;
      return {
        ...page,
        data: page.data.map((row: Row) => ({ ...row, source: objects.get(row.source) ?? row.source })),
      };
    },
  );
  route(
    'GET /v2/core/event_destinations',
    'V2/Core/EventDestinations',
    'V2.Core.EventDestinationListParams',
    () => ({ data: all('v2.core.event_destination'), next_page_url: null, previous_page_url: null }),
  );
  route('GET /v2/core/accounts', 'V2/Core/Accounts', 'V2.Core.AccountListParams', () => ({
    data: all('v2.core.account'),
    next_page_url: null,
    previous_page_url: null,
  }));
  route('GET /v1/events', 'Events', 'EventListParams', ({ params, path, account }) => {
    const matching = events.filter(
      (row) => (row.account ?? platform) === account && row.created > seconds() - 30 * dayS,
    );
    // A cursor of another type is valid too.
    const page = matching.filter(
      (row) => !params.types || params.types.includes(row.type) || row.id === params.ending_before,
    );
    return list(page, params, path);
  });
  route('POST /v2/core/accounts', 'V2/Core/Accounts', 'V2.Core.AccountCreateParams', ({ params }) => {
    const { include: _include, ...given } = params;
    const id = newId('acct');
    const status = {
      status: 'restricted',
      status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
    };
    const row = {
      ...given,
      id,
      object: 'v2.core.account',
      created: now().toISOString(),
      livemode: false,
      applied_configurations: ['recipient'],
      configuration: {
        recipient: { applied: true, capabilities: { stripe_balance: { stripe_transfers: status } } },
      },
      requirements: requirements(['identity.individual.documents.primary_verification', 'external_account']),
    };
    objects.set(id, row);
    return row;
  });
  route(
    'POST /v2/core/accounts/:id',
    'V2/Core/Accounts',
    'V2.Core.AccountUpdateParams',
    ({ params }, [id]) => {
      const row = get('account', id);
      return Object.assign(row, { defaults: { ...row.defaults, ...params.defaults } });
    },
  );
  route('GET /v2/core/accounts/:id', 'V2/Core/Accounts', 'V2.Core.AccountRetrieveParams', (_call, [id]) => {
    const row = objects.get(String(id));
    if (!row) throw new StripeDoubleError(404, { code: 'not_found', message: `No such account: ${id}` });
    return row;
  });
  route(
    'POST /v2/core/account_links',
    'V2/Core/AccountLinks',
    'V2.Core.AccountLinkCreateParams',
    ({ params }) => ({
      object: 'v2.core.account_link',
      account: params.account,
      created: now().toISOString(),
      expires_at: addMs(now(), 300_000).toISOString(),
      livemode: false,
      url: `${url}/pages/onboarding/${params.account}?return=${encodeURIComponent(params.use_case.account_onboarding?.return_url ?? '')}`,
      use_case: params.use_case,
    }),
  );

  function requirements(fields: readonly string[], time?: string): Row {
    const status = time ? 'eventually_due' : 'currently_due';
    const entries = fields.map((description) => ({
      awaiting_action_from: 'user',
      description,
      errors: [],
      impact: {},
      minimum_deadline: { status },
      requested_reasons: [{ code: 'routine_onboarding' }],
    }));
    return {
      entries,
      summary: entries.length > 0 ? { minimum_deadline: { status, ...(time ? { time } : {}) } } : {},
    };
  }

  const capability = (account: Row) =>
    account.configuration.recipient.capabilities.stripe_balance.stripe_transfers;
  const accountEvent = (account: Row): Row => ({
    id: newId('evt'),
    object: 'v2.core.event',
    type: 'v2.core.account[configuration.recipient].capability_status_updated',
    created: now().toISOString(),
    livemode: false,
    related_object: { id: account.id, type: 'v2.core.account', url: `/v2/core/accounts/${account.id}` },
  });

  function finishCheckout(session: Row, number: string, expires = { month: 12, year: 2030 }): Row {
    const card = {
      ...structuredClone(fixtures.payment_method.card),
      last4: number.slice(-4),
      exp_month: expires.month,
      exp_year: expires.year,
    };
    const debit = {
      type: 'sepa_debit',
      card: undefined,
      sepa_debit: { last4: number.slice(-4), fingerprint: number },
    };
    const takesIban = session.allowed_payment_method_types?.includes('sepa_debit');
    const method = make('payment_method', 'pm', {
      customer: session.customer,
      ...(takesIban && number === stripeIban ? debit : { card }),
    });
    behaviours.set(method.id, number);
    const setup = make('setup_intent', 'seti', {
      customer: session.customer,
      payment_method: method.id,
      status: 'succeeded',
    });
    return Object.assign(session, { status: 'complete', setup_intent: setup.id });
  }

  function decide(intentId: string, approves: boolean): void {
    const intent = get('payment_intent', intentId);
    if (intent.status !== 'requires_action') return;
    const method = get('pm', intent.payment_method);
    if (approves) succeed(intent, method);
    else
      try {
        decline(intent, method, 'payment_intent_authentication_failure');
      } catch {
        // The page shows the refusal.
      }
  }

  function onboard(account: string, status: 'active' | 'restricted' | 'rejected' = 'active'): Promise<void> {
    const row = get('account', account);
    Object.assign(capability(row), { status, status_details: [] });
    if (status === 'active') row.requirements = requirements([]);
    return send(accountEvent(row));
  }

  /** Stripe requires more of a worker: by a day, or now, which stops their payouts. */
  function askFor(account: string, fields: readonly string[], time?: string): Promise<void> {
    const row = get('account', account);
    row.requirements = requirements(fields, time);
    if (time === undefined) capability(row).status = 'restricted';
    return send(accountEvent(row));
  }

  function addBank(
    account: string,
    o: {
      number?: string;
      instant?: boolean;
      currency?: string;
      behaviour?: 'pays' | 'closed';
      holder?: string;
    } = {},
  ): string {
    const number = o.number ?? 'NL89NRHD0000009000';
    const row = make('bank_account', 'ba', {
      account,
      account_holder_name: o.holder ?? 'Nadia Haddad',
      country: 'NL',
      currency: o.currency ?? 'eur',
      last4: number.slice(-4),
      fingerprint: number,
      available_payout_methods: o.instant === false ? ['standard'] : ['standard', 'instant'],
    });
    behaviours.set(row.id, o.behaviour ?? 'pays');
    return row.id;
  }

  /** The buttons of Stripe's pages, and their targets. */
  type Pressed = { button: string; number: string; query: URLSearchParams };
  const pages: Record<string, (id: string, pressed: Pressed) => Promise<string>> = {
    checkout: async (id, { button, number }) => {
      const session = get('checkout.session', id);
      if (button === 'Cancel') return session.cancel_url;
      finishCheckout(session, number || stripeCards.pays);
      return session.success_url.replace('{CHECKOUT_SESSION_ID}', id);
    },
    confirm: async (id, { button }) => {
      const { next_action } = get('payment_intent', id);
      decide(id, button !== 'Cancel');
      return next_action?.redirect_to_url.return_url ?? '/';
    },
    onboarding: async (id, { button, query }) => {
      if (button !== 'Cancel') {
        const { given_name, surname } = get('account', id).identity.individual;
        addBank(id, { holder: `${given_name} ${surname}` });
        await onboard(id);
      }
      return query.get('return') ?? '/';
    },
  };

  async function page(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const [, , kind = '', id = ''] = pathname.split('/');
    if (request.method === 'POST') {
      const form = new URLSearchParams(text);
      const field = (name: string) => form.get(name)?.replaceAll(' ', '') ?? '';
      const pressed = { button: field('button'), number: field('number'), query: searchParams };
      const location = await pages[kind]?.(id, pressed);
      response.writeHead(303, { location: location ?? '/' }).end();
      return;
    }
    const button = (label: string) => `<button name="button" value="${label}">${label}</button>`;
    const input = kind === 'checkout' ? '<label>Card number <input name="number"></label>' : '';
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><title>Stripe stand-in</title><h1>Stripe stand-in</h1><form method="post">${input}${button('Continue')}${button('Cancel')}</form>`,
      );
  }

  function answer(call: Call): Answer {
    const name = Object.keys(routes).find((route) => {
      const { pattern } = routes[route] as Route;
      return route.startsWith(`${call.method} `) && pattern.test(call.path);
    });
    if (!name)
      throw new StripeDoubleError(404, {
        message: `Unrecognized request URL (${call.method}: ${call.path}).`,
      });
    const { pattern, file, type, run } = routes[name] as Route;
    calls.push({ route: name, params: call.params, account: call.account, key: call.key });
    const misuse: Misuse | null =
      name === 'POST /v1/files'
        ? null
        : misuseOf(
            { file, type, isForm: !call.path.startsWith('/v2') || call.method === 'GET' },
            call.params,
          );
    if (misuse) throw new StripeDoubleError(400, misuse);
    return { status: 200, body: run(call, (pattern.exec(call.path) ?? []).slice(1)) };
  }

  function solve(call: Call): Answer {
    try {
      return structuredClone(answer(call));
    } catch (error) {
      if (!(error instanceof StripeDoubleError)) throw error;
      return { status: error.status, body: error.body };
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    // A file keeps its bytes.
    request.setEncoding(request.headers['content-type']?.includes('multipart') ? 'latin1' : 'utf8');
    for await (const chunk of request) text += chunk;
    const { pathname, search } = new URL(request.url ?? '/', 'http://double');
    if (pathname.startsWith('/pages/')) return page(request, response, text);
    const isJson = request.headers['content-type']?.includes('json');
    const isUpload = request.headers['content-type']?.includes('multipart');
    let params = readForm(request.method === 'POST' && !isUpload && !isJson ? text : search.slice(1));
    if (request.method === 'POST' && isUpload) params = readUpload(text);
    else if (request.method === 'POST' && isJson) params = JSON.parse(text || '{}');
    const call: Call = {
      method: request.method ?? 'GET',
      path: pathname,
      params,
      account: (request.headers['stripe-context'] ?? request.headers['stripe-account'] ?? platform) as string,
      key: (request.headers['idempotency-key'] as string | undefined) ?? null,
    };
    const reply = ({ status, body }: Answer, headers: Record<string, string> = {}) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': newId('req'),
        ...headers,
      });
      response.end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${key}`)
      return reply({
        status: 401,
        body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' } },
      });
    if (call.account !== platform && objects.get(call.account)?.closed)
      return reply({
        status: 403,
        body: {
          error: {
            type: 'invalid_request_error',
            code: 'account_invalid',
            message:
              'The provided key does not have access to the account (or that account does not exist). Application access may have been revoked.',
          },
        },
      });

    const index = faults.findIndex(
      ({ route: name }) => name.startsWith(`${call.method} `) && routes[name]?.pattern.test(pathname),
    );
    const fault = outage ?? (index < 0 ? null : (faults.splice(index, 1)[0]?.fault ?? null));
    if (fault === '403')
      return reply({
        status: 403,
        body: {
          error: {
            type: 'invalid_request_error',
            message: `The provided key 'rk_test_****' does not have the required permissions for this endpoint.`,
          },
        },
      });
    if (fault === '429')
      return reply({
        status: 429,
        body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' } },
      });
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'silent') return;

    const isReplayable = call.key !== null && call.method === 'POST';
    const place = `${call.account} ${call.key}`;
    const hash = createHash('sha256')
      .update(`${call.method} ${call.path} ${JSON.stringify(params)}`)
      .digest('hex');
    if (isReplayable) {
      if (running.has(place))
        return reply({
          status: 409,
          body: {
            error: {
              type: 'invalid_request_error',
              code: 'idempotency_key_in_use',
              message: 'There is currently another in-progress request using this key.',
            },
          },
        });
      const stored = answers.get(place);
      if (stored && stored.at + dayS > seconds()) {
        if (stored.hash !== hash)
          return reply({
            status: 400,
            body: {
              error: {
                type: 'idempotency_error',
                message:
                  'Keys for idempotent requests can only be used with the same parameters they were first used with.',
              },
            },
          });
        return reply(stored.answer, { 'idempotent-replayed': 'true' });
      }
      running.add(place);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const serverError: Answer = {
      status: 500,
      body: { error: { type: 'api_error', message: 'An unknown error occurred' } },
    };
    const done = fault === '500' ? serverError : solve(call);
    const shown = fault === '500-done' ? serverError : done;
    // A call that never began, for instance with a wrong parameter, is not stored.
    const began = !['parameter_unknown', 'parameter_missing', 'parameter_invalid'].includes(
      shown.body.error?.code,
    );
    if (isReplayable && began) answers.set(place, { at: seconds(), hash, answer: shown });
    running.delete(place);
    if (fault === 'cut-done') return void request.socket.destroy();
    reply(shown);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    key,
    calls,
    events,
    get webhookSecret() {
      return webhookSecret;
    },
    /** Follows another clock from now on. */
    follow(clock: { now(): Date }): void {
      now = () => clock.now();
    },
    /** Sends webhooks there from now on. */
    sendTo(send: NonNullable<Options['send']>): void {
      deliver = send;
    },
    rotateSecret: (secret: string) => {
      webhookSecret = secret;
    },
    /** Waits for the webhooks that are being sent. */
    delivered: () => Promise.all(sendings),
    /** Sets up the platform's account as described in docs/payments.md. */
    setUp(address: string): void {
      const destinations = {
        snapshot: [
          'payment_intent.succeeded',
          'payment_intent.payment_failed',
          'refund.failed',
          'charge.dispute.created',
          'charge.dispute.closed',
          'payout.paid',
          'payout.failed',
        ],
        thin: [
          'v2.core.account[requirements].updated',
          'v2.core.account[configuration.recipient].capability_status_updated',
        ],
      };
      for (const [payload, types] of Object.entries(destinations)) {
        const id = newId('ed');
        objects.set(id, {
          id,
          object: 'v2.core.event_destination',
          webhook_endpoint: { url: address },
          status: 'enabled',
          event_payload: payload,
          enabled_events: types,
          events_from: ['@self', '@accounts'],
        });
      }
      const payments = { payouts: { schedule: { interval: 'manual' } } };
      objects.set('balance_settings/platform', { object: 'balance_settings', payments });
    },
    /** Signs a payload as Stripe does. */
    sign,
    fail: (name: string, ...next: Fault[]) => faults.push(...next.map((fault) => ({ route: name, fault }))),
    object: (id: string) => get('object', id),
    all,
    available: (currency = 'eur') => available(platform, currency),
    balanceOf: (account: string, currency = 'eur') => available(account, currency),
    total: (currency = 'eur') => sum(platform, currency, () => true),
    /** The sum of Stripe's fees so far. */
    fees: (currency = 'eur') =>
      sumOf(
        transactions.filter((row) => row.account === platform && row.currency === currency),
        (row) => row.fee,
      ),
    /** Forgets the answers of idempotency keys, as Stripe does after a day. */
    forgetKeys: () => answers.clear(),
    /**
     * A finished page on which an owner saved a card.
     * @returns the session, which is the token of `saveCard`
     */
    saveCard(
      ownerId: string,
      number: string = stripeCards.pays,
      expires = { month: 12, year: 2030 },
    ): string {
      const customer =
        all('customer').find((row) => row.metadata.owner === ownerId) ??
        make('customer', 'cus', { metadata: { owner: ownerId } });
      const session = make('checkout.session', 'cs_test', {
        mode: 'setup',
        allowed_payment_method_types: ['card', 'sepa_debit'],
        client_reference_id: ownerId,
        customer: customer.id,
      });
      return finishCheckout(session, number, expires).id;
    },
    /**
     * Acts as a person does on a Stripe page.
     * @returns where the page leads
     */
    async press(page: string, button: string, number = ''): Promise<string> {
      const answer = await fetch(page, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ button, number }),
      });
      return answer.headers.get('location') ?? '';
    },
    /** The owner's decision on the page of their bank. */
    decide,
    dispute,
    closeDispute(id: string, status: 'won' | 'lost'): void {
      const row = get('dispute', id);
      row.status = status;
      if (status === 'won')
        row.balance_transactions.push(get('txn', book(platform, 'adjustment', row, row.amount)));
      emit('charge.dispute.closed', row);
    },
    /** The bank's answer to a debit, days later. */
    finishDebit(intentId: string, pays: boolean): void {
      const intent = get('payment_intent', intentId);
      const method = get('pm', intent.payment_method);
      if (pays) succeed(intent, method);
      else
        try {
          decline(intent, method, 'debit_not_authorized');
        } catch {
          // The bank answers days later, so no caller gets the error.
        }
    },
    /** A refund that the card's bank sends back days later. */
    failRefund(id: string): void {
      const row = get('refund', id);
      const charge = get('charge', row.charge);
      charge.amount_refunded -= row.amount;
      charge.refunded = false;
      Object.assign(row, {
        status: 'failed',
        failure_reason: 'lost_or_stolen_card',
        failure_balance_transaction: book(platform, 'refund_failure', row, row.amount),
      });
      emit('refund.failed', row);
    },
    /** The account of one of our workers. */
    accountOf: (ownerId: string): string =>
      all('v2.core.account').find(({ metadata }) => metadata.nearhand_key === `account/${ownerId}`)?.id ?? '',
    onboard,
    askFor,
    /** The worker withdraws the platform's access, or the account is closed. */
    deauthorise(account: string): void {
      get('account', account).closed = true;
    },
    addBank,
    /** Moves a payout to its next state. */
    movePayout(id: string, status: 'paid' | 'failed', code = 'account_closed'): void {
      const row = get('payout', id);
      row.status = status;
      if (status === 'failed') {
        row.failure_code = code;
        row.failure_balance_transaction = book(row.account, 'payout_failure', row, row.amount);
      }
      emit(`payout.${status}`, row, row.account);
    },
    forgetFaults: () => void faults.splice(0),
    /** Fails every call until it is called with null. */
    outage(fault: Fault | null): void {
      outage = fault;
    },
    /** Money that leaves the platform's balance without our doing, as in the dashboard. */
    stray: (type: string, destination: string, amount: number, currency = 'eur') => {
      const row = make('transfer', 'tr', { amount, currency, destination });
      book(platform, type, row, -amount);
    },
    /** Adds to the platform's balance. */
    topUp: (amount: number, currency = 'eur') =>
      void book(platform, 'topup', { id: newId('tu'), currency }, amount),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
