import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { say } from '../../talk/messages/system-messages.ts';
import type { OfferMoveName } from './offers.rules.ts';
import type { OfferRow } from './offers.sql.ts';

const lineOf: Record<OfferMoveName, SystemLine> = {
  send: 'offer-sent',
  accept: 'offer-accepted',
  decline: 'offer-declined',
  withdraw: 'offer-ended',
  expire: 'offer-ended',
};

/** Posts an offer's change in chat; not for unpaid offers. Amounts are the worker's, in minor units. */
export async function postOfferLine(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  offer: Pick<OfferRow, 'id' | 'jobId' | 'workerId' | 'source' | 'terms' | 'expiresAt'>,
  action: OfferMoveName,
  reason: string | null = null,
): Promise<void> {
  if (offer.source === 'instant') return;
  const { id, jobId, workerId, terms } = offer;
  const amounts = {
    amountMinor: terms.workerGetsMinor,
    currency: terms.currency,
    by: offer.expiresAt.toISOString(),
  };
  await say(
    tx,
    scope,
    { jobId, workerId },
    lineOf[action],
    {
      ...(action === 'send' ? amounts : {}),
      ...(action === 'withdraw' || action === 'expire' ? { why: action } : {}),
      ...(reason ? { reason } : {}),
    },
    id,
  );
}
