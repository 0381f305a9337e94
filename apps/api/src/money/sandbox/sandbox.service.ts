import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import type { PaymentProvider } from '../../platform/payment-provider.ts';
import { type Sandbox, type SandboxParts, type SendWebhook, webhookSecret } from './sandbox.parts.ts';
import { sumObjects, type TotalsRow } from './sandbox.sql.ts';
import { cancelCharge, charge, findChargeByKey, getCharge, refund } from './sandbox-charges.service.ts';
import { listEvents } from './sandbox-events.service.ts';
import { checkIdentity, getIdentity } from './sandbox-identity.service.ts';
import { saveBank, saveCard } from './sandbox-methods.service.ts';
import { findPayoutByKey, getPayout, payOut } from './sandbox-payouts.service.ts';
import { openWebhook } from './sandbox-signature.ts';

/**
 * The built-in payment provider (ADR 68): behaves like a real one, with test numbers and no money. It has its own tables and
 * transactions, and reports later changes through tasks and webhooks.
 * @param parts `send` delivers a webhook to our own server; by default over HTTP to this server's port
 */
export function createSandbox(parts: Omit<SandboxParts, 'send'> & { send?: SendWebhook }): Sandbox {
  const own: SandboxParts = { ...parts, send: parts.send ?? sendTo(webhookAddress(parts.config)) };
  const secret = webhookSecret(parts.secret);
  return {
    name: 'sandbox',
    tokenUrl: '/sandbox/tokens',
    saveCard: (o) => saveCard(own, o),
    saveBank: (o) => saveBank(own, o),
    checkIdentity: (o) => checkIdentity(own, o),
    getIdentity: (ownerId) => getIdentity(own, ownerId),
    charge: (o) => charge(own, o),
    getCharge: (ref) => getCharge(own, ref),
    findCharge: (key) => findChargeByKey(own, key),
    cancelCharge: (o) => cancelCharge(own, o),
    refund: (o) => refund(own, o),
    payOut: (o) => payOut(own, o),
    getPayout: (ref) => getPayout(own, ref),
    findPayout: (key) => findPayoutByKey(own, key),
    listEvents: (after) => listEvents(own, after),
    readWebhook: (headers, body, now) => openWebhook(secret, headers, body, now),
    sandbox: own,
  };
}

export const isSandbox = (provider: PaymentProvider): provider is Sandbox => 'sandbox' in provider;

/** The sandbox at another time or on another handle, such as for the demo town's past; a real provider is returned as is. */
export const providerAt = (provider: PaymentProvider, there: { clock: Clock; db?: Db }): PaymentProvider =>
  isSandbox(provider) ? createSandbox({ ...provider.sandbox, ...there }) : provider;

/** Sums of the sandbox's records by currency, in minor units. */
export type SandboxTotals = TotalsRow & {
  /** Charges less refunds, chargebacks (open or lost) and payouts: what `balance` must be, and the negative of `provider_clearing` in the ledger. */
  expected: number;
};

/** For experiments and tests: the provider's totals, to compare with the ledger. */
export async function sandboxTotals(db: Db): Promise<SandboxTotals[]> {
  const rows = await sumObjects(db);
  return rows.map((row) => ({
    ...row,
    expected: row.charged - row.refunded - row.chargedBack - row.paidOut,
  }));
}

/** This server's own webhook address. */
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
