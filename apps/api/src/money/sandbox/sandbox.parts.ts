import { createHmac } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { type PaymentProvider, ProviderRefused } from '../../platform/payment-provider.ts';
import { failKey, findKey, takeKey } from './sandbox.sql.ts';

/** Sends a webhook and says with which HTTP status it was answered; throws where nobody answered. */
export type SendWebhook = (headers: Record<string, string>, body: string) => Promise<number>;

export type SandboxParts = {
  /** Its own handle: what it writes is committed before it answers, whatever becomes of the caller. */
  db: Db;
  clock: Clock;
  /** The server's; keys are derived from it. */
  secret: string;
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'SANDBOX_WEBHOOKS'>;
  log: Log;
  send: SendWebhook;
};

/** The provider with what its own tasks and pages need. */
export type Sandbox = PaymentProvider & { sandbox: SandboxParts };

/** The key that webhooks are signed with; derived, so that it is worth nothing anywhere else. */
export const webhookSecret = (secret: string): Buffer =>
  createHmac('sha256', secret).update('sandbox webhooks').digest();

/** Runs in a transaction of the sandbox's own, or in the one it was given as its database, as the demo seed does. */
export const inOwnTx = <Result>(parts: SandboxParts, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  inTransaction(parts.db, work);

/** A new ref such as `ch_0193…`, that cannot be guessed. */
export const newRef = (parts: SandboxParts, prefix: string): string =>
  `${prefix}_${newId(parts.clock.now()).replaceAll('-', '')}`;

/** Text as the database takes it. */
export const cleanText = (text: string, most: number): string =>
  text.replaceAll('\u0000', '').toWellFormed().slice(0, most).toWellFormed();

/** Whether the database can have such a text at all; a ref or key that it cannot is simply not there. */
export const isPlain = (text: string): boolean =>
  text.length > 0 && text.length <= 255 && text.isWellFormed() && !text.includes('\u0000');

/** @throws ProviderRefused unless it is a whole number of minor units above nothing */
export function requireAmount(amountMinor: number): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0 || amountMinor > 1_000_000_000_000)
    throw new ProviderRefused('invalid', 'amountMinor is a whole number of minor units above zero');
}

type Call = { key: string; operation: string; content: readonly (string | number)[]; ref: string };

/**
 * Does the work of a call once for its key, in one transaction with it; 200 callers at once wait for the first. Answers the ref of the object that the key stands
 * for, or the failure that was kept.
 * @param work makes the object under `call.ref`; a text it returns is a failure to keep, and then it has made nothing
 * @throws ProviderRefused where the key was used for something else
 */
export function once(
  parts: SandboxParts,
  call: Call,
  work: (tx: Tx) => Promise<string | undefined>,
): Promise<{ ref: string } | { failure: string }> {
  if (!isPlain(call.key)) throw new ProviderRefused('invalid', 'key: 1 to 255 characters');
  if (!isPlain(call.ref)) throw new ProviderRefused('not_found', 'no such ref');
  const content = createHmac('sha256', parts.secret)
    .update(JSON.stringify([call.operation, ...call.content]))
    .digest();
  return inOwnTx(parts, async (tx) => {
    const { key, operation, ref } = call;
    if (await takeKey(tx, { key, operation, content, ref, at: parts.clock.now() })) {
      const failure = await work(tx);
      if (failure === undefined) return { ref };
      await failKey(tx, key, failure);
      return { failure };
    }
    const kept = await findKey(tx, key);
    if (!kept) throw new Error(`the key ${key} was taken and is gone`);
    if (kept.operation !== operation || !content.equals(kept.content))
      throw new ProviderRefused('key_reused', `the key stands for another ${kept.operation}`);
    return kept.ref === null ? { failure: kept.failure ?? '' } : { ref: kept.ref };
  });
}
