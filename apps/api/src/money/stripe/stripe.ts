import type { Currency } from '@nearhand/contract/currencies';
import { type BankMethod, bankMethods, debitBrand } from '@nearhand/contract/money/cards.rules';
import { type PayoutNeed, payoutNeeds } from '@nearhand/contract/money/payouts';
import Stripe from 'stripe';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import type { Log } from '../../platform/log.ts';
import {
  type Failure,
  type IdentityState,
  isPlain,
  type PaymentProvider,
  type ProviderPages,
  ProviderRefusedError,
  type SavedBank,
  type SavedCard,
} from '../../platform/payment-provider.ts';
import { StartRefusedError } from '../../platform/start-refused.ts';
import { balancesAtStripe, listBookings } from './stripe-books.ts';
import {
  beginCall,
  callStripe,
  endCall,
  findCall,
  freeKeyIfRefused,
  idOf,
  isReplayed,
  keyName,
  orNull,
  type StripeParts,
} from './stripe-calls.ts';
import {
  cancelCharge,
  charge,
  chargeMin,
  findStripeCharge,
  getCharge,
  getDispute,
  refund,
  submitEvidence,
} from './stripe-charges.ts';
import { payOut, syncStripePayout, syncStripePayoutByKey } from './stripe-payouts.ts';
import { listEvents, openWebhook } from './stripe-webhooks.ts';

/** The version of the types in `stripe` 23.1; change it when the package is upgraded. */
const apiVersion = '2026-10-28.endive';
/** Shorter than the five minutes after which a charge without an answer counts as never made. */
const answerMs = 30_000;
/** Timeout for Stripe at server start. */
const startMs = 5_000;

type StripeConfig = Pick<
  Config,
  | 'PUBLIC_URL'
  | 'STRIPE_SECRET_KEY'
  | 'STRIPE_WEBHOOK_SECRETS'
  | 'STRIPE_CURRENCIES'
  | 'STRIPE_COUNTRIES'
  | 'STRIPE_METHODS'
  | 'STRIPE_API_URL'
>;

/** Speaks to Stripe with this server's key. */
export function openClient(
  config: Pick<Config, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>,
  timeoutMs = answerMs,
): Stripe {
  if (config.STRIPE_SECRET_KEY === undefined) throw new Error('STRIPE_SECRET_KEY is not set');
  const { protocol, hostname, port } = new URL(config.STRIPE_API_URL);
  return new Stripe(config.STRIPE_SECRET_KEY, {
    apiVersion,
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    port: port || undefined,
  });
}

const isLiveKey = (key: string | undefined): boolean => /^[rs]k_live_/.test(key ?? '');

const modeKey = (isLive: boolean): string => `mode/${isLive ? 'live' : 'test'}`;

/**
 * Refuses a database whose money is play money, from the sandbox or from Stripe's other mode: workers would
 * withdraw it as real money. An earlier start in the other mode that made nothing at Stripe doesn't count.
 * @throws StartRefusedError
 */
async function requireOwnMoney(db: Db, isLive: boolean): Promise<void> {
  const sandboxCharge = await db.selectFrom('sandbox_charges').select('ref').limit(1).executeTakeFirst();
  if (sandboxCharge)
    throw new StartRefusedError(
      'The payments in this database were made with the sandbox, which moves no money: start with an empty database.',
    );
  if (!(await findCall(db, modeKey(!isLive)))) return;
  const [mode, otherMode] = isLive ? ['live', 'test'] : ['test', 'live'];
  const call = db.selectFrom('stripe_calls').select('key').where('operation', 'not in', ['platform', 'mode']);
  if (await call.limit(1).executeTakeFirst())
    throw new StartRefusedError(
      `STRIPE_SECRET_KEY is of ${mode} mode, but the payments in this database were made in ${otherMode} mode: start with an empty database.`,
    );
}

/**
 * Refuses the key of a Stripe account other than this database's: charges would fail there, and workers'
 * accounts would look closed. Also refuses a database with play money. If Stripe does not answer, the server starts.
 * @throws StartRefusedError
 */
export async function requireSameAccount(request: {
  db: Db;
  clock: Clock;
  log: Log;
  config: StripeConfig;
}): Promise<void> {
  const isLive = isLiveKey(request.config.STRIPE_SECRET_KEY);
  await requireOwnMoney(request.db, isLive);
  let account: string;
  try {
    account = (await openClient(request.config, startMs).accounts.retrieveCurrent()).id;
  } catch (error) {
    return request.log.warn({ err: error }, 'the account of STRIPE_SECRET_KEY is not known');
  }
  const key = 'platform';
  const call = await beginCall(request, { key, operation: 'platform', content: [] });
  if (call.ref === null) await endCall(request, key, account);
  else if (call.ref !== account)
    throw new StartRefusedError(
      `STRIPE_SECRET_KEY belongs to the Stripe account ${account}, but the payments in this database were made with ${call.ref}.`,
    );
  // A refused key must leave no mark, or the right one would be refused too.
  await request.db.deleteFrom('stripe_calls').where('key', '=', modeKey(!isLive)).execute();
  await beginCall(request, { key: modeKey(isLive), operation: 'mode', content: [] });
}

/** Stripe behind the payment port (ADR 370). Loaded only if it is configured. */
export function createStripe(request: {
  db: Db;
  clock: Clock;
  log: Log;
  config: StripeConfig;
  timeoutMs?: number;
}): PaymentProvider {
  const { config, timeoutMs, ...rest } = request;
  const client = openClient(config, timeoutMs);
  const parts: StripeParts = {
    ...rest,
    client,
    webhookSecrets: config.STRIPE_WEBHOOK_SECRETS,
    isLive: isLiveKey(config.STRIPE_SECRET_KEY),
    publicUrl: config.PUBLIC_URL,
    currencies: config.STRIPE_CURRENCIES,
    countries: config.STRIPE_COUNTRIES,
    methods: config.STRIPE_METHODS,
  };
  return {
    name: 'stripe',
    tokenUrl: null,
    pages: {
      bankMethods: bankMethodsOf(parts),
      openCardPage: (input) => openCardPage(parts, input),
      openPayeePage: (input) => openPayeePage(parts, input),
      listBanks: (ownerId) => listBanks(parts, ownerId),
    },
    books: {
      list: (after) => listBookings(parts, after),
      balances: () => balancesAtStripe(parts),
    },
    disputes: {
      get: (ref) => getDispute(parts, ref),
      answer: (input) => submitEvidence(parts, input),
    },
    saveCard: (input) => saveCard(parts, input),
    saveBank: (input) => saveBank(parts, input),
    checkIdentity: (input) => checkIdentity(parts, input),
    getIdentity: (ownerId) => getIdentity(parts, ownerId),
    chargeMin: (currency) => chargeMin[currency],
    charge: (input) => charge(parts, input),
    getCharge: (ref) => getCharge(parts, ref),
    findCharge: (key) => findStripeCharge(parts, key),
    cancelCharge: (input) => cancelCharge(parts, input),
    refund: (input) => refund(parts, input),
    payOut: (input) => payOut(parts, input),
    syncPayout: (ref) => syncStripePayout(parts, ref),
    syncPayoutByKey: (key) => syncStripePayoutByKey(parts, key),
    listEvents: (after) => listEvents(parts, after),
    readWebhook: (headers, body, now) => openWebhook(parts, headers, body, now),
  };
}

const nothingSaved: { failure: Failure } = { failure: 'processing_error' };

type CardPage = Parameters<ProviderPages['openCardPage']>[0];

/** A checkout page that takes no money and saves a card, or a bank account with its mandate, for later charges. */
async function openCardPage(parts: StripeParts, request: CardPage): Promise<string> {
  const customer = await customerOf(parts, request);
  const session = await parts.client.checkout.sessions.create({
    mode: 'setup',
    allowed_payment_method_types: parts.methods.includes('sepa_debit') ? ['card', 'sepa_debit'] : ['card'],
    customer,
    client_reference_id: request.ownerId,
    // Stripe fills in the braces, so they must not be escaped.
    success_url: `${withParameter(request.returnUrl, 'saved')}{CHECKOUT_SESSION_ID}`,
    cancel_url: request.returnUrl,
    locale: localeOf(request.language),
  });
  if (!session.url) throw new Error('the session has no page');
  return session.url;
}

const withParameter = (url: string, name: string): string => `${url}${url.includes('?') ? '&' : '?'}${name}=`;

/** Languages that Stripe's pages lack follow the browser. */
const localeOf = (language: string): Stripe.Checkout.SessionCreateParams.Locale =>
  ['en', 'fr', 'de', 'nl', 'es'].includes(language)
    ? (language as Stripe.Checkout.SessionCreateParams.Locale)
    : 'auto';

/** One customer for each business, under which its cards are saved and its charges listed. */
async function customerOf(
  parts: StripeParts,
  { ownerId, ownerName }: Pick<CardPage, 'ownerId' | 'ownerName'>,
): Promise<string> {
  const key = `customer/${ownerId}`;
  const call = await beginCall(parts, { key, operation: 'customer', content: [ownerId] });
  if (call.ref !== null) return call.ref;
  const customer = await freeKeyIfRefused(parts, key, () =>
    callStripe(parts, call, (idempotencyKey) =>
      parts.client.customers.create({ name: ownerName, metadata: { [keyName]: key } }, { idempotencyKey }),
    ),
  );
  await endCall(parts, key, customer.id);
  return customer.id;
}

const isBankMethod = (method: string): method is BankMethod => method in bankMethods;

/** Bank methods that are enabled; they support euros only. */
const bankMethodsOf = ({ methods, currencies }: StripeParts): BankMethod[] =>
  currencies.includes('EUR') ? methods.filter(isBankMethod) : [];

/** Saves the name of a bank method. Stripe only creates a customer, under which its charges are listed. */
async function saveBankMethod(
  parts: StripeParts,
  method: BankMethod,
  request: Parameters<PaymentProvider['saveCard']>[0],
): Promise<SavedCard> {
  const customer = await customerOf(parts, {
    ownerId: request.ownerId,
    ownerName: request.ownerName ?? request.ownerId,
  });
  return {
    ref: `${customer}/${method}`,
    brand: bankMethods[method],
    last4: '',
    ...neverExpires,
    fingerprint: `${customer}/${method}`,
  };
}

const neverExpires = { expiresMonth: 12, expiresYear: 2099 };

/**
 * Reads what a finished Stripe page saved; the token is the page's session, or `method/…` for a bank method.
 */
async function saveCard(
  parts: StripeParts,
  request: Parameters<PaymentProvider['saveCard']>[0],
): Promise<SavedCard | { failure: Failure }> {
  const bankMethod = bankMethodsOf(parts).find((method) => request.token === `method/${method}`);
  if (bankMethod) return saveBankMethod(parts, bankMethod, request);
  if (!/^cs_\w{1,200}$/.test(request.token)) return nothingSaved;
  const session = await orNull(() =>
    parts.client.checkout.sessions.retrieve(request.token, { expand: ['setup_intent.payment_method'] }),
  );
  const setup = session?.setup_intent;
  if (session?.client_reference_id !== request.ownerId || !setup || typeof setup === 'string')
    return nothingSaved;
  const method = setup.payment_method;
  const customer = idOf(session.customer);
  if (setup.status !== 'succeeded' || !method || typeof method === 'string' || customer === null)
    return nothingSaved;
  const details = cardDetails(method);
  return details ? { ref: `${customer}/${method.id}`, ...details } : nothingSaved;
}

function cardDetails({ card, sepa_debit }: Stripe.PaymentMethod): Omit<SavedCard, 'ref'> | null {
  if (card)
    return {
      brand: brands[card.brand] ?? card.brand,
      last4: card.last4,
      expiresMonth: card.exp_month,
      expiresYear: card.exp_year,
      fingerprint: card.fingerprint ?? '',
    };
  if (sepa_debit)
    return {
      brand: debitBrand,
      last4: sepa_debit.last4 ?? '',
      ...neverExpires,
      fingerprint: sepa_debit.fingerprint ?? '',
    };
  return null;
}

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  cartes_bancaires: 'Cartes Bancaires',
};

/** Reads a bank account that the worker entered on Stripe's page; the token is its id there. */
async function saveBank(
  parts: StripeParts,
  request: { key: string; token: string; ownerId: string },
): Promise<SavedBank | { failure: Failure }> {
  const account = await stripeAccount(parts, request.ownerId);
  if (account === null || !/^ba_\w{1,200}$/.test(request.token)) return nothingSaved;
  const bank = await orNull(() => parts.client.accounts.retrieveExternalAccount(account, request.token));
  return bank?.object === 'bank_account' ? toSavedBank(account, bank) : nothingSaved;
}

const toSavedBank = (account: string, bank: Stripe.BankAccount): SavedBank => ({
  ref: `${account}/${bank.id}`,
  bankName: bank.bank_name ?? '',
  last4: bank.last4,
  holderName: bank.account_holder_name ?? '',
  country: bank.country,
  currency: bank.currency.toUpperCase() as Currency,
  instant: bank.available_payout_methods?.includes('instant') ?? false,
  fingerprint: bank.fingerprint ?? '',
});

async function listBanks(parts: StripeParts, ownerId: string): Promise<SavedBank[]> {
  const account = await stripeAccount(parts, ownerId);
  if (account === null) return [];
  const banks: SavedBank[] = [];
  for await (const bank of parts.client.accounts.listExternalAccounts(account, { limit: 100 }))
    if (bank.object === 'bank_account' && parts.currencies.includes(bank.currency.toUpperCase() as Currency))
      banks.push(toSavedBank(account, bank));
  return banks;
}

/**
 * A Stripe link lasts minutes and opens once; one that has expired leads back to our page, which opens
 * another.
 */
async function openPayeePage(
  parts: StripeParts,
  request: Parameters<ProviderPages['openPayeePage']>[0],
): Promise<string> {
  const account = await stripeAccount(parts, request.ownerId);
  if (account === null) throw new ProviderRefusedError('not_found', 'ownerId');
  // A link has no language: the page uses the account's.
  await parts.client.v2.core.accounts.update(account, {
    defaults: { locales: [localeOfPayee(request.language)] },
  });
  const { url } = await parts.client.v2.core.accountLinks.create({
    account,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: {
        refresh_url: request.returnUrl,
        return_url: `${withParameter(request.returnUrl, 'payee')}1`,
        collection_options: { fields: 'eventually_due' },
      },
    },
  });
  return url;
}

/** Stripe supports Arabic only with a country. */
const localeOfPayee = (language: string): string => (language === 'ar' ? 'ar-SA' : language);

const accountKey = (ownerId: string): string => `account/${ownerId}`;

const stripeAccount = async ({ db }: Pick<StripeParts, 'db'>, ownerId: string): Promise<string | null> =>
  (await findCall(db, accountKey(ownerId)))?.ref ?? null;

const included: Stripe.V2.Core.AccountRetrieveParams.Include[] = ['configuration.recipient', 'requirements'];

/** Opens a worker's account at Stripe with what we know; they confirm it on Stripe's page. */
async function checkIdentity(
  parts: StripeParts,
  request: Parameters<PaymentProvider['checkIdentity']>[0],
): Promise<IdentityState> {
  const key = accountKey(request.ownerId);
  if (!isPlain(request.ownerId) || !isPlain(key))
    throw new ProviderRefusedError('invalid', 'ownerId: 1 to 255 characters');
  if (!parts.countries.includes(request.country))
    throw new ProviderRefusedError('invalid', `${request.country} is not among STRIPE_COUNTRIES`);
  // Only the owner's id identifies the call, so a worker who enters other details next time gets the same account.
  const call = await beginCall(parts, { key, operation: 'account', content: [request.ownerId] });
  if (call.ref === null) {
    const account = await freeKeyIfRefused(parts, key, () =>
      callStripe(parts, call, (idempotencyKey) =>
        parts.client.v2.core.accounts.create(accountFor(request), { idempotencyKey }),
      ),
    );
    await endCall(parts, key, account.id);
    if (!isReplayed(account.lastResponse)) await disableAutomaticPayouts(parts, account.id);
  }
  const state = await getIdentity(parts, request.ownerId);
  if (!state) throw new Error('the account is missing');
  return state;
}

/** Only payouts that we request leave the worker's account. */
const disableAutomaticPayouts = ({ client }: StripeParts, account: string) =>
  client.balanceSettings.update(
    { payments: { payouts: { schedule: { interval: 'manual' } } } },
    { stripeContext: account },
  );

function accountFor(
  request: Parameters<PaymentProvider['checkIdentity']>[0],
): Stripe.V2.Core.AccountCreateParams {
  const [firstName, ...lastNames] = request.legalName.trim().split(/\s+/);
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(request.bornOn) ?? [];
  return {
    display_name: request.legalName,
    dashboard: 'express',
    identity: {
      country: request.country,
      entity_type: 'individual',
      individual: {
        given_name: firstName ?? '',
        surname: lastNames.join(' '),
        address: { line1: request.address, country: request.country },
        date_of_birth: day ? { day: Number(day), month: Number(month), year: Number(year) } : undefined,
      },
    },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    metadata: { [keyName]: accountKey(request.ownerId) },
    include: included,
  };
}

async function getIdentity(parts: StripeParts, ownerId: string): Promise<IdentityState | null> {
  const id = await stripeAccount(parts, ownerId);
  if (id === null) return null;
  const account = await orNull(() => parts.client.v2.core.accounts.retrieve(id, { include: included }));
  const transfers = account?.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
  const isClosed =
    !account || account.closed === true || ['rejected', 'unsupported'].includes(transfers?.status ?? '');
  const isPaid = !isClosed && transfers?.status === 'active';
  return {
    ownerId,
    status: isPaid ? 'verified' : isClosed ? 'refused' : 'pending',
    reason: null,
    account: {
      isClosed,
      isPaid,
      needs: isClosed ? [] : needsOf(account.requirements),
      dueBy: isClosed ? null : (account.requirements?.summary?.minimum_deadline?.time ?? null),
    },
  };
}

/** The requirements that the worker must still meet for Stripe, named like `identity.individual.…`. */
function needsOf(requirements: Stripe.V2.Core.Account['requirements']): PayoutNeed[] {
  const userEntries = (requirements?.entries ?? []).filter((entry) => entry.awaiting_action_from === 'user');
  const needs = new Set(userEntries.map(({ description }) => needOf(description)));
  return payoutNeeds.filter((need) => needs.has(need));
}

function needOf(description: string): PayoutNeed {
  if (/external_account|outbound_destination|payout_method/.test(description)) return 'bank_account';
  if (/documents\.(secondary_verification|proof_of_(address|residence))/.test(description))
    return 'address_proof';
  return /document/.test(description) ? 'identity_document' : 'details';
}
