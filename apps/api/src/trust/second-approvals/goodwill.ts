import type { Currency } from '@nearhand/contract/currencies';
import type { GoodwillQuote, GoodwillRecipient } from '@nearhand/contract/money/corrections';
import type { CreditQuote } from '@nearhand/contract/money/credit-limits';
import { lockRecipient, payGoodwill, quoteGoodwill } from '../../money/corrections/goodwill.ts';
import { checkLimit, quoteLimit, setLimit } from '../../money/credit-limits/credit-limits.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { findInvolved, openApproval } from './second-approvals.ts';

type Input = { kind: 'person' | 'business'; recipientId: string };
const recipientOf = ({ kind, recipientId: id }: Input): GoodwillRecipient => ({ kind, id });

/** Returns the currency of goodwill to someone, one operator's limit, and the limit of a payment. */
export const goodwillForStaff = (db: Db, scope: Scope, input: Input): Promise<GoodwillQuote> =>
  quoteGoodwill(db, scope, recipientOf(input));

/**
 * Gives goodwill, for operators who are not the recipient: at once up to one operator's limit, and above it
 * once another operator approves it (ADR 191).
 * @throws request/invalid for another currency or more than the limit of a payment
 */
export async function giveGoodwill(
  tx: Tx,
  scope: Scope,
  input: Input & { amountMinor: number; currency: Currency; reason: string },
): Promise<{ state: 'paid' | 'waiting' }> {
  const { amountMinor, currency, reason } = input;
  const to = recipientOf(input);
  const { accountId } = scope.actor;
  const sides = {
    accountIds: to.kind === 'person' ? [to.id] : [],
    businessId: to.kind === 'business' ? to.id : null,
  };
  if (await findInvolved(tx, accountId, sides)) throw new AppError('operator/own-record');
  await lockRecipient(tx, to);
  const quote = await quoteGoodwill(tx, scope, to);
  if (currency !== quote.currency)
    throw new AppError('request/invalid', {
      issues: [{ path: 'currency', message: "not the recipient's currency" }],
    });
  if (amountMinor > quote.maxMinor)
    throw new AppError('request/invalid', {
      issues: [{ path: 'amountMinor', message: 'more than one payment can be' }],
    });
  const id = newId(scope.clock.now());
  const payment = { to, amountMinor, currency, reason };
  if (amountMinor <= quote.aloneMinor) {
    await payGoodwill(tx, scope, { id, ...payment, paidBy: accountId, approvedBy: null });
    return { state: 'paid' };
  }
  await openApproval(tx, scope, {
    kind: 'goodwill',
    subjectId: to.id,
    reason,
    decision: { to },
    prepared: { moved: { amountMinor, currency }, ...sides },
  });
  return { state: 'waiting' };
}

/** Returns the credit limit of a business and one operator's limit. */
export const creditLimitForStaff = (
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<CreditQuote> => quoteLimit(db, scope, businessId);

/**
 * Sets the credit limit of a business, for operators who are not of it: at once up to one operator's limit or when it
 * is lowered, otherwise once another operator approves it (ADR 397).
 */
export async function setCreditLimit(
  tx: Tx,
  scope: Scope,
  input: { businessId: string; limitMinor: number; currency: Currency; reason: string },
): Promise<{ state: 'set' | 'waiting' }> {
  const { businessId, limitMinor, currency, reason } = input;
  const { accountId } = scope.actor;
  const sides = { accountIds: [], businessId };
  if (await findInvolved(tx, accountId, sides)) throw new AppError('operator/own-record');
  const { beforeMinor } = await checkLimit(tx, input);
  const { aloneMinor } = await quoteLimit(tx, scope, businessId);
  if (limitMinor <= Math.max(aloneMinor, beforeMinor)) {
    const id = newId(scope.clock.now());
    await setLimit(tx, scope, { ...input, id, setBy: accountId, approvedBy: null });
    return { state: 'set' };
  }
  await openApproval(tx, scope, {
    kind: 'credit_limit',
    subjectId: businessId,
    reason,
    decision: {},
    prepared: { moved: { amountMinor: limitMinor, currency }, ...sides },
  });
  return { state: 'waiting' };
}
