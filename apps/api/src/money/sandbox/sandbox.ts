import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { limitNetworks, networkLimit } from '../../platform/http/overload/caller-limits.ts';
import {
  type Failure,
  type IdentityState,
  isPlain,
  type PaymentProvider,
  type PayoutState,
  ProviderRefusedError,
  requireAmount,
  type SavedBank,
  type SavedCard,
} from '../../platform/payment-provider.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import {
  identityMs,
  identityStart,
  nextBusinessDay,
  nextPayoutMove,
  type PayoutMove,
  payoutStart,
  tokenLifeMs,
} from './sandbox.rules.ts';
import {
  deleteTokens,
  findBank,
  findKey,
  findPayout,
  findSandboxCard,
  findSandboxIdentity,
  insertBank,
  insertCard,
  insertPayout,
  insertToken,
  lockPayout,
  lockSandboxIdentity,
  moveBalance,
  newestEvents,
  notBeforeNow,
  sumObjects,
  type TotalsRow,
  updatePayout,
  upsertSandboxIdentity,
  useToken,
} from './sandbox.sql.ts';
import {
  advanceCharge,
  advanceChargeTask,
  appScheme,
  cancelCharge,
  charge,
  decideSandboxCharge,
  findChargeByKey,
  findChargeToConfirm,
  getCharge,
  refund,
} from './sandbox-charges.ts';
import {
  cleanText,
  deliverEvents,
  deliverEventTask,
  emitEvent,
  fingerprintWith,
  inOwnTx,
  listEvents,
  newRef,
  runOncePerKey,
  type Sandbox,
  type SandboxParts,
  type SendWebhook,
  webhookSecret,
} from './sandbox-events.ts';
import { confirmPage, endedPage, eventsPage, style, unknownPaymentPage } from './sandbox-pages.ts';
import { openWebhook } from './sandbox-signature.ts';
import { readTokenForm, type TokenDetails } from './sandbox-tokens.ts';

type Row = NonNullable<Awaited<ReturnType<typeof findPayout>>>;

const advancePayoutTask = defineTask({
  name: 'sandbox.advance-payout',
  payload: z.object({ ref: z.string() }),
  queue: 'money',
  run: (scope, { ref }) => inSandbox(scope, (parts) => advancePayout(parts, ref)),
});

const toPayoutState = (row: Row): PayoutState => ({
  ref: row.ref,
  status: row.status,
  amountMinor: row.amountMinor,
  currency: row.currency,
  failure: row.failure as Failure | null,
  arrivesOn: row.arrivesOn,
});

async function syncPayout(parts: SandboxParts, ref: string): Promise<PayoutState | null> {
  const row = isPlain(ref) ? await findPayout(parts.db, ref) : undefined;
  return row ? toPayoutState(row) : null;
}

async function findPayoutByKey(parts: SandboxParts, key: string): Promise<PayoutState | null> {
  const keyRow = isPlain(key) ? await findKey(parts.db, key) : undefined;
  return keyRow?.operation === 'payout' && keyRow.ref !== null ? syncPayout(parts, keyRow.ref) : null;
}

async function payOut(
  parts: SandboxParts,
  request: Parameters<PaymentProvider['payOut']>[0],
): Promise<PayoutState> {
  requireAmount(request.amountMinor);
  const ref = newRef(parts, 'po');
  const content = [request.bankRef, request.amountMinor, request.currency, request.speed];
  const result = await runOncePerKey(
    parts,
    { key: request.key, operation: 'payout', content, ref },
    async (tx) => {
      const bank = isPlain(request.bankRef) ? await findBank(tx, request.bankRef) : undefined;
      if (!bank) throw new ProviderRefusedError('not_found', 'bankRef');
      const now = parts.clock.now();
      const covered = (await moveBalance(tx, request.currency, -request.amountMinor)) >= 0;
      const start = payoutStart(request, bank, covered);
      if (start.status === 'failed') await moveBalance(tx, request.currency, request.amountMinor);
      const arrives = request.speed === 'instant' ? now.toISOString().slice(0, 10) : nextBusinessDay(now);
      await insertPayout(tx, {
        ref,
        bankRef: bank.ref,
        amountMinor: request.amountMinor,
        currency: request.currency,
        speed: request.speed,
        behaviour: bank.behaviour,
        status: start.status,
        createdAt: now,
        failure: start.status === 'failed' ? start.failure : null,
        arrivesOn: start.status === 'failed' ? null : arrives,
      });
      await planNext(tx, ref);
      await emitEvent(tx, parts, 'payout', ref);
      return undefined;
    },
  );
  const state = 'ref' in result ? await syncPayout(parts, result.ref) : null;
  if (!state) throw new Error('the payout is missing');
  return state;
}

/** Applies due moves of a payout, each with an event, and schedules the next. Idempotent. */
export async function advancePayout(parts: SandboxParts, ref: string): Promise<void> {
  await inOwnTx(parts, async (tx) => {
    let row = await lockPayout(tx, ref);
    let moves = 0;
    for (; row; moves += 1) {
      const next = nextPayoutMove({ ...row, arrivesOn: row.arrivesOn });
      if (!next || next.at > parts.clock.now()) break;
      row = await moveSandboxPayout(tx, row, next.move, next.at);
    }
    await planNext(tx, ref, moves === 0);
    for (; moves > 0; moves -= 1) await emitEvent(tx, parts, 'payout', ref);
  });
}

async function moveSandboxPayout(tx: Tx, row: Row, moveName: PayoutMove, at: Date): Promise<Row> {
  if (moveName === 'pay') return updatePayout(tx, row.ref, { status: 'paid', paidAt: at });
  await moveBalance(tx, row.currency, row.amountMinor);
  return updatePayout(tx, row.ref, {
    status: moveName === 'fail' ? 'failed' : 'returned',
    failure: 'bank_rejected',
  });
}

async function planNext(tx: Tx, ref: string, early = false): Promise<void> {
  const row = await findPayout(tx, ref);
  const next = row && nextPayoutMove({ ...row, arrivesOn: row.arrivesOn });
  if (!next) return;
  const runAt = early ? await notBeforeNow(tx, next.at) : next.at;
  await enqueue(tx, advancePayoutTask, { ref }, { runAt, key: `sandbox/${ref}` });
}

const advanceIdentityTask = defineTask({
  name: 'sandbox.advance-identity',
  payload: z.object({ ownerId: z.string() }),
  queue: 'money',
  run: (scope, { ownerId }) => inSandbox(scope, (parts) => advanceIdentity(parts, ownerId)),
});

async function getIdentity(parts: SandboxParts, ownerId: string): Promise<IdentityState | null> {
  const row = isPlain(ownerId) ? await findSandboxIdentity(parts.db, ownerId) : undefined;
  return row ? { ownerId, status: row.status, reason: row.reason, account: null } : null;
}

async function checkIdentity(
  parts: SandboxParts,
  request: Parameters<PaymentProvider['checkIdentity']>[0],
): Promise<IdentityState> {
  const { key, ownerId } = request;
  if (!isPlain(ownerId)) throw new ProviderRefusedError('invalid', 'ownerId: 1 to 255 characters');
  const content = [ownerId, request.legalName, request.bornOn, request.country, request.address];
  await runOncePerKey(parts, { key, operation: 'identity', content, ref: ownerId }, async (tx) => {
    const now = parts.clock.now();
    const identity = await lockSandboxIdentity(tx, ownerId);
    if (identity?.status === 'verified') return undefined;
    const start = identityStart(request.bornOn);
    await upsertSandboxIdentity(tx, { ownerId, ...start, askedAt: now });
    if (start.status === 'pending') {
      const runAt = addMs(now, identityMs);
      await enqueue(tx, advanceIdentityTask, { ownerId }, { runAt, key: `sandbox/identity/${ownerId}` });
    }
    await emitEvent(tx, parts, 'identity', ownerId);
    return undefined;
  });
  const state = await getIdentity(parts, ownerId);
  if (!state) throw new Error('the identity is missing');
  return state;
}

async function advanceIdentity(parts: SandboxParts, ownerId: string): Promise<void> {
  await inOwnTx(parts, async (tx) => {
    const row = await lockSandboxIdentity(tx, ownerId);
    if (row?.status !== 'pending') return;
    const dueAt = addMs(row.askedAt, identityMs);
    if (dueAt > parts.clock.now()) {
      const runAt = await notBeforeNow(tx, dueAt);
      await enqueue(tx, advanceIdentityTask, { ownerId }, { runAt, key: `sandbox/identity/${ownerId}` });
      return;
    }
    await upsertSandboxIdentity(tx, { ownerId, status: 'verified', reason: null, askedAt: row.askedAt });
    await emitEvent(tx, parts, 'identity', ownerId);
  });
}

/** Creates the built-in payment provider (ADR 67), which moves no money. `send` posts to this server by default. */
export function createSandbox(parts: Omit<SandboxParts, 'send'> & { send?: SendWebhook }): Sandbox {
  const withSender: SandboxParts = { ...parts, send: parts.send ?? sendTo(webhookAddress(parts.config)) };
  const secret = webhookSecret(parts.secret);
  return {
    name: 'sandbox',
    tokenUrl: '/sandbox/tokens',
    pages: null,
    books: null,
    disputes: null,
    saveCard: (request) => saveCard(withSender, request),
    saveBank: (request) => saveBank(withSender, request),
    checkIdentity: (request) => checkIdentity(withSender, request),
    getIdentity: (ownerId) => getIdentity(withSender, ownerId),
    chargeMin: () => 1,
    charge: (request) => charge(withSender, request),
    getCharge: (ref) => getCharge(withSender, ref),
    findCharge: (key) => findChargeByKey(withSender, key),
    cancelCharge: (request) => cancelCharge(withSender, request),
    refund: (request) => refund(withSender, request),
    payOut: (request) => payOut(withSender, request),
    syncPayout: (ref) => syncPayout(withSender, ref),
    syncPayoutByKey: (key) => findPayoutByKey(withSender, key),
    listEvents: (after) => listEvents(withSender, after),
    readWebhook: async (headers, body, now) => openWebhook(secret, headers, body, now),
    sandbox: withSender,
  };
}

export const isSandbox = (provider: PaymentProvider): provider is Sandbox => 'sandbox' in provider;

/** Returns the sandbox at another time or on another handle, as for the demo town's past. */
export const providerAt = (provider: PaymentProvider, there: { clock: Clock; db?: Db }): PaymentProvider =>
  isSandbox(provider) ? createSandbox({ ...provider.sandbox, ...there }) : provider;

/** Sums by currency, in minor units. */
export type SandboxTotals = TotalsRow & {
  /** Charges less refunds, chargebacks and payouts: the expected `balance`, the negative of `provider_clearing`. */
  expected: number;
};

export async function sandboxTotals(db: Db): Promise<SandboxTotals[]> {
  const rows = await sumObjects(db);
  return rows.map((row) => ({
    ...row,
    expected: row.charged - row.refunded - row.chargedBack - row.paidOut,
  }));
}

function webhookAddress({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): string {
  const everywhere = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST];
  const host = everywhere ?? (HOST.includes(':') ? `[${HOST}]` : HOST);
  return `http://${host}:${PORT}/api/webhooks/payments`;
}

const sendTo =
  (address: string): SendWebhook =>
  async (headers, body) => {
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return response.status;
  };

async function inSandbox(scope: TaskScope, work: (parts: SandboxParts) => Promise<void>): Promise<void> {
  if (isSandbox(scope.provider)) await work({ ...scope.provider.sandbox, db: scope.db, clock: scope.clock });
}

const formBytes = 16_384;
const shownEvents = 200;

type Ref = { Params: { ref: string } };

/**
 * The provider's own site, outside our contract. It uses no cookies; a charge's unguessable ref allows
 * confirming it.
 */
export async function registerSandbox(
  app: FastifyInstance,
  config: Pick<Config, 'NODE_ENV' | 'READS_PER_MINUTE' | 'WRITES_PER_MINUTE'>,
  { sandbox }: Sandbox,
): Promise<void> {
  limitNetworks(app, networkLimit(config.READS_PER_MINUTE));
  const secretReads = { config: { secretPath: true } };
  const writes = {
    onRequest: networkLimit(config.WRITES_PER_MINUTE),
    bodyLimit: formBytes,
  };

  // Uses our own parser: the default one quotes the body in its error, which is logged and may contain a card number.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: formBytes },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(body as string));
      } catch {
        done(new AppError('request/invalid', { issues: [{ path: '', message: 'JSON' }] }));
      }
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  });

  app.post('/tokens', writes, async (request, reply) => {
    requireSameSite(request);
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      throw new AppError('request/invalid', { issues: [{ path: '', message: 'JSON' }] });
    const tokenForm = readTokenForm(request.body, sandbox.clock.now(), fingerprintWith(sandbox.secret));
    if ('problem' in tokenForm) return reply.code(422).send(tokenForm);
    const token = await makeToken(sandbox, tokenForm);
    const { behaviour: _, ...details } = tokenForm.details;
    return reply.code(201).send({ token, kind: tokenForm.kind, ...details });
  });

  app.get<Ref>('/confirm/:ref', secretReads, async (request, reply) => {
    const charge = await findChargeToConfirm(sandbox, request.params.ref);
    if (!charge) return html(reply.code(404), unknownPaymentPage());
    return html(reply, charge.status === 'requires_action' ? confirmPage(charge) : endedPage(charge));
  });

  app.post<Ref>('/confirm/:ref', { ...writes, config: { secretPath: true } }, async (request, reply) => {
    requireSameSite(request);
    const decision = (request.body as { decision?: unknown } | null)?.decision;
    if (decision !== 'approve' && decision !== 'refuse')
      throw new AppError('request/invalid', {
        issues: [{ path: 'decision', message: 'approve or refuse' }],
      });
    const charge = await decideSandboxCharge(sandbox, request.params.ref, decision === 'approve');
    if (!charge) return html(reply.code(404), unknownPaymentPage());
    return charge.returnUrl.startsWith(appScheme)
      ? html(reply, endedPage(charge))
      : reply.redirect(charge.returnUrl, 303);
  });

  app.get('/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));

  if (config.NODE_ENV === 'production') return;
  app.get('/events', async (_request, reply) =>
    html(reply, eventsPage(await newestEvents(sandbox.db, shownEvents))),
  );
}

const html = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);

/** CSRF protection: browsers send a request's origin; other clients send nothing. */
function requireSameSite(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] === 'cross-site')
    throw new AppError('request/invalid', { issues: [{ path: '', message: 'from our own pages' }] });
}

type Save = { key: string; token: string; ownerId: string };

export async function makeToken(parts: SandboxParts, details: TokenDetails): Promise<string> {
  const token = newRef(parts, 'tok');
  await insertToken(parts.db, {
    token,
    kind: details.kind,
    details: JSON.stringify(details.details),
    expiresAt: addMs(parts.clock.now(), tokenLifeMs),
  });
  return token;
}

async function saveCard(parts: SandboxParts, request: Save): Promise<SavedCard | { failure: Failure }> {
  const ref = newRef(parts, 'card');
  const content = [request.token, request.ownerId];
  const result = await runOncePerKey(
    parts,
    { key: request.key, operation: 'save card', content, ref },
    async (tx) => {
      const now = parts.clock.now();
      const used = isPlain(request.token) ? await useToken(tx, request.token, 'card', now) : undefined;
      if (!used) return 'processing_error';
      const { brand, last4, expiresMonth, expiresYear, behaviour, fingerprint } = used.details as Extract<
        TokenDetails,
        { kind: 'card' }
      >['details'];
      await insertCard(tx, {
        ref,
        ownerId: cleanText(request.ownerId, 255),
        brand,
        last4,
        behaviour,
        createdAt: now,
        expiresMonth,
        expiresYear,
        fingerprint,
      });
      return undefined;
    },
  );
  if ('failure' in result) return { failure: result.failure as Failure };
  const card = await findSandboxCard(parts.db, result.ref);
  if (!card) throw new Error(`the card ${result.ref} is missing`);
  return {
    ref: card.ref,
    brand: card.brand,
    last4: card.last4,
    expiresMonth: card.expiresMonth,
    expiresYear: card.expiresYear,
    fingerprint: card.fingerprint,
  };
}

async function saveBank(parts: SandboxParts, request: Save): Promise<SavedBank | { failure: Failure }> {
  const ref = newRef(parts, 'bank');
  const content = [request.token, request.ownerId];
  const result = await runOncePerKey(
    parts,
    { key: request.key, operation: 'save bank', content, ref },
    async (tx) => {
      const now = parts.clock.now();
      const used = isPlain(request.token) ? await useToken(tx, request.token, 'bank', now) : undefined;
      if (!used) return 'processing_error';
      const { bankName, last4, holderName, country, currency, instant, behaviour, fingerprint } =
        used.details as Extract<TokenDetails, { kind: 'bank' }>['details'];
      await insertBank(tx, {
        ref,
        ownerId: cleanText(request.ownerId, 255),
        bankName,
        last4,
        holderName,
        country,
        currency,
        instant,
        behaviour,
        createdAt: now,
        fingerprint,
      });
      return undefined;
    },
  );
  if ('failure' in result) return { failure: result.failure as Failure };
  const bank = await findBank(parts.db, result.ref);
  if (!bank) throw new Error(`the bank account ${result.ref} is missing`);
  return {
    ref: bank.ref,
    bankName: bank.bankName,
    last4: bank.last4,
    holderName: bank.holderName,
    country: bank.country,
    currency: bank.currency,
    instant: bank.instant,
    fingerprint: bank.fingerprint,
  };
}

export const purgeOldTokens = (parts: SandboxParts): Promise<void> =>
  deleteTokens(parts.db, subtractMs(parts.clock.now(), dayMs));

export const sandboxTasks = [
  defineTask({
    ...advanceChargeTask,
    queue: 'money',
    run: (scope, { ref }) => inSandbox(scope, (parts) => advanceCharge(parts, ref)),
  }),
  advancePayoutTask,
  advanceIdentityTask,
  defineTask({
    ...deliverEventTask,
    queue: 'money',
    // While the demo town's past is created, no server is listening, and the signature would be too old.
    run: async (scope, { deliveryId }) => {
      if (!scope.unmailed) await inSandbox(scope, (parts) => deliverEvents(parts, deliveryId));
    },
  }),
  defineTask({
    name: 'sandbox.forget',
    payload: z.object({}).loose(),
    daily: true,
    run: (scope) => inSandbox(scope, purgeOldTokens),
  }),
];
