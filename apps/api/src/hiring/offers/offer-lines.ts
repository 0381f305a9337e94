import { sumOf } from '@nearhand/contract/arithmetic';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { postSystemMessage } from '../../talk/messages/system-messages.ts';
import type { OfferMoveName } from './offers.rules.ts';
import type { OfferRow } from './offers.sql.ts';

const lineByMove: Record<OfferMoveName, SystemLine> = {
  send: 'offer-sent',
  accept: 'offer-accepted',
  decline: 'offer-declined',
  withdraw: 'offer-ended',
  expire: 'offer-ended',
};

/** One decision about shifts of a series has one line in the chat: `id` is its key, `count` the number of shifts. */
export type SharedLine = { id: string; count: number; amountMinor: number };

/** One system message for offers of a series; the sum is what the worker gets, in minor units. */
export const sharedLine = (offers: readonly Pick<OfferRow, 'id' | 'terms'>[]): SharedLine => ({
  id: offers[0]?.id ?? '',
  count: offers.length,
  amountMinor: sumOf(offers, ({ terms }) => terms.workerGetsMinor),
});

/** Posts an offer's change in chat; not for unpaid offers. Amounts are the worker's, in minor units. */
export async function postOfferLine(
  tx: Tx,
  scope: ClockScope,
  offer: Pick<OfferRow, 'id' | 'jobId' | 'workerId' | 'source' | 'terms' | 'expiresAt'>,
  {
    action,
    reason = null,
    shared = sharedLine([offer]),
  }: { action: OfferMoveName; reason?: string | null; shared?: SharedLine },
): Promise<void> {
  if (offer.source === 'instant') return;
  const { jobId, workerId, terms } = offer;
  const amounts = {
    amountMinor: shared.amountMinor,
    currency: terms.currency,
    by: offer.expiresAt.toISOString(),
  };
  const isSingle = shared.count === 1;
  await postSystemMessage(tx, scope, {
    jobId,
    workerId,
    line: lineByMove[action],
    data: {
      ...(action === 'send' ? amounts : {}),
      why: action === 'withdraw' || action === 'expire' ? action : undefined,
      reason: reason || undefined,
      count: isSingle ? undefined : shared.count,
      startsAt: isSingle && action === 'decline' && terms.startsAt ? terms.startsAt : undefined,
    },
    key: shared.id || undefined,
  });
}
