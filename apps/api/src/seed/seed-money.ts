import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import type { Card } from '@nearhand/contract/money/cards';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { requestCharge } from '../money/charges/charge-requests.ts';
import { refundBalance } from '../money/charges/refunds.ts';
import { issueMonthly } from '../money/invoices/invoices.ts';
import { fundBusiness } from '../money/wallet/wallet.fixtures.ts';
import { issueMonthlyWorkerInvoices } from '../money/worker-invoices/issue-invoices.ts';
import { objectToInvoice } from '../money/worker-invoices/worker-invoices.ts';
import type { TaskScope } from '../platform/tasks/tasks.ts';
import { giveTip } from '../work/pay/tips.ts';
import { type Parts, pastScope } from './seed-timers.ts';
import { type Person, someMinutes, type Town } from './town/town.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

type House = { business: Business; owner: Person };

/** Minor units; enough for all holds in the town's past. */
const first = { nadia: 750_000, others: 300_000 };

export async function openPurse(town: Town, house: House, at: Date, isNadias: boolean): Promise<Card> {
  return fundBusiness(town.tx, town.scopeOf(house.owner.accountId, at), house.business.id, {
    amountMinor: isNadias ? first.nadia : first.others,
    currency: house.business.currency,
  });
}

export async function movePurse(town: Town, { business, owner }: House, card: Card): Promise<void> {
  const on = (daysAgo: number) => town.scopeOf(owner.accountId, town.hoursAgo(daysAgo * 24));
  const { id: businessId, currency } = business;
  await fundBusiness(town.tx, on(27), businessId, { amountMinor: 120_000, currency, card });
  await fundBusiness(town.tx, on(9), businessId, { amountMinor: 80_000, currency, card });
  await refundBalance(town.tx, on(8), { businessId, amountMinor: 25_000, currency });
}

export async function tip(
  town: Town,
  { engagement, owner }: { engagement: Engagement; owner: Person },
  request: { kind: 'tip' | 'bonus'; amountMinor: number; note: string },
): Promise<void> {
  const endsAt = new Date(engagement.terms.endsAt ?? 0);
  const scope = town.scopeOf(owner.accountId, addMs(endsAt, 21 * hourMs + someMinutes(town.uneven)));
  await giveTip(town.tx, scope, {
    engagementId: engagement.id,
    ...request,
    funding: { from: 'balance' },
  });
}

/** Pays at once, as the task would a moment later. */
export async function payByCard(town: Town, accountId: string, chargeId: string, at: Date): Promise<void> {
  await requestCharge({ ...town.scopeOf(accountId, at), db: town.tx } as unknown as TaskScope, chargeId);
}

/**
 * Issues the invoices of the town's past months, each in the night after its month. The payments must have
 * been made.
 */
export async function seedInvoices(parts: Parts): Promise<void> {
  const now = parts.clock.now();
  for (let daysAgo = 62; daysAgo >= 0; daysAgo -= 1) {
    const day = dayAfter(now, -daysAgo);
    const night = instantAt(day, '03:17');
    if (!day.endsWith('-01') || night >= now) continue;
    await issueMonthly(pastScope(parts, night));
    await issueMonthlyWorkerInvoices(pastScope(parts, night));
  }
}

/** Lets a worker object to the latest invoice in their name to a business, two days after its issue. */
export async function seedObjection(town: Town, worker: Person, businessId: string): Promise<void> {
  const invoice = await town.tx
    .selectFrom('worker_invoices')
    .select(['id', 'issuedAt'])
    .where('workerId', '=', worker.accountId)
    .where('businessId', '=', businessId)
    .where('kind', '=', 'invoice')
    .orderBy('issuedAt', 'desc')
    .executeTakeFirst();
  if (!invoice) return;
  const at = addMs(invoice.issuedAt, 2 * dayMs);
  await objectToInvoice(town.tx, town.scopeOf(worker.accountId, at), {
    workerInvoiceId: invoice.id,
    reason: 'details',
  });
}
